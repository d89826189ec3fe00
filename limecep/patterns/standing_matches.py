"""What stands: without correction, matches that were emitted and are no result any more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from limecep.contracts.tables import Form
from limecep.patterns.archive import Archive

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limecep.contracts.tables import Tables
    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.patterns.ledger import Key
    from limecep.patterns.match_codec import MatchCodec


class Emitted(NamedTuple):
    """A match that was emitted, and the `t_gen` of its start and end."""

    match: "Match"
    since: int
    until: int


class Standing:
    """They are kept in mind, so that none is emitted again when it becomes a result once more.

    Args:
        tables: Makes its tables.
        matches: Writes the matches in them.

    Attributes:
        known: Those whose events are in memory, by key.
        old: The others.
    """

    def __init__(self, tables: Tables, matches: MatchCodec) -> None:
        def read(value: Any, events: Mapping[int, Event]) -> tuple[Key, Emitted]:
            match = matches.back(value[0], events)
            return matches.key(match), Emitted(match, *value[1:])

        self.known: dict[Key, Emitted] = tables.table(
            "standing", Form(lambda _, e: [matches.out(e.match), e.since, e.until], read)
        )
        self.old: Archive[bool] = Archive(tables, "old_standing", lambda _: True, lambda _, events: True)

    def __len__(self) -> int:
        return len(self.known)

    @property
    def lost_until(self) -> int:
        """The `t_gen` up to which it is not known any more which matches stand that ended by then."""
        return self.old.lost_until

    def add(self, key: Key, match: Match) -> None:
        """A match is no result any more."""
        self.known[key] = Emitted(match, match.start.t_gen, match.end.t_gen)

    def take(self, key: Key, match: Match) -> bool:
        """Whether a match stands; it is a result again, and so is not kept here any more."""
        return self.known.pop(key, None) is not None or self.old.take(match) is not None

    def forget(self, before: int) -> None:
        """Drops what starts before a `t_gen`, in microseconds: it is not found again."""
        self.old.forget(before)
        for key in [k for k, emitted in self.known.items() if emitted.since < before]:
            del self.known[key]

    def archive(self, before: int) -> None:
        """Puts aside what starts before a `t_gen`, in microseconds: memory lets go of its events, which may
        come again."""
        for key, emitted in list(self.known.items()):
            if emitted.since < before:
                del self.known[key]
                self.old.put(emitted.match, True, emitted.until)

    def snapshot(self) -> dict[str, Any]:
        """What must survive, the table aside."""
        return {"old": self.old.snapshot()}

    def restore(self, known: Mapping[str, Any]) -> None:
        """It is as it was in a snapshot."""
        self.old.restore(known["old"])
