"""Records of the change log, and of the late output, as columns."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import DataFrame

    from limecep.output.record import Events

_EVENT = "STRUCT<type: STRING, id: STRING, time: TIMESTAMP, source: STRING, payload: STRING>"
#: What is in a record of the change log, and what only in one of the late output, by their types in Spark.
_UPDATE = {
    "op": "STRING",
    "match": "STRING",
    "revision": "INT",
    "content": "STRING",
    "pattern": "STRING",
    "key": "MAP<STRING, STRING>",
    "start": "TIMESTAMP",
    "end": "TIMESTAMP",
    "events": f"MAP<STRING, ARRAY<{_EVENT}>>",
    "cause": "STRUCT<kind: STRING, event: STRING>",
    "final": "BOOLEAN",
    "detected": "TIMESTAMP",
    "latency": "DOUBLE",
}
#: The types of values by their kind. What events decide is text: of what is none, as JSON.
_KINDS = {
    "int": "BIGINT", "float": "DOUBLE", "str": "STRING", "bool": "BOOLEAN", "Instant": "TIMESTAMP",
    "": "STRING",
}  # fmt: skip
_NOTHING: Mapping[str, str] = MappingProxyType({})
_LATE = {
    "reason": "STRING",
    "source": "STRING",
    "position": "STRING",
    "event": _EVENT,
    "raw": "STRING",
    "error": "STRING",
    "patterns": "ARRAY<STRING>",
    "score": "DOUBLE",
    "threshold": "DOUBLE",
}


def records(values: DataFrame, events: Events = "full", returned: Mapping[str, str] = _NOTHING) -> DataFrame:
    """Records, which are JSON in the column `value`, as columns: those of the change log, `late` with those
    of the late output (`op` is then `late`), and `record` with the JSON.

    Args:
        values: The records.
        events: How much of each event they carry.
        returned: The kind of each value that patterns return, as of `Context.returned`; where there are none,
            there is no column for them.
    """
    from pyspark.sql import functions as f

    update = dict(_UPDATE)
    if returned:
        fields = ", ".join(f"{_quoted(name)}: {_KINDS[kind]}" for name, kind in returned.items())
        update |= dict.fromkeys(("values", "values_before"), f"STRUCT<{fields}>")
    kinds = update | _LATE
    if events == "ids":
        kinds["events"] = "MAP<STRING, ARRAY<STRING>>"
    schema = ", ".join(f"{name} {kind}" for name, kind in kinds.items())
    read = values.select(f.from_json("value", schema).alias("r"), f.col("value").alias("record"))
    columns = [f.col(f"r.{name}") for name in update]
    columns[0] = f.coalesce("r.op", f.lit("late")).alias("op")
    late = f.when(f.col("r.op").isNull(), f.struct(*(f.col(f"r.{name}") for name in _LATE)))
    return read.select(*columns, late.alias("late"), "record")


def _quoted(name: str) -> str:
    return f"`{name.replace('`', '``')}`"
