"""What `${...}` put into a configuration is kept out of messages: it may be a password, or a piece of one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

#: What messages quote.
_QUOTED = re.compile(r"""(['"])(.*?)\1""", re.DOTALL)
#: What ends a quotation, or is written otherwise in one.
_ENDS = re.compile(r"""['"\\\x00-\x1f]+""")
#: Shorter values and pieces are no secrets, and stand in much that is none.
_SHORTEST = 3
#: So many characters of a value are a piece of it; of a shorter value all.
_PIECE = 5


class Secrets:
    """Values by the reference that gave each, such as `${NAME}`."""

    def __init__(self) -> None:
        self._references: dict[str, str] = {}

    def add(self, value: str, reference: str) -> None:
        """Keeps a value out of messages, and what of it stands between quotation marks."""
        for part in (value, *_ENDS.split(value)):
            if len(part) >= _SHORTEST:
                self._references.setdefault(part, reference)

    def hidden(self, message: str, keys: Collection[str] = ()) -> str:
        """A message with references in place of values, and of what it quotes of them; it may quote keys."""

        def unquoted(quoted: re.Match[str]) -> str:
            mark, text = quoted.groups()
            if text in keys:
                return quoted[0]
            return next(
                (f"{mark}{r}{mark}" for v, r in self._references.items() if _share(text, v)), quoted[0]
            )

        # The longest first: one may stand in another.
        for value in sorted(self._references, key=len, reverse=True):
            message = self._references[value].join(_whole(value).split(message))
        return _QUOTED.sub(unquoted, message)


def _whole(value: str) -> re.Pattern[str]:
    """Where a value stands; a short one by itself: not 500 in 1500, nor `max` in `maximal`."""
    by_itself = len(value) < _PIECE
    before = r"(?<!\w)" if by_itself and re.match(r"\w", value) else ""
    after = r"(?!\w)" if by_itself and re.search(r"\w\Z", value) else ""
    return re.compile(f"{before}{re.escape(value)}{after}")


def _share(text: str, value: str) -> bool:
    """Whether a text has a piece of a value."""
    long = min(_PIECE, len(value), max(len(text), _SHORTEST))
    return any(value[n : n + long] in text for n in range(len(value) - long + 1))
