"""The outbox: records that are committed, and on their way to the sinks."""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from limecep.contracts.state import Row
from limecep.errors import RunFailure
from limecep.model.instants import rfc3339
from limecep.state.json_values import decode, encode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from limecep.contracts.state import StateStore
    from limecep.output.outlets import Outlet
    from limecep.output.record import Record
    from limecep.state.book import Book, Numbers

#: What the names of its rows begin with; the name of the sink follows. And the names of the cells that say
#: which rows are under way to a sink that takes all of a load or nothing.
PREFIX, LOAD = "outbox/", "load/"

#: How many records are held until they are sent; what is more is read from the state again.
HELD_RECORDS = 50_000
#: How many records a sink is handed at a time, or some more.
LOAD_RECORDS = 10_000


class Waiting(NamedTuple):
    """A row that waits.

    Attributes:
        number: Its number.
        since: When it was put there, in microseconds.
        size: How many bytes it has.
        many: How many records.
        records: These; None where they are not held.
    """

    number: int
    since: int
    size: int
    many: int
    records: Sequence[Record] | None


class Load(NamedTuple):
    """What a sink is handed at a time.

    Attributes:
        outlet: The sink.
        name: What the load is called, also after a crash.
        records: The records, in order, as they were put there.
    """

    outlet: Outlet
    name: str
    records: Sequence[Sequence[Record]]

    def carry(self) -> None:
        """Sends it, and returns when the sink has it.

        Raises:
            RunFailure: The sink cannot take it.
        """
        if self.outlet.begin(self.name):
            for records in self.records:
                self.outlet.pass_on(records)
            self.outlet.flush()


class Box:
    """What waits for one sink.

    Args:
        outlet: The sink.

    Attributes:
        rows: The rows, in order.
        under_way: How many of the first it has been handed.
        size: How many bytes all of them have.
        count: How many records.
        dropped: How many records went as there was no room.
    """

    def __init__(self, outlet: Outlet) -> None:
        self.outlet = outlet
        self.rows: deque[Waiting] = deque()
        self.under_way = 0
        self.size = self.count = self.dropped = 0

    @property
    def full(self) -> bool:
        """Whether more waits than may."""
        return self.size > self.outlet.bound.size

    def put(self, row: Waiting) -> None:
        """One more waits."""
        self.rows.append(row)
        self.size += row.size
        self.count += row.many

    def take(self, at: int = 0) -> Waiting:
        """One waits no more."""
        row = self.rows[at]
        del self.rows[at]
        self.size -= row.size
        self.count -= row.many
        return row

    def told(self) -> dict[str, Any]:
        """What waits, and since when, for the report; nothing if nothing does."""
        told: dict[str, Any] = {"dropped": self.dropped} if self.dropped else {}
        if self.rows:
            since = rfc3339(self.rows[0].since)
            told["waiting"] = {"records": self.count, "bytes": self.size, "since": since}
        return told


class Outbox:
    """Takes records for sinks, and hands them on once they are committed. What a crash leaves in it is sent
    again as it is: a batch that is done again could be told otherwise.

    Args:
        store: Where it is kept.
        numbers: Gives rows their numbers.
        book: Has the cells that tell loads after a crash.
        outlets: The sinks.
        now: Gives the time, in microseconds.
    """

    def __init__(
        self,
        store: StateStore,
        numbers: Numbers,
        book: Book,
        outlets: Sequence[Outlet],
        now: Callable[[], int],
    ) -> None:
        self._store = store
        self._numbers = numbers
        self._book = book
        self._now = now
        self.boxes = {outlet.name: Box(outlet) for outlet in outlets}
        #: The last row of a load that a crash may have left under way, by the name of the sink.
        self._left: dict[str, int] = {}
        self._held = 0
        #: Whether something was put there that is not committed.
        self.fresh = False
        for outlet in outlets:
            outlet.post = partial(self._put, self.boxes[outlet.name])

    @property
    def count(self) -> int:
        """How many records wait."""
        return sum(box.count for box in self.boxes.values())

    def _put(self, box: Box, records: Sequence[Record]) -> None:
        number, now = self._numbers.next(), self._now()
        value = encode({"at": now, "records": records})
        self._store.put([Row(number, PREFIX + box.outlet.name, value)])
        self.fresh = True
        held = self._held + len(records) <= HELD_RECORDS
        self._held += len(records) * held
        box.put(Waiting(number, now, len(value), len(records), records if held else None))

    def recall(self, rows: Iterable[Row]) -> int:
        """Finds what a crash, or a stop, has left; says how many records that are.

        Raises:
            RunFailure: Some are for a sink that is no more.
        """
        for row in rows:
            if row.name.startswith(LOAD):
                self._book.found(row)
                self._left[row.name.removeprefix(LOAD)] = decode(row.value)
            if not row.name.startswith(PREFIX):
                continue
            name = row.name.removeprefix(PREFIX)
            if name not in self.boxes:
                raise RunFailure(
                    f"the state has records for the sink '{name}', which the pipeline no longer has: give it "
                    "back for one run, or drop the state with 'limecep state reset'"
                )
            at, records = said(row.value)
            self.boxes[name].put(Waiting(row.number, at or self._now(), len(row.value), len(records), None))
        return self.count

    def drop_oldest(self) -> dict[str, int]:
        """Drops the oldest of what waits for sinks whose outbox is full, where that is wanted; says how many
        records by the name of the sink."""
        dropped: dict[str, int] = {}
        for name, box in self.boxes.items():
            gone = []
            while box.full and box.outlet.bound.drops and len(box.rows) > box.under_way + 1:
                row = box.take(box.under_way)
                gone.append(row.number)
                self._held -= row.many if row.records is not None else 0
                dropped[name] = dropped.get(name, 0) + row.many
            box.dropped += dropped.get(name, 0)
            self._store.delete(gone)
        return dropped

    def assign(self) -> bool:
        """Decides what goes next to the sinks that take all of a load or nothing, and have none under way;
        says whether that has to be committed before they are handed it."""
        decided = False
        for name, box in self.boxes.items():
            if box.outlet.transactional and box.rows and not box.under_way and name not in self._left:
                self._left[name] = box.rows[self._many(box) - 1].number
                self._book.cell(LOAD + name, encode(self._left[name]))
                decided = True
        return decided

    def loads(self, state: str) -> list[Load]:
        """What the sinks are to be handed that have nothing under way.

        Args:
            state: What the state is called: tells its loads from those of others.
        """
        found = []
        for name, box in self.boxes.items():
            if box.under_way or not box.rows:
                continue
            last = self._left.get(name)
            if last is None:
                box.under_way = self._many(box)
            else:
                box.under_way = sum(row.number <= last for row in box.rows)
            if not box.under_way:
                # A crash has left a load that was struck out.
                del self._left[name]
                continue
            rows = [box.rows[n] for n in range(box.under_way)]
            found.append(Load(box.outlet, f"{state}:{rows[-1].number}", self._records(name, rows)))
        return found

    def done(self, load: Load) -> list[int]:
        """A sink has what it was handed: gives the rows that are done with."""
        box = self.boxes[load.outlet.name]
        rows = [box.take() for _ in range(box.under_way)]
        self._held -= sum(row.many for row in rows if row.records is not None)
        box.under_way = 0
        self._left.pop(load.outlet.name, None)
        return [row.number for row in rows]

    def _many(self, box: Box) -> int:
        """How many rows it is handed."""
        records = 0
        for many, row in enumerate(box.rows, start=1):
            records += row.many
            if records >= LOAD_RECORDS:
                return many
        return len(box.rows)

    def _records(self, name: str, rows: Sequence[Waiting]) -> Sequence[Sequence[Record]]:
        if all(row.records is not None for row in rows):
            return [row.records for row in rows if row.records is not None]
        wanted = {row.number for row in rows}
        return [said(row.value)[1] for row in self._store.rows(PREFIX + name) if row.number in wanted]


def said(value: bytes) -> tuple[int, list[Record]]:
    """When a row was put there, 0 if nobody knows, and its records."""
    found = decode(value)
    # Older states have the records alone.
    return (0, found) if isinstance(found, list) else (found["at"], found["records"])
