"""In the workers: files to rows, an event for each key that it concerns."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import pyarrow as pa

from limecep.assembly import Assembly
from limecep.clock import ManualClock
from limecep.feeding import Fed
from limecep.output.render import late_record
from limecep.pipeline import PATIENCE
from limecep.state.writing import encode, event_out
from limecep_spark.work import ASIDE, OVER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from limecep.config.model import SourceConfig
    from limecep.feeding import Feed
    from limecep.model.event import Event
    from limecep_spark.work import Work

#: What is read: a file of a source; a source of the number BELL stands for the end of all input.
FILES = "source int, path string"
BELL = -1

#: A row for workers: what came to a key, and how far event time has come by it, in microseconds.
ROWS = "key string, body binary, t_gen long"
_ROWS = pa.schema([("key", pa.string()), ("body", pa.binary()), ("t_gen", pa.int64())])
#: How many events are gathered before they are sent on: those of one key in one row.
_GATHERED = 100_000
#: Before any time.
_NEVER = 0


class Intake:
    """Reads files of a pipeline's sources.

    Args:
        work: The pipeline.
    """

    def __init__(self, work: Work) -> None:
        self._work = work

    def rows(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Rows for all keys, of batches of files."""
        for number, path in _files(batches):
            if number == BELL:
                yield _batch({ASIDE: [encode(["over"])]}, OVER)
            else:
                yield from self._rows(number, path)

    def _rows(self, source_number: int, path: str) -> Iterator[pa.RecordBatch]:
        source, groups = self._work.config.sources[source_number], self._work.groups
        counts: Counter[str] = Counter()
        number = gathered = 0
        latest = _NEVER
        rows: defaultdict[str, list[bytes]] = defaultdict(list)
        for fed, arrivals in _read(self._feed(source, path)):
            for i in fed.invalid:
                counts["invalid"] += 1
                late = late_record("invalid", source=i.source, position=i.position, raw=i.raw, error=i.error)
                rows[ASIDE].append(encode(["late", late]))
            for event, position, arrived in zip(fed.events, fed.positions, arrivals, strict=True):
                number += 1
                if _from_the_future(event, source):
                    counts["future"] += 1
                    late = late_record("future", source=event.source, position=position, event=event)
                    rows[ASIDE].append(encode(["late", late]))
                    continue
                latest = max(latest, event.t_gen)
                keys = [key for group in groups if (key := group.key(event)) is not None]
                if not keys:
                    counts["irrelevant"] += 1
                    continue
                body = encode([event_out(event), position, arrived, source_number, number])
                for key in keys:
                    rows[key].append(body)
            gathered += len(fed.events) + len(fed.invalid)
            if gathered >= _GATHERED:
                yield _batch(rows, latest)
                rows.clear()
                gathered = 0
        counted = {"sources": {source.name: counts}, "files": {source.name: 1}}
        rows[ASIDE].append(encode(["counts", counted]))
        yield _batch(rows, latest)

    def _feed(self, source: SourceConfig, path: str) -> Feed:
        """The feed of one file."""
        channel = _channel(source, path, self._work.config.root)
        config = replace(self._work.config, sources=(replace(source, channel=channel),))
        (feed,) = Assembly(config, self._work.registry, ManualClock(), self._work.logger).feeds()
        return feed


def _read(feed: Feed) -> Iterator[tuple[Fed, Sequence[int]]]:
    """All that a feed gives, with the times of arrival."""
    feed.open()
    try:
        reached = 0
        for part in feed.parts:
            while part.open or part.ready:
                invalid = part.fill(PATIENCE)
                fed, arrivals = part.take()
                reached = part.reached
                yield Fed(fed.events, fed.positions, invalid), arrivals
        rest = feed.finish()
        yield rest, [max(reached, e.t_arr) for e in rest.events]
    finally:
        feed.close()


def _files(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[int, str]]:
    for batch in batches:
        columns: list[list[Any]] = [batch.column(name).to_pylist() for name in ("source", "path")]
        yield from zip(*columns, strict=True)


def _batch(rows: Mapping[str, Sequence[bytes]], latest: int) -> pa.RecordBatch:
    """Rows of values of JSON, by key.

    Args:
        rows: The values for each key.
        latest: The latest `t_gen` there was; a wrong stamp is not to end the input.
    """
    bodies = [b"[" + b",".join(values) + b"]" for values in rows.values()]
    times = pa.repeat(pa.scalar(latest if latest == OVER else min(latest, OVER - 1000)), len(rows))
    return pa.RecordBatch.from_arrays(
        [pa.array(list(rows)), pa.array(bodies, pa.binary()), times], schema=_ROWS
    )


def _from_the_future(event: Event, source: SourceConfig) -> bool:
    return source.max_future_skew is not None and event.t_gen > event.t_arr + source.max_future_skew


def _channel(source: SourceConfig, path: str, root: Path) -> str:
    """What a file is called in one process, too: as the source's channel is, below its root or not."""
    file = path.removeprefix("file:") if not path.startswith("file://") else unquote(urlsplit(path).path)
    if Path(source.channel).is_absolute():
        return file
    return os.path.relpath(file, root / source.connector.options.root)
