"""Deadlines: end events that are looked at when time has come so far."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Any, ClassVar

from limecep.contracts.tables import Form
from limecep.model.time import FOREVER

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from limecep.contracts.tables import Tables
    from limecep.model.event import Event
    from limecep.store.view import View
    from limecep.store.views import Views


#: Where little was gone, an end event is looked at as a whole again after it was looked at in vain so often,
#: or once for so many of the times that are left: that costs about as much.
_PATIENCE = 8

#: The queue is cleared of what waits no more when that is most of it, and so much.
_CLEAR_AT = 1024


class _Waiting:
    __slots__ = ("dues", "end", "misses", "patience", "view")

    def __init__(self, end: Event, view: View) -> None:
        self.end = end
        self.view = view
        self.dues: set[int] = set()
        self.misses = 0
        self.patience = 1


class Deadlines:
    """End events in the order in which they are due; one is kept once for one time.

    Args:
        tables: Makes their table.
        name: Of the table.

    Attributes:
        known: The end events, by when they are due and their ordinal.
        first: The earliest time something is due at; FOREVER if nothing is.
    """

    #: They follow from what is known.
    transient: ClassVar[frozenset[str]] = frozenset({"first", "queue", "due", "waiting"})

    def __init__(self, tables: Tables, name: str) -> None:
        self.known: dict[tuple[int, int], Event] = tables.table(name, Form(lambda key, _: key, _read))
        self.first = FOREVER
        #: When something is due, and perhaps when something was that is gone, as a heap.
        self._queue: list[int] = []
        #: What is due at each of these times: the ordinals.
        self._due: dict[int, set[int]] = {}
        self._waiting: dict[int, _Waiting] = {}

    def __len__(self) -> int:
        return len(self.known)

    def add(self, due: int, end: Event, view: View) -> None:
        """An end event is to be looked at when a time has strictly passed, in microseconds."""
        if (due, end.ordinal) not in self.known:
            self.known[due, end.ordinal] = end
            self._wait(due, end, view)

    def _wait(self, due: int, end: Event, view: View) -> None:
        waiting = self._waiting.get(end.ordinal)
        if waiting is None:
            waiting = self._waiting[end.ordinal] = _Waiting(end, view)
        waiting.dues.add(due)
        ordinals = self._due.get(due)
        if ordinals is None:
            ordinals = self._due[due] = set()
            heappush(self._queue, due)
        ordinals.add(end.ordinal)
        if due < self.first:
            self.first = due

    def keep(self, end: Event, dues: Collection[int]) -> None:
        """An end event is to be looked at no more but at some of the times."""
        waiting = self._waiting.get(end.ordinal)
        if waiting is None:
            return
        gone = waiting.dues.difference(dues)
        left = len(waiting.dues) - len(gone)
        waiting.misses, waiting.patience = 0, 1 if left < len(gone) else max(_PATIENCE, left // _PATIENCE)
        for due in gone:
            ordinals = self._due[due]
            ordinals.discard(end.ordinal)
            if not ordinals:
                del self._due[due]
            self._leave(due, end.ordinal)
        if self.first not in self._due:
            self._find_first()

    def missed(self, end: Event) -> bool:
        """What an end event was looked at for was gone. Says whether to find out now what else of it is gone:
        at first, and then where much is by the look of it."""
        waiting = self._waiting.get(end.ordinal)
        if waiting is None:
            return False
        waiting.misses += 1
        return waiting.misses >= waiting.patience

    def restore(self, views: Views) -> None:
        """What the table has waits again.

        Args:
            views: The pattern's views of the store.
        """
        for (due, _), end in self.known.items():
            view = views.of(end)
            assert view is not None
            self._wait(due, end, view)

    def take(self, before: int) -> Iterator[tuple[int, list[tuple[Event, View]]]]:
        """Takes what is due before a time: each time with its end events. More may be added meanwhile."""
        while (due := self.first) < before:
            found = []
            for ordinal in sorted(self._due.pop(due)):
                waiting = self._leave(due, ordinal)
                found.append((waiting.end, waiting.view))
            self._find_first()
            yield due, found

    def _leave(self, due: int, ordinal: int) -> _Waiting:
        del self.known[due, ordinal]
        waiting = self._waiting[ordinal]
        waiting.dues.discard(due)
        if not waiting.dues:
            del self._waiting[ordinal]
        return waiting

    def _find_first(self) -> None:
        """Something has left: finds what is due first of the rest."""
        if len(self._queue) > 2 * len(self._due) + _CLEAR_AT:
            self._queue = list(self._due)
            heapify(self._queue)
        while self._queue and self._queue[0] not in self._due:
            heappop(self._queue)
        self.first = self._queue[0] if self._queue else FOREVER

    def drop(self, before: int) -> list[Event]:
        """Takes out the end events with `t_gen` before a time, whatever they wait for; gives each once."""
        dropped = [w.end for w in self._waiting.values() if w.end.t_gen < before]
        for end in dropped:
            self.keep(end, ())
        return dropped


def _read(value: Any, events: Mapping[int, Event]) -> tuple[tuple[int, int], Event]:
    due, ordinal = value
    return (due, ordinal), events[ordinal]
