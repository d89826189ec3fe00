"""Picking among live matches: those of an end event may be contained in matches that end later, so which one
is picked can change with each of these (SEMANTICS 14)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from limecep.contracts.tables import Form
from limecep.model.picks import best

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from limecep.contracts.tables import Tables
    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.model.picks import Pick
    from limecep.patterns.emission.waiting import Waiting
    from limecep.patterns.ledger import Key
    from limecep.patterns.match_codec import MatchCodec
    from limecep.patterns.net import Net


class Picking:
    """What is picked of the live matches of each end event.

    Args:
        pick: Which one.
        nets: The live matches, by alternative.
        within: The window, in microseconds.
        tables: Makes its table.
        matches: Writes the matches in it, and tells them apart.

    Attributes:
        picked: By the ordinal of the end event, the match that was told.
        waiting: Knows how far time has come, where what is picked is told once the window of its end event
            has passed; None where it is told at once.
    """

    #: They are the plan's, or the event manager's.
    transient: ClassVar[frozenset[str]] = frozenset({"key", "waiting"})

    def __init__(
        self, pick: Pick, nets: Sequence[Net], within: int, tables: Tables, matches: MatchCodec
    ) -> None:
        def read(value: Any, events: Mapping[int, Event]) -> tuple[int, Match]:
            match = matches.back(value, events)
            return match.end.ordinal, match

        self.picked: dict[int, Match] = tables.table(
            "picked", Form(lambda _, match: matches.out(match), read)
        )
        self.waiting: Waiting | None = None
        self._pick: Pick = pick
        self._nets = nets
        self._within = within
        self._key = matches.key

    def __len__(self) -> int:
        return len(self.picked)

    def change(
        self, come: Iterable[Match], gone: Iterable[Match]
    ) -> tuple[dict[Key, Match], dict[Key, Match]]:
        """Live matches have come and gone.

        Returns:
            What is picked now and was not; what was and is no more; each by key.
        """
        return self.look({end.ordinal: end for m in (*gone, *come) for end in (m.end,)}.values())

    def look(self, ends: Iterable[Event]) -> tuple[dict[Key, Match], dict[Key, Match]]:
        """Picks anew for some end events, as far as time has come for them. Returns what `change` does."""
        appeared: dict[Key, Match] = {}
        vanished: dict[Key, Match] = {}
        for end in ends:
            if self.waiting is not None and end.t_gen + self._within >= self.waiting.settled:
                continue
            now = best(self._pick, [m for net in self._nets for m in net.ending(end)])
            then = self.picked.get(end.ordinal)
            old, new = None if then is None else self._key(then), None if now is None else self._key(now)
            if old == new:
                continue
            if then is not None and old is not None:
                del self.picked[end.ordinal]
                vanished[old] = then
            if now is not None and new is not None:
                self.picked[end.ordinal] = now
                appeared[new] = now
        return appeared, vanished

    def ending(self, end: Event) -> list[Match]:
        """What was told of an end event."""
        picked = self.picked.get(end.ordinal)
        return [] if picked is None else [picked]

    def forget(self, before: int) -> None:
        """Drops what starts before a `t_gen`, in microseconds."""
        for ordinal in [o for o, match in self.picked.items() if match.start.t_gen < before]:
            del self.picked[ordinal]
