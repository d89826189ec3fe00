"""Groups that are ranges of their lane (skip-till-next-match): which of them end with an event.

From its first event on such a group takes every event, so it is known by its first and its last one, and what
is asked of it needs no run of its own: the ranges that end with an event are found all at once, among the
events that runs began the group with.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from limecep.model.expression import Attribute, Position
from limecep.plan.expressions import references
from limecep.plan.forms import bounded
from limecep.plan.stretch import Stretch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.model.event import Event
    from limecep.plan.plan import Condition
    from limecep.plan.stretch import Book
    from limecep.store.lane import Content
    from limecep_nfa.automaton import Demand
    from limecep_nfa.buffer import Link

_LAST = Position(-1)


class Ranges:
    """The ranges of one step on one view.

    Args:
        demand: What is asked of them.
        step: The step.
        variable: Its variable.
        content: Its lane.
        book: The events of it.
        size: How many steps there are.
    """

    def __init__(
        self, demand: Demand, step: int, variable: str, content: Content, book: Book, size: int
    ) -> None:
        self._least = demand.least
        self._most = demand.most
        self._step = step
        self._content = content
        self._book = book
        self._groups: list[Sequence[Event]] = [()] * size
        self._of_last = [c for c in demand.conditions if _names_the_last_alone(c, variable)]
        self._of_all = [c for c in demand.conditions if c not in self._of_last]
        self._bounds = [b for c in self._of_all if (b := bounded(c.expression)) is not None]
        #: The places in the lane of the events that ranges begin with, and those of their entries.
        self._firsts: list[int] = []
        self._entries: list[int] = []

    def begin(self, place: int, entry: int) -> None:
        """Ranges begin with the event at a place of the lane.

        Args:
            place: The place.
            entry: The place of its entry.
        """
        self._firsts.append(place)
        self._entries.append(entry)

    def ending(self, place: int, floor: int) -> Sequence[int]:
        """The places of the entries at which the ranges begin that end at a place of the lane. Entries
        between them at which no range begins may be among them.

        Args:
            place: The place.
            floor: The order number before which none may begin.
        """
        content, firsts = self._content, self._firsts
        low = bisect_left(content.order, floor)
        i = bisect_left(firsts, max(low, place - self._most + 1))
        j = bisect_right(firsts, place - self._least + 1)
        groups, step = self._groups, self._step
        if self._of_last and i < j:
            groups[step] = (content.events[place],)
            for condition in self._of_last:
                if not condition.holds(groups):
                    return ()
        if i >= j:
            return ()
        entries = self._entries
        if not self._of_all:
            return range(entries[i], entries[j - 1] + 1)
        found = []
        for first in self._book.within(self._bounds, firsts[i:j], place + 1):
            groups[step] = Stretch(self._book, first, place + 1)
            for condition in self._of_all:
                if not condition.holds(groups):
                    break
            else:
                found.append(entries[bisect_left(firsts, first, i)])
        if len(found) == j - i:
            return range(found[0], found[-1] + 1)
        return found

    def trim(self, entry: int) -> None:
        """Lets go of the ranges that begin with entries before a place."""
        cut = bisect_left(self._entries, entry)
        del self._firsts[:cut], self._entries[:cut]


class Openings:
    """The entries at which the ranges of one step begin, where nothing is asked of these.

    Args:
        source: The state that all of them come from, where the entries of it that one comes from stand behind
            those that an earlier one comes from; None where there may be others.
        first: Whether all of them begin runs.
    """

    def __init__(self, source: int | None, *, first: bool) -> None:
        self._source = source
        self._begin_runs = first
        self._entries: list[int] = []
        #: The places of their events in the lane.
        self._places: list[int] = []
        #: The places of the first and the last entry that each comes from.
        self._first: list[int] = []
        self._last: list[int] = []

    def add(self, entry: int, place: int, links: Sequence[Link]) -> None:
        """Ranges begin with an entry.

        Args:
            entry: Its place.
            place: The place of its event in the lane.
            links: Where its runs come from.
        """
        self._entries.append(entry)
        self._places.append(place)
        for source, places in links:
            if source == self._source:
                self._first.append(places[0])
                self._last.append(places[-1])

    def until(self, place: int, starts: range, sources: Sequence[range | None]) -> list[int]:
        """The places of the entries at which the ranges begin that end at a place of the lane.

        Args:
            place: The place.
            starts: The places of entries with which runs may begin.
            sources: By state, the places of the entries that runs may come from; None for any.
        """
        i, j = bisect_left(self._entries, starts.start), bisect_right(self._places, place)
        if self._begin_runs:
            return self._entries[i : min(j, bisect_left(self._entries, starts.stop))]
        wanted = None if self._source is None else sources[self._source]
        if wanted is not None:
            i = max(i, bisect_left(self._last, wanted.start))
            j = min(j, bisect_left(self._first, wanted.stop))
        return self._entries[i:j]

    def trim(self, entry: int) -> None:
        """Lets go of the ranges that begin with entries before a place."""
        cut = bisect_left(self._entries, entry)
        for known in (self._entries, self._places, self._first, self._last):
            del known[:cut]


def _names_the_last_alone(condition: Condition, variable: str) -> bool:
    """Whether all that a condition says of a group is about its last event."""
    return all(
        isinstance(r, Attribute) and r.index == _LAST
        for r in references(condition.expression)
        if r.variable == variable
    )
