"""In the workers: what sources give to rows, an event for each key that it concerns."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import pyarrow as pa

from limecep.embedding.pipelines import encode, late_record
from limecep.model.event import Statement, event_out
from limecep_spark_runner.groups import bucket_of
from limecep_spark_runner.work import ASIDE, OVER_US

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from limecep.model.event import Event
    from limecep_spark_runner.sources.contract import Pieces
    from limecep_spark_runner.work import Work

#: A row for workers: what came to the keys of a bucket, and how far event time has come by it, in
#: microseconds.
ROWS = "bucket int, body binary, t_gen long"
_ROWS = pa.schema([("bucket", pa.int32()), ("body", pa.binary()), ("t_gen", pa.int64())])
#: How many events are gathered before they are sent on: those of one bucket in one row.
_GATHERED_EVENTS = 100_000
#: Before any time, and the latest that is told: a wrong stamp is not to end the input.
_NEVER_US = 0
_LATEST_US = OVER_US - 1000


class Intake:
    """Takes in what a source gives.

    Args:
        work: The pipeline.
        number: The source's place in it.
        reading: How it is read.
    """

    def __init__(self, work: Work, number: int, reading: Pieces) -> None:
        self._work = work
        self._number = number
        self._reading = reading
        self._source = work.config.sources[number]

    def rows(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Rows for all buckets, of raw records."""
        source, groups, buckets = self._source, self._work.groups, self._work.buckets
        outcomes: Counter[str] = Counter()
        read: Counter[str] = Counter()
        number = gathered = 0
        latest = _NEVER_US
        rows: defaultdict[int, list[bytes]] = defaultdict(list)
        for fed, arrivals in self._reading.pieces(batches, read):
            for i in fed.invalid:
                outcomes["invalid"] += 1
                late = late_record("invalid", source=i.source, position=i.position, raw=i.raw, error=i.error)
                rows[ASIDE].append(encode(["late", late]))
            for event, position, arrived in zip(fed.events, fed.positions, arrivals, strict=True):
                number += 1
                if self._from_the_future(event):
                    outcomes["future"] += 1
                    late = late_record("future", source=event.source, position=position, event=event)
                    rows[ASIDE].append(encode(["late", late]))
                    continue
                if not (isinstance(event, Statement) and event.withdrawn):
                    # That has the time at which it was said, which is no event's.
                    latest = max(latest, event.t_gen)
                keys = [key for group in groups if (key := group.key(event)) is not None]
                if not keys:
                    outcomes["irrelevant"] += 1
                    continue
                body = [event_out(event), position, arrived, self._number, number]
                for key in keys:
                    rows[bucket_of(key, buckets)].append(encode([key, *body]))
            gathered += len(fed.events) + len(fed.invalid)
            if gathered >= _GATHERED_EVENTS:
                yield _batch(rows, min(latest, _LATEST_US))
                rows.clear()
                gathered = 0
        if outcomes or read:
            counted = {"sources": {source.name: outcomes}, "read": {source.name: read}}
            rows[ASIDE].append(encode(["counts", counted]))
        if rows:
            yield _batch(rows, min(latest, _LATEST_US))

    def _from_the_future(self, event: Event) -> bool:
        skew = self._source.max_future_skew
        return skew is not None and event.t_gen > event.t_arr + skew


def _batch(rows: Mapping[int, Sequence[bytes]], latest: int) -> pa.RecordBatch:
    """Rows of values of JSON, by bucket, with the latest `t_gen` there was."""
    bodies = [b"[" + b",".join(values) + b"]" for values in rows.values()]
    times = pa.repeat(pa.scalar(latest), len(rows))
    return pa.RecordBatch.from_arrays(
        [pa.array(list(rows), pa.int32()), pa.array(bodies, pa.binary()), times], schema=_ROWS
    )
