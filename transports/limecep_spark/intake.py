"""In the workers: what sources give to rows, an event for each key that it concerns."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pyarrow as pa

from limecep.output.render import late_record
from limecep.state.writing import encode, event_out
from limecep_spark.work import ASIDE, OVER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from limecep.model.event import Event
    from limecep_spark.reading.contract import Reading
    from limecep_spark.work import Work

#: The number in place of a source's for the end of all input.
BELL = -1

#: A row for workers: what came to a key, when, and its place among what came then.
ROWS = "key string, body binary, arrived long, source int, number long"
_ROWS = pa.schema(
    [
        ("key", pa.string()),
        ("body", pa.binary()),
        ("arrived", pa.int64()),
        ("source", pa.int32()),
        ("number", pa.int64()),
    ]
)
#: How far event time has come, in microseconds.
TICKS = "t_gen long"
_TICKS = pa.schema([("t_gen", pa.int64())])


class Intake:
    """Takes in what a source gives.

    Args:
        work: The pipeline.
        number: The source's place in it.
        reading: How it is read.
    """

    def __init__(self, work: Work, number: int, reading: Reading) -> None:
        self._work = work
        self._number = number
        self._reading = reading
        self._source = work.config.sources[number]

    def rows(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Rows for all keys, of raw records."""
        source, groups = self._source, self._work.groups
        outcomes: Counter[str] = Counter()
        read: Counter[str] = Counter()
        number = 0
        for fed, arrivals in self._reading.pieces(batches, read, timed=False):
            rows = []
            for i in fed.invalid:
                outcomes["invalid"] += 1
                late = late_record("invalid", source=i.source, position=i.position, raw=i.raw, error=i.error)
                rows.append((ASIDE, encode(["late", late]), 0, self._number, number))
            for event, position, arrived in zip(fed.events, fed.positions, arrivals, strict=True):
                number += 1
                if self._from_the_future(event):
                    outcomes["future"] += 1
                    late = late_record("future", source=event.source, position=position, event=event)
                    rows.append((ASIDE, encode(["late", late]), 0, self._number, number))
                    continue
                keys = [key for group in groups if (key := group.key(event)) is not None]
                if not keys:
                    outcomes["irrelevant"] += 1
                    continue
                body = encode([event_out(event), position])
                rows += [(key, body, arrived, self._number, number) for key in keys]
            if rows:
                yield _batch(rows)
        if outcomes or read:
            counted = {"sources": {source.name: outcomes}, "read": {source.name: read}}
            yield _batch([(ASIDE, encode(["counts", counted]), 0, self._number, number)])

    def ticks(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """How far event time comes by raw records."""
        latest = [
            max(times)
            for fed, _ in self._reading.pieces(batches, Counter(), timed=True)
            if (times := [e.t_gen for e in fed.events if not self._from_the_future(e)])
        ]
        if latest:
            # A wrong stamp is not to end the input.
            told = min(max(latest), OVER - 1000)
            yield pa.RecordBatch.from_arrays([pa.array([told], pa.int64())], schema=_TICKS)

    def _from_the_future(self, event: Event) -> bool:
        skew = self._source.max_future_skew
        return skew is not None and event.t_gen > event.t_arr + skew


def _batch(rows: Sequence[tuple[str, bytes, int, int, int]]) -> pa.RecordBatch:
    columns = zip(*rows, strict=True)
    arrays = [pa.array(c, field.type) for c, field in zip(columns, _ROWS, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=_ROWS)
