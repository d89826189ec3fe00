"""The outbox: records that are committed, and on their way to the sinks."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from limecep.contracts.state import Row
from limecep.errors import RunFailure
from limecep.state.json_values import decode, encode

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limecep.contracts.state import StateStore
    from limecep.output.outlets import Outlet
    from limecep.output.record import Record
    from limecep.state.book import Numbers

#: What the names of its rows begin with; the name of the sink follows.
PREFIX = "outbox/"

#: How many records are held until they are sent; what is more is read from the state again.
HELD_RECORDS = 50_000


class Outbox:
    """Takes records for sinks, and hands them on once they are committed. What a crash leaves in it is sent
    again as it is: a batch that is done again could be told otherwise.

    Args:
        store: Where it is kept.
        numbers: Gives rows their numbers.
        outlets: The sinks.
    """

    def __init__(self, store: StateStore, numbers: Numbers, outlets: Sequence[Outlet]) -> None:
        self._store = store
        self._numbers = numbers
        self._outlets = outlets
        self._rows: dict[str, list[int]] = {outlet.name: [] for outlet in outlets}
        # None where there are too many to be held.
        self._held: dict[str, list[Sequence[Record]] | None] = {outlet.name: [] for outlet in outlets}
        #: How many records there are.
        self.count = 0
        for outlet in outlets:
            outlet.post = partial(self._put, outlet.name)

    def __len__(self) -> int:
        return sum(map(len, self._rows.values()))

    def _put(self, name: str, records: Sequence[Record]) -> None:
        number = self._numbers.next()
        self._store.put([Row(number, PREFIX + name, encode(records))])
        self._rows[name].append(number)
        self.count += len(records)
        held = self._held[name]
        if self.count > HELD_RECORDS:
            self._held[name] = None
        elif held is not None:
            held.append(records)

    def recall(self, rows: Iterator[Row]) -> int:
        """Finds what a crash, or a stop, has left; says how many records that are.

        Raises:
            RunFailure: Some are for a sink that is no more.
        """
        for row in rows:
            name = row.name.removeprefix(PREFIX)
            if name == row.name:
                continue
            if name not in self._rows:
                raise RunFailure(
                    f"the state has records for the sink '{name}', which the pipeline no longer has: give it "
                    "back for one run, or drop the state with 'limecep state reset'"
                )
            self._rows[name].append(row.number)
            self._held[name] = None
            self.count += len(decode(row.value))
        return self.count

    def deliver(self, batch: str) -> list[int]:
        """Sends everything, and returns when the sinks have it; gives the rows that are done with.

        Args:
            batch: What the batch is called that all of it belongs to.

        Raises:
            RunFailure: A sink cannot take it.
        """
        done: list[int] = []
        for outlet in self._outlets:
            rows = self._rows[outlet.name]
            if not rows:
                continue
            if outlet.begin(batch):
                for records in self._records(outlet.name, rows):
                    outlet.pass_on(records)
                outlet.flush()
            done += rows
            self._rows[outlet.name], self._held[outlet.name] = [], []
        self.count = 0
        return done

    def _records(self, name: str, rows: Sequence[int]) -> Iterator[Sequence[Record]]:
        held = self._held[name]
        if held is not None:
            yield from held
            return
        wanted = {*rows}
        for row in self._store.rows(PREFIX + name):
            if row.number in wanted:
                yield decode(row.value)
