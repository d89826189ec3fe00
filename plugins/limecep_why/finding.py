"""Finding the one match that an id, or the beginning of one, names."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Protocol

from limecep.errors import LimecepError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep_why.history import History

#: So many matches whose ids begin alike are followed; so many ids are remembered to name those nearest.
MOST_FOLLOWED, MOST_KNOWN = 20, 10_000
_FEW = 5


class NotFound(LimecepError):
    """No match has the id, or several begin with it."""


class Wanted(Protocol):
    """Matches that are followed through a change log.

    Attributes:
        histories: What became of them, by id.
    """

    histories: dict[str, History]

    def wants(self, match: str, pattern: str) -> bool:
        """A match is told of: whether it is to be followed."""


class These:
    """The matches with some ids.

    Args:
        ids: The ids.

    Attributes:
        ids: As given.
        histories: As of `Wanted`.
    """

    def __init__(self, ids: Sequence[str]) -> None:
        self.ids = ids
        self.histories: dict[str, History] = {}
        self._ids = frozenset(ids)

    def wants(self, match: str, pattern: str) -> bool:
        """A match is told of: whether it is to be followed."""
        return match in self._ids


class Found:
    """The matches whose id begins as the one that was asked for.

    Args:
        asked: The id, or its beginning.

    Attributes:
        histories: Those matches by id, at most `MOST_FOLLOWED`.
    """

    def __init__(self, asked: str) -> None:
        self.asked = asked.strip().lower()
        self.histories: dict[str, History] = {}
        self._alike: set[str] = set()
        self._known: dict[str, str] = {}

    def wants(self, match: str, pattern: str) -> bool:
        """A match is told of: whether it is to be followed."""
        if match not in self._known and len(self._known) < MOST_KNOWN:
            self._known[match] = pattern
        if not match.startswith(self.asked):
            return False
        self._alike.add(match)
        return match in self.histories or len(self.histories) < MOST_FOLLOWED

    def one(self, where: str, hint: str) -> History:
        """Return the match that is meant.

        Args:
            where: Where it was looked for, for the message.
            hint: Why it may not be there.

        Raises:
            NotFound: There is none, or several.
        """
        if len(self._alike) == 1:
            return self.histories[next(iter(self._alike))]
        if self._alike:
            some = ", ".join(f"{m} ({h.pattern})" for m, h in list(self.histories.items())[:_FEW])
            more = f", and {len(self._alike) - _FEW:,} more" if len(self._alike) > _FEW else ""
            raise NotFound(
                f"{len(self._alike):,} matches begin with '{self.asked}': {some}{more}. Write more of it"
            )
        if not self._known:
            raise NotFound(f"there is no match '{self.asked}': there is no match at all in {where}. {hint}")
        near = get_close_matches(self.asked, self._known, n=_FEW, cutoff=0.0)
        some = ", ".join(f"{m} ({self._known[m]})" for m in near)
        raise NotFound(f"there is no match '{self.asked}' in {where}. {hint} The nearest of its ids: {some}")
