"""The shared buffer: every event of every run once for each state, however many runs have it.

An entry stands for all runs that came to a state with an event and go on alike from there. It does not list
them: it points at the entries they may have come from, so a run is a way back from entry to entry until one
where runs begin. Runs with a common beginning share its entries, and runs that come together share what
follows: the buffer grows with the events, not with the runs.

Where SASE's buffer writes versions on its pointers, to keep apart runs that pass through one entry, a pointer
here says which of the earlier entries it leads to, by their places.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

import msgspec

from limecep.plan.stretch import Stretch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limecep.model.event import Event
    from limecep.plan.stretch import Book

#: Where an entry comes from: the number of a state, and places of entries there, ascending.
Link = tuple[int, "Sequence[int]"]

#: The events of a group, the last one first: it, the rest, its place in the lane, and the place of the first
#: one if no event of the lane is left out between them, else -1. Longer groups share the rest with shorter
#: ones.
Chain = tuple["Event", "Chain | None", int, int]


class Entry(msgspec.Struct, gc=False, eq=False, frozen=True):
    """The runs that came to a state with an event and go on alike.

    Attributes:
        event: The event they took last.
        order: Its order number.
        place: Its place in the lane of the step.
        step: The step.
        begins: Whether one of them begins here.
        start: None of them begins later than at this order number.
        links: Where the others come from.
        firsts: Where the groups that end here are ranges that are found all at once (`limecep_nfa.ranges`),
            the places of the entries that they begin at; else None. Links and `begins` are then of the group
            that begins here.
        group: Where conditions look back, the events these runs have for the step; else None.
        before: Where conditions look back to earlier steps, the entry at which the runs left the group
            before; else None.
        fork: The entry from which on they have been told from others, so that they went on by themselves;
            None if they still are what links and `begins` say.
    """

    event: Event
    order: int
    place: int
    step: int
    begins: bool
    start: int
    links: tuple[Link, ...]
    firsts: Sequence[int] | None = None
    group: Chain | None = None
    before: Entry | None = None
    fork: Entry | None = None

    @property
    def size(self) -> int:
        """How much it holds: what a range of places saves counts."""
        return 1 if self.firsts is None or isinstance(self.firsts, range) else 1 + len(self.firsts)

    def known(self, books: Sequence[Book]) -> list[Sequence[Event]]:
        """The groups of all steps, as far as conditions look back; the others empty.

        Args:
            books: The events of the lanes of the steps.
        """
        groups: list[Sequence[Event]] = [()] * len(books)
        entry: Entry | None = self
        while entry is not None:
            groups[entry.step] = unrolled(entry.group, books[entry.step])
            entry = entry.before
        return groups


def longer(chain: Chain | None, event: Event, place: int) -> Chain:
    """A chain with one event more, at a place of the lane."""
    if chain is None:
        return event, None, place, place
    return event, chain, place, chain[3] if chain[2] == place - 1 else -1


def unrolled(chain: Chain | None, book: Book) -> Sequence[Event]:
    """The events of a chain, in order. Where none is left out, that costs nothing."""
    if chain is not None and chain[3] >= 0:
        return Stretch(book, chain[3], chain[2] + 1)
    events = []
    while chain is not None:
        events.append(chain[0])
        chain = chain[1]
    return tuple(reversed(events))


class Stack:
    """The entries of one state, in the order of their events. Places go on counting when old ones leave."""

    __slots__ = ("base", "entries", "orders", "starts")

    def __init__(self) -> None:
        self.base = 0
        self.entries: list[Entry] = []
        self.orders: list[int] = []
        #: The latest start of each entry and those below it.
        self.starts: list[int] = []

    @property
    def stop(self) -> int:
        """The place of the next entry."""
        return self.base + len(self.entries)

    def add(self, entry: Entry) -> None:
        """Puts an entry on top."""
        self.entries.append(entry)
        self.orders.append(entry.order)
        starts = self.starts
        starts.append(max(entry.start, starts[-1]) if starts else entry.start)

    def since(self, order: int) -> int:
        """The place of the first entry with at least this order number."""
        return self.base + bisect_left(self.orders, order)

    def at(self, places: Sequence[int]) -> Iterator[Entry]:
        """The entries at some places, those that have left aside."""
        base, entries = self.base, self.entries
        return (entries[i - base] for i in places if i >= base)

    def start(self, places: Sequence[int]) -> int:
        """An order number that no run begins after which comes from one of some places."""
        return self.starts[places[-1] - self.base]

    def trim(self, before: int) -> int:
        """Lets go of the entries with order numbers below one; says how much they held."""
        cut = bisect_left(self.orders, before)
        held = sum([entry.size for entry in self.entries[:cut]])
        self.base += cut
        del self.entries[:cut], self.orders[:cut], self.starts[:cut]
        return held
