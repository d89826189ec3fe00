"""The ways back through the buffer from the entries of an end event: each is a match."""

from __future__ import annotations

from bisect import bisect_left
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from limecep.model.match import Range
from limecep_nfa.search import LOOK_EVERY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from limecep.model.event import Event
    from limecep.model.match import Group
    from limecep_nfa.buffer import Entry
    from limecep_nfa.runs import Runs

Groups = tuple["Group", ...]

#: The events of a group from some event on, the first one first, and the place of the last one in its lane.
Rest = tuple["Event", "Rest | None", int]


class Ways:
    """The ways back for one end event.

    Args:
        runs: The runs, all events up to the end event read.
        low: The least order number that a match may begin with.
        latest: The greatest, by the step that it begins with.
        raise_if_stopped: As of `Context`.

    Attributes:
        left: How many entries more could have been visited in vain; negative if there was no end to it.
    """

    def __init__(
        self,
        runs: Runs,
        low: int,
        latest: Sequence[int],
        raise_if_stopped: Callable[[], None],
    ) -> None:
        self.left = 0
        self._raise_if_stopped = raise_if_stopped
        self._runs = runs
        self._low = low
        self._latest = latest
        self._ranges = runs.automaton.ranges
        self._starts = _starts(runs, low, latest)

    def matches(
        self,
        ends: Sequence[Entry],
        spared: Callable[[Event], bool] | None,
        holds: Callable[[Groups], bool] | None,
        budget: int,
    ) -> Iterator[Groups]:
        """The groups of every match that ends with one of these entries, each once.

        Args:
            ends: The entries.
            spared: What is to be true of its start; None for nothing.
            holds: What is to be true of a match as a whole; None for nothing.
            budget: How many entries may be visited in vain.
        """
        self.left = budget
        low, states, stacks = self._low, self._runs.automaton.states, self._runs.stacks
        openings = self._runs.openings
        size = len(self._latest)
        # An entry, the groups of later steps, the rest of its own group, and how many events all these are.
        pending: list[tuple[Entry, Groups, Rest | None, int]] = [
            (entry, ((),) * (size - 1 - entry.step), None, 1) for entry in ends
        ]
        steps = 0
        while pending:
            self.left -= 1
            if self.left < 0:
                return
            steps += 1
            if not steps % LOOK_EVERY:
                self._raise_if_stopped()
            entry, tail, rest, length = pending.pop()
            step = entry.step
            plain = openings[step] is not None
            if rest is None and (plain or entry.firsts is not None):
                last = (entry.event, None, entry.place)
                pending += [(e, tail, last, length + 1) for e in self._beginnings(entry)]
                continue
            rest = (entry.event, rest, entry.place if rest is None else rest[2])
            from_here: Groups | None = None
            if (
                entry.begins
                and low <= entry.order <= self._latest[step]
                and (spared is None or spared(entry.event))
            ):
                from_here = (self._group(entry, rest), *tail)
                groups = (*((),) * step, *from_here)
                if holds is None or holds(groups):
                    # What leads to a match was not in vain.
                    self.left += length
                    yield groups
            for source, places in entry.links:
                source_step = states[source].step
                if plain and source_step == step:
                    # That is for the range that begins there.
                    continue
                starts = self._starts[source]
                if starts is not None and isinstance(places, range):
                    places = range(max(places.start, starts.start), min(places.stop, starts.stop))
                before = [e for e in stacks[source].at(places) if e.start >= low]
                if source_step == step:
                    pending += [(e, tail, rest, length + 1) for e in before]
                elif before:
                    if from_here is None:
                        from_here = (self._group(entry, rest), *tail)
                    further = (*((),) * (step - source_step - 1), *from_here)
                    pending += [(e, further, None, length + 1) for e in before]

    def _beginnings(self, entry: Entry) -> list[Entry]:
        """The entries at which the ranges begin that end with one, as far as they are in the window."""
        state = self._runs.automaton.by_step[entry.step][0]
        stack, firsts = self._runs.stacks[state.number], entry.firsts
        start, stop = stack.since(self._low), stack.since(self._latest[entry.step] + 1)
        openings = self._runs.openings[entry.step]
        if openings is not None:
            return [*stack.at(openings.until(entry.place, range(start, stop), self._starts))]
        assert firsts is not None
        if state.transitions:
            return [e for e in stack.at(firsts) if e.order >= self._low]
        if isinstance(firsts, range):
            return [*stack.at(range(max(start, firsts.start), min(stop, firsts.stop)))]
        return [*stack.at(firsts[bisect_left(firsts, start) : bisect_left(firsts, stop)])]

    def _group(self, first: Entry, rest: Rest) -> Group:
        """The group that begins with an entry's event."""
        if self._ranges[first.step]:
            content = self._runs.contents[first.step]
            return Range(content, first.place, rest[2] + 1, len(content.late))
        events = []
        following: Rest | None = rest
        while following is not None:
            events.append(following[0])
            following = following[1]
        return tuple(events)

    def count(self, ends: Sequence[Entry]) -> int:
        """How many matches end with these entries.

        Instead of going each way, it takes to every entry how many ways lead there from the end.
        """
        counting = _Counting(self._runs, self._low, self._latest)
        for entry in ends:
            counting.go_back(entry, 1)
        counting.go_all_back()
        return counting.total


def _starts(runs: Runs, low: int, latest: Sequence[int]) -> list[range | None]:
    """By state that runs do nothing but begin in, the places of what may begin a match; None for others."""
    return [
        None
        if s.transitions or s.demand is not None
        else range(stack.since(low), stack.since(latest[s.step] + 1))
        for s, stack in zip(runs.automaton.states, runs.stacks, strict=True)
    ]


class _Counting:
    """How many ways back lead to the entries of each state, and to how many matches those that were gone to
    their end amount."""

    def __init__(self, runs: Runs, low: int, latest: Sequence[int]) -> None:
        self.total = 0
        self._states = runs.automaton.states
        self._stacks = runs.stacks
        self._low = low
        self._latest = latest
        self._led = [_Led() for _ in runs.stacks]
        #: By step, the same of the entries at which its ranges begin.
        self._begun = [_Led() for _ in runs.contents]
        self._starts = _starts(runs, low, latest)

    def go_back(self, entry: Entry, ways: int) -> None:
        """So many ways lead to an entry: they lead on to those before it."""
        entry = entry.fork or entry
        if entry.firsts is not None:
            self._begun[entry.step].add_all(entry.firsts, ways)
        else:
            self._go_on(entry, ways)

    def _go_on(self, entry: Entry, ways: int) -> None:
        """So many ways lead to the begin of a group at an entry, or to an entry that is one of its group."""
        for source, places in entry.links:
            starts = self._starts[source]
            if starts is None or not isinstance(places, range):
                self._led[source].add_all(places, ways)
            else:
                begun = min(places.stop, starts.stop) - max(places.start, starts.start)
                if begun > 0:
                    self.total += ways * begun
        if entry.begins and self._low <= entry.order <= self._latest[entry.step]:
            self.total += ways

    def go_all_back(self) -> None:
        """Goes on with all that lead anywhere, to the end. States only lead to earlier ones, entries to older
        ones."""
        for state in reversed(self._states):
            stack = self._stacks[state.number]
            oldest = max(stack.base, stack.since(self._low))
            for place, ways in self._led[state.number].downwards(oldest):
                self.go_back(stack.entries[place - stack.base], ways)
            if state.demand is not None:
                for place, ways in self._begun[state.step].downwards(oldest):
                    self._go_on(stack.entries[place - stack.base], ways)


class _Led:
    """How many ways lead to the entries of one state: at which places, going down, there are more and after
    which fewer."""

    __slots__ = ("_closed", "_opened", "_tops")

    def __init__(self) -> None:
        self._opened: dict[int, int] = {}
        self._closed: dict[int, int] = {}
        #: The places where there are more, negative, as a heap.
        self._tops: list[int] = []

    def add_all(self, places: Sequence[int], ways: int) -> None:
        """So many ways more lead to each of some places."""
        if isinstance(places, range):
            if places:
                self._add(places.start, places.stop - 1, ways)
        else:
            for place in places:
                self._add(place, place, ways)

    def _add(self, first: int, last: int, ways: int) -> None:
        opened, closed = self._opened, self._closed
        if last in opened:
            opened[last] += ways
        else:
            opened[last] = ways
            heappush(self._tops, -last)
        closed[first] = closed.get(first, 0) + ways

    def downwards(self, oldest: int) -> Iterator[tuple[int, int]]:
        """The places that ways lead to, and how many do, the last one first. More may be added on the way, to
        lower places."""
        opened, closed, tops = self._opened, self._closed, self._tops
        ways, place = 0, 0
        while tops or ways:
            if tops and (not ways or tops[0] == -place):
                place = -heappop(tops)
                ways += opened[place]
            if place < oldest:
                return
            yield place, ways
            ways -= closed.get(place, 0)
            place -= 1
