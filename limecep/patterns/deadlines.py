"""Deadlines: end events that are looked at when time has come so far."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

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
        # With entries that are known no more.
        self._heap: list[tuple[int, int, Event, View]] = []
        self._dues: dict[int, set[int]] = {}
        self.known: dict[tuple[int, int], Event] = {}

    def __len__(self) -> int:
        return len(self.known)

    @property
    def first(self) -> int:
        """The earliest time something is due at; FOREVER if nothing is."""
        heap = self._heap
        while heap and heap[0][:2] not in self.known:
            heapq.heappop(heap)
        return heap[0][0] if heap else FOREVER

    def add(self, due: int, end: Event, view: View) -> None:
        """An end event is to be looked at when a time has strictly passed, in microseconds."""
        if (due, end.ordinal) not in self.known:
            self.known[due, end.ordinal] = end
            self._dues.setdefault(end.ordinal, set()).add(due)
            heapq.heappush(self._heap, (due, end.ordinal, end, view))

    def keep(self, end: Event, dues: Collection[int]) -> None:
        """An end event is to be looked at no more but at some of the times."""
        for due in self._dues.get(end.ordinal, set()).difference(dues):
            self._remove(due, end.ordinal)

    def put_back(self, views: Views) -> None:
        """What is `known` waits again, although it was not added."""
        for (due, ordinal), end in self.known.items():
            view = views.of(end)
            assert view is not None
            self._dues.setdefault(ordinal, set()).add(due)
            self._heap.append((due, ordinal, end, view))
        heapq.heapify(self._heap)

    def take(self, before: int) -> Iterator[tuple[int, list[tuple[Event, View]]]]:
        """Takes what is due before a time: each time with its end events. More may be added meanwhile."""
        while (due := self.first) < before:
            found = []
            while self.first == due:
                _, ordinal, end, view = heapq.heappop(self._heap)
                self._remove(due, ordinal)
                found.append((end, view))
            yield due, found

    def _remove(self, due: int, ordinal: int) -> None:
        del self.known[due, ordinal]
        dues = self._dues[ordinal]
        dues.discard(due)
        if not dues:
            del self._dues[ordinal]

    def drop(self, before: int) -> list[Event]:
        """Takes out the end events with `t_gen` before a time, whatever they wait for; gives each once."""
        dropped = {ordinal: end for (_, ordinal), end in self.known.items() if end.t_gen < before}
        for end in dropped.values():
            self.keep(end, ())
        return list(dropped.values())
