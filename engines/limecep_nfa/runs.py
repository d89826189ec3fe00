"""The runs of an automaton: events come in order, and each run takes or ignores them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from limecep.model.event import sort_key
from limecep.plan.forms import key
from limecep.plan.stretch import Book
from limecep.plan.values import attribute
from limecep_nfa.buffer import Entry, Link, Stack, longer
from limecep_nfa.policies import POLICIES
from limecep_nfa.ranges import Openings, Ranges
from limecep_nfa.search import LOOK_EVERY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from limecep.model.event import Event
    from limecep.model.pattern import Select
    from limecep.store.lane import Content, Ordering
    from limecep_nfa.automaton import Automaton, State

#: The buffer is looked through for what has left the window when it has this many entries more than it kept.
TRIM_AT = 1024


class Runs:
    """All runs on one view that begin at an order number or later.

    Args:
        automaton: The automaton.
        select: The selection policy.
        steps: The lanes of the steps.
        negations: The lanes of the negated steps.
        stream: Every event of the key, in order; under strict contiguity only.
        ordering: Precedence and the window.
        begin: The first order number.
        most: The most entries there may be where conditions tell runs apart, so that these can be many.
        raise_if_stopped: As of `Context`.

    Attributes:
        begin: From where on the runs are known.
        reached: The order number up to which they have read.
        full: Whether there were more. Runs went missing, and what is found from here on is not all.
    """

    def __init__(
        self,
        automaton: Automaton,
        select: Select,
        steps: Sequence[Content],
        negations: Sequence[Content],
        stream: Content | None,
        ordering: Ordering,
        begin: int,
        most: int,
        raise_if_stopped: Callable[[], None],
    ) -> None:
        self.automaton = automaton
        self.begin = self.reached = begin
        self.full = False
        self.contents = steps
        self.stacks = [Stack() for _ in automaton.states]
        self._ordering = ordering
        self._most = most
        self._raise_if_stopped = raise_if_stopped
        self._read = [bisect_left(content.order, begin) for content in steps]
        #: The events of the lanes of the steps, as conditions read them.
        self.books = [Book(c.events, first) for c, first in zip(steps, self._read, strict=True)]
        self._edges = [
            [
                POLICIES[select](
                    t,
                    self.stacks[t.source],
                    state.step,
                    self.books,
                    [negations[n] for n in t.gaps],
                    ordering,
                    stream,
                )
                for t in state.transitions
            ]
            for state in automaton.states
        ]
        #: By step, where its groups are ranges that are found all at once.
        self._ranges = [
            None
            if (demand := states[0].demand) is None
            else Ranges(
                demand, k, automaton.alternative.steps[k].variable, steps[k], self.books[k], len(steps)
            )
            for k, states in enumerate(automaton.by_step)
        ]
        #: By step, where its groups are ranges of which nothing is asked, the entries at which these begin.
        self.openings = [
            Openings(_only_source(states[0]), first=_only_begins(states[0])) if states[0].plain else None
            for states in automaton.by_step
        ]
        self._entries = self._looked = 0
        self._trim_at = TRIM_AT

    def read(self, end: Event, order: int, *, alone: bool = False) -> None:
        """Lets the runs take or ignore every event up to an end event, whose greatest order number is given,
        that was not read yet; those of its time too, of which, where it is to stand `alone`, only those that
        come before it by the sort key: they may be in a match with it.

        A step's events are read before those of the next one: no run can tell, for what it takes next depends
        on the step only.
        """
        self.reached = max(self.reached, order)
        if self._entries > self._trim_at:
            self._trim(order)
        least = self._ordering.of(end)
        for step, states in enumerate(self.automaton.by_step):
            content = self.contents[step]
            first = self._read[step]
            self._read[step] = stop = bisect_right(content.order, order, first)
            for place in range(first, stop):
                event = content.events[place]
                if alone and content.order[place] >= least and sort_key(event) > sort_key(end):
                    continue
                # Last state first: what a run takes, it takes once.
                for state in reversed(states):
                    self._come(state, event, content.order[place], place, event is end)

    def at(self, state: State, event: Event) -> Iterator[Entry]:
        """The entries at which runs came to a state with an event."""
        stack = self.stacks[state.number]
        latest = self._ordering.latest(event)
        for entry in stack.entries[stack.since(self._ordering.of(event)) - stack.base :]:
            if entry.order > latest:
                return
            if entry.event is event:
                yield entry

    def _come(self, state: State, event: Event, order: int, place: int, last: bool) -> None:
        """An event comes that the step of a state accepts: the runs that take it come to the state."""
        begins = state.begins is not None and self._begins(state, event)
        links: list[Link] = []
        for edge in self._edges[state.number]:
            places = edge.taken(event, order, place)
            if places:
                links.append((edge.transition.source, places))
        ranges = self._ranges[state.step]
        if not links and not begins and ranges is None:
            return
        if self.full and not last:
            return
        if ranges is not None:
            self._range(state, ranges, event, order, place, links, begins)
            return
        if state.splits:
            links = self._split(state, event, order, place, links)
            if not links and not begins:
                return
        start = order
        if not begins:
            start = max([self.stacks[source].start(places) for source, places in links])
            if start < self._ordering.floor(order):
                return
        openings = self.openings[state.step]
        if openings is not None and (begins or links[0][0] != state.number):
            openings.add(self.stacks[state.number].stop, place, links)
        self._add(
            state,
            Entry(
                event=event,
                order=order,
                place=place,
                step=state.step,
                begins=begins,
                start=start,
                links=tuple(links),
                group=longer(None, event, place) if state.splits else None,
            ),
        )

    def _range(
        self,
        state: State,
        ranges: Ranges,
        event: Event,
        order: int,
        place: int,
        links: list[Link],
        begins: bool,
    ) -> None:
        """An event comes with which a range may begin, and all may end that have begun."""
        stack = self.stacks[state.number]
        floor = self._ordering.floor(order)
        start = order
        if not begins:
            before = [self.stacks[source].start(places) for source, places in links]
            start = max(before + stack.starts[-1:], default=floor - 1)
            if start < floor:
                return
        if links or begins:
            ranges.begin(place, stack.stop)
        firsts = ranges.ending(place, floor)
        if not firsts and not links and not begins:
            return
        self._add(
            state,
            Entry(
                event=event,
                order=order,
                place=place,
                step=state.step,
                begins=begins,
                start=start,
                links=tuple(links),
                firsts=firsts,
            ),
        )

    def _begins(self, state: State, event: Event) -> bool:
        assert state.begins is not None
        if not state.begins.decides:
            return True
        groups: list[Sequence[Event]] = [()] * len(self.contents)
        groups[state.step] = (event,)
        return all(c.allows(groups, state.step) for c in state.begins.decides)

    def _split(self, state: State, event: Event, order: int, place: int, links: list[Link]) -> list[Link]:
        """Makes an entry for each run that conditions may tell from others; gives the links of the rest."""
        rest: list[Link] = []
        floor = self._ordering.floor(order)
        for source, places in links:
            stays = self.automaton.states[source].step == state.step
            if not stays and not state.splits_before:
                rest.append((source, places))
                continue
            stack = self.stacks[source]
            for p in places:
                run = stack.entries[p - stack.base]
                if run.start < floor or (stays and not _are_alike(run.event, event, state.alike)):
                    continue
                before = run.before if stays else run
                self._add(
                    state,
                    Entry(
                        event=event,
                        order=order,
                        place=place,
                        step=state.step,
                        begins=False,
                        start=run.start,
                        links=((source, (p,)),),
                        group=longer(run.group if stays else None, event, place),
                        before=before,
                        fork=run.fork or run,
                    ),
                )
        return rest

    def _add(self, state: State, entry: Entry) -> None:
        self.stacks[state.number].add(entry)
        self._entries += entry.size
        self._looked += 1
        if not self._looked % LOOK_EVERY:
            self._raise_if_stopped()
        self.full = self.full or (self.automaton.looks_back and self._entries >= self._most)

    def _trim(self, order: int) -> None:
        """Lets go of what no end event needs any more. Where a match waits for time, its end event is asked
        about again when it is a window old."""
        self.begin = max(self.begin, self._ordering.floor(self._ordering.floor(order)))
        self._entries -= sum([stack.trim(self.begin) for stack in self.stacks])
        for ranges, states in zip(self._ranges, self.automaton.by_step, strict=True):
            if ranges is not None:
                ranges.trim(self.stacks[states[0].number].base)
        for openings, states in zip(self.openings, self.automaton.by_step, strict=True):
            if openings is not None:
                openings.trim(self.stacks[states[0].number].base)
        self._trim_at = max(TRIM_AT, 2 * self._entries)


def _only_source(state: State) -> int | None:
    """The state that all runs come from which take a first event there, each the next one."""
    ways = [t for t in state.transitions if t.source != state.number]
    if state.begins is not None or len(ways) != 1 or ways[0].near or ways[0].decides:
        return None
    return ways[0].source


def _only_begins(state: State) -> bool:
    """Whether all runs begin which take a first event there."""
    return all(t.source == state.number for t in state.transitions)


def _are_alike(event: Event, other: Event, paths: Sequence[tuple[str, ...]]) -> bool:
    """Whether two events are equal in all of some attributes."""
    for path in paths:
        known = key(attribute(event, path))
        if known is None or known != key(attribute(other, path)):
            return False
    return True
