"""Events as rows that Spark sorts, by key and in the order of the semantics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from limecep.embedding.pipelines import encode
from limecep.errors import ConfigurationError, RunFailure
from limecep.model.event import Event, event_out
from limecep.problems import Problem, suggestion

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from limecep_spark_runner.work import Work

#: What sorts the events of a key; of copies the first to arrive comes first.
ORDER = ("t_gen", "seq", "type", "id", "source", "arrived", "number")
#: A row: an event for one key.
SORTED = (
    "key string, body binary, t_gen long, seq long, type string, id string, source string, arrived long, "
    "number long"
)
_SORTED = pa.schema(
    [
        ("key", pa.string()),
        ("body", pa.binary()),
        ("t_gen", pa.int64()),
        ("seq", pa.int64()),
        ("type", pa.string()),
        ("id", pa.string()),
        ("source", pa.string()),
        ("arrived", pa.int64()),
        ("number", pa.int64()),
    ]
)
_NEEDED = ("id", "type", "t_gen")
#: Types of columns that can be attributes of events.
_PLAIN = ("string", "boolean", "tinyint", "smallint", "int", "bigint", "float", "double")


class Rows:
    """In the workers: makes rows of events.

    Args:
        work: The pipeline.
    """

    def __init__(self, work: Work) -> None:
        self._groups = work.groups
        self._number = 0

    def of(self, events: Iterable[Event]) -> Iterator[pa.RecordBatch]:
        """Rows of `SORTED`, for each event one for each key that it concerns."""
        rows: list[tuple[Any, ...]] = []
        for e in events:
            self._number += 1
            keys = [key for group in self._groups if (key := group.key(e)) is not None]
            if keys:
                place = (e.t_gen, e.seq, e.type, e.id, e.source, e.t_arr, self._number)
                body = encode(event_out(e))
                rows += [(key, body, *place) for key in keys]
        if rows:
            columns = zip(*rows, strict=True)
            arrays = [pa.array(c, field.type) for c, field in zip(columns, _SORTED, strict=True)]
            yield pa.RecordBatch.from_arrays(arrays, schema=_SORTED)


def check_table(columns: Sequence[tuple[str, str]]) -> None:
    """Sees that a table has events.

    Args:
        columns: The names of its columns, with their types.

    Raises:
        ConfigurationError: It has not.
    """
    kinds = dict(columns)
    problems = [
        Problem(
            code="unknown-column",
            message=f"the events have no column '{name}'",
            hint=suggestion(name, kinds),
        )
        for name in _NEEDED
        if name not in kinds
    ]
    problems += [
        Problem(
            code="wrong-type",
            message=f"the column '{name}' is {kind}: attributes are numbers, texts, true or false",
        )
        for name, kind in columns
        if kind not in _PLAIN
    ]
    if kinds.get("t_gen", "bigint") not in ("bigint", "int"):
        problems.append(
            Problem(
                code="wrong-type",
                message="the column 't_gen' has no whole microseconds",
                hint="in tables of CSV all columns are text: make one of JSON lines or Parquet, or have a "
                "source of the pipeline read it",
            )
        )
    if problems:
        raise ConfigurationError(problems)


class TableReader:
    """In the workers: rows of a table to rows that can be sorted.

    Args:
        work: The pipeline.
    """

    def __init__(self, work: Work) -> None:
        self._work = work
        self._ranks = {s.name: s.rank or 0 for s in work.config.sources}

    def events(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """A row for each event and key that it concerns.

        Raises:
            RunFailure: An event has no id, type or time, or the pipeline has no such source.
        """
        rows = Rows(self._work)
        for batch in batches:
            yield from rows.of(map(self._event, batch.to_pylist()))

    def _event(self, record: dict[str, Any]) -> Event:
        name, kind, t_gen = record.pop("id"), record.pop("type"), record.pop("t_gen")
        if name is None or kind is None or t_gen is None:
            raise RunFailure(f"an event has no id, no type or no t_gen: {name}, {kind}, {t_gen}")
        arrived = record.pop("t_arr", None)
        source = record.get("source")
        ranks = self._ranks
        if len(ranks) == 1:
            (source,) = ranks
        elif source not in ranks:
            raise RunFailure(f"event {name} is of source {source!r}: the pipeline has {', '.join(ranks)}")
        payload = {attribute: value for attribute, value in record.items() if value is not None}
        t_arr = t_gen if arrived is None else arrived
        return Event(kind, str(name), t_gen, t_arr, source, payload, ranks[source])
