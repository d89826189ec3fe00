"""The net: live matches of several end events, none contained in another (SEMANTICS 7)."""

from __future__ import annotations

from bisect import bisect_left, insort
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from limecep.contracts.tables import Form
from limecep.model.match import Range
from limecep.patterns.containment import contains
from limecep.plan.forms import quantified

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from limecep.contracts.tables import Tables
    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.patterns.ledger import Key
    from limecep.patterns.match_codec import MatchCodec
    from limecep.plan.plan import Alternative


class Live(NamedTuple):
    """A live match, the ordinal of its first event, and the ordinals of the events that it has in common with
    what it contains."""

    match: "Match"
    start: int
    shared: tuple[int, ...]


class Net:
    """The live matches of an alternative that grows at its end: those contained in no other.

    Where no condition looks at a whole group, a match cut off at an earlier end event is a candidate there,
    so one match contains another only if that is its beginning. Elsewhere the two have the same single
    events.

    Args:
        alternative: The alternative.
        within: The window, in microseconds.
        tables: Makes its table.
        name: Of the table.
        matches: Writes the matches in it.

    Attributes:
        live: The matches, by key.
    """

    #: They follow from what is live, and from the alternative.
    transient: ClassVar[frozenset[str]] = frozenset(
        {"across_starts", "common", "sought", "rivals", "by_start", "start_times", "in_time", "by_end"}
    )

    def __init__(
        self, alternative: Alternative, within: int, tables: Tables, name: str, matches: MatchCodec
    ) -> None:
        def read(value: Any, events: Mapping[int, Event]) -> tuple[Key, Live]:
            match = matches.back(value, events)
            return match.key(), Live(match, match.start.ordinal, self._shared(match))

        self.live: dict[Key, Live] = tables.table(name, Form(lambda _, live: matches.out(live.match), read))
        self._within = within
        conditions = quantified(alternative).conditions
        self._across_starts = any(c.pair is None and not c.cross for c in conditions) or any(
            n.hits is not None for n in alternative.negations
        )
        #: The steps whose first events a match has in common with what it contains.
        self._common = [
            k
            for k, s in enumerate(alternative.steps)
            if (s.quantifier.single if self._across_starts else s.quantifier.minimum)
        ]
        self._rivals: dict[tuple[int, ...], dict[Key, Match]] = {}
        self._by_start: dict[int, dict[Key, None]] = {}
        self._start_times: dict[int, int] = {}
        # The same pairs by time: the ordinal of each start, where starts are looked for. Up to 30,000 starts
        # a flat list is faster than a SortedList.
        self._in_time: list[tuple[int, int]] = []
        self._sought = self._across_starts and not self._common
        self._by_end: dict[int, dict[Key, None]] = {}

    def join(self, candidates: Iterable[Match]) -> tuple[list[Match], list[Match]]:
        """Takes in candidates of one end event.

        Returns:
            What is live now and was not; what is contained in it and live no more.
        """
        come, gone = [], []
        for match in candidates:
            key = match.key()
            if key in self.live:
                continue
            shared = self._shared(match)
            rivals = self._rivals_of(match, shared)
            if rivals:
                if any(contains(r, match) for r in rivals):
                    continue
                for rival in [r for r in rivals if contains(match, r)]:
                    self._remove(rival.key(), rival)
                    gone.append(rival)
            live = self.live[key] = Live(match, match.start.ordinal, shared)
            self._place(key, live)
            come.append(match)
        return come, gone

    def replace(self, ends: Collection[Event], candidates: list[Match]) -> tuple[list[Match], list[Match]]:
        """Takes in what was found anew for a range of end events, in place of what was live there.

        Returns:
            What is live now and was not; what was and is no more.
        """
        old = {}
        for end in ends:
            for key in list(self._by_end.get(end.ordinal, ())):
                match = old[key] = self.live[key].match
                self._remove(key, match)
        joined, displaced = self.join(sorted(candidates, key=_size))
        new = {m.key(): m for m in joined}
        come = [m for k, m in new.items() if k not in old]
        return come, [m for k, m in old.items() if k not in new] + displaced

    def __len__(self) -> int:
        return len(self.live)

    def ending(self, end: Event) -> list[Match]:
        """The live matches with an end event."""
        return [self.live[k].match for k in self._by_end.get(end.ordinal, ())]

    def forget(self, before: int) -> None:
        """Drops what starts before a `t_gen`, in microseconds."""
        for start in [start for start, t_gen in self._start_times.items() if t_gen < before]:
            for key in list(self._by_start[start]):
                self._remove(key, self.live[key].match)

    def restore(self) -> None:
        """The table is filled: finds what follows from it."""
        for key, live in self.live.items():
            self._place(key, live)

    def _rivals_of(self, match: Match, shared: tuple[int, ...]) -> Collection[Match]:
        """The matches that may contain a match, or be contained in it."""
        rivals = self._rivals.get(shared)
        if rivals is None:
            return ()
        if not self._sought:
            return rivals.values()
        # Of two matches one of which contains the other, either starts within the other's window; one begins
        # no earlier than the other, and ends no later.
        begin, end = match.start.t_gen, match.end.t_gen
        low = bisect_left(self._in_time, (end - self._within, 0))
        high = bisect_left(self._in_time, (end + 1, 0), low)
        return [
            rivals[key]
            for time, start in self._in_time[low:high]
            for key in self._by_start[start]
            if time >= begin or rivals[key].end.t_gen >= end
        ]

    def _shared(self, match: Match) -> tuple[int, ...]:
        """The events that a match has in common with what it contains."""
        firsts = []
        for k in self._common:
            group = match.groups[k]
            firsts.append((group.first if isinstance(group, Range) else group[0]).ordinal)
        if not self._across_starts and 0 not in self._common:
            firsts.append(match.start.ordinal)
        return tuple(firsts)

    def _place(self, key: Key, live: Live) -> None:
        match, start, shared = live
        first = match.start
        if self._sought and start not in self._start_times:
            insort(self._in_time, (first.t_gen, start))
        self._start_times[start] = first.t_gen
        self._by_start.setdefault(start, {})[key] = None
        self._rivals.setdefault(shared, {})[key] = match
        self._by_end.setdefault(match.end.ordinal, {})[key] = None

    def _remove(self, key: Key, match: Match) -> None:
        _, start, shared = self.live.pop(key)
        del self._by_start[start][key]
        if not self._by_start[start]:
            del self._by_start[start]
            placed = (self._start_times.pop(start), start)
            if self._sought:
                del self._in_time[bisect_left(self._in_time, placed)]
        del self._rivals[shared][key]
        if not self._rivals[shared]:
            del self._rivals[shared]
        end = match.end.ordinal
        self._by_end[end].pop(key, None)
        if not self._by_end[end]:
            del self._by_end[end]


def _size(match: Match) -> int:
    """For the largest first: none of them then displaces another."""
    return -sum(map(len, match.groups))
