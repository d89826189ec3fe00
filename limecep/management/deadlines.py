"""Deadlines: end events that are looked at when time has come so far."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep.model.event import Event
    from limecep.store.store import Views
    from limecep.store.view import View

#: After every time.
FOREVER = 1 << 62


class Deadlines:
    """End events in the order in which they are due; one is kept once for one time.

    Attributes:
        known: The end events, by when they are due and their ordinal.
    """

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Event, View]] = []
        self.known: dict[tuple[int, int], Event] = {}

    def __len__(self) -> int:
        return len(self._heap)

    @property
    def first(self) -> int:
        """The earliest time something is due at; FOREVER if nothing is."""
        return self._heap[0][0] if self._heap else FOREVER

    def add(self, due: int, end: Event, view: View) -> None:
        """An end event is to be looked at when a time has strictly passed, in microseconds."""
        if (due, end.ordinal) not in self.known:
            self.known[due, end.ordinal] = end
            heapq.heappush(self._heap, (due, end.ordinal, end, view))

    def put_back(self, views: Views) -> None:
        """What is `known` waits again, although it was not added."""
        for (due, ordinal), end in self.known.items():
            view = views.of(end)
            assert view is not None
            self._heap.append((due, ordinal, end, view))
        heapq.heapify(self._heap)

    def take(self, before: int) -> Iterator[tuple[int, list[tuple[Event, View]]]]:
        """Takes what is due before a time: each time with its end events. More may be added meanwhile."""
        while self._heap and self._heap[0][0] < before:
            due = self._heap[0][0]
            found = []
            while self._heap and self._heap[0][0] == due:
                _, ordinal, end, view = heapq.heappop(self._heap)
                del self.known[due, ordinal]
                found.append((end, view))
            yield due, found

    def drop(self, before: int) -> list[Event]:
        """Takes out the end events with `t_gen` before a time, whatever they wait for; gives each once."""
        dropped = {ordinal: end for _, ordinal, end, _ in self._heap if end.t_gen < before}
        if dropped:
            self._heap = [entry for entry in self._heap if entry[1] not in dropped]
            heapq.heapify(self._heap)
            for name in [name for name in self.known if name[1] in dropped]:
                del self.known[name]
        return list(dropped.values())
