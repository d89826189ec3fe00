"""Changes of rows of a database, as Debezium writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.contracts.codec import Undecodable
from limecep_codecs.rewritten import RewrittenCodec

if TYPE_CHECKING:
    from limecep.contracts.codec import Record
    from limecep.contracts.context import Context
    from limecep_codecs.config import DebeziumOptions

#: What a change is: a row created, updated, deleted, or read when the connector began.
_ROWS = {"c": "after", "u": "after", "r": "after", "d": "before"}


class DebeziumCodec(RewrittenCodec):
    """Reads change events of Debezium in JSON, with their schema or without. A row is an event; `_op`,
    `_table` and `_source` say what happened to it, and where."""

    def __init__(self, options: DebeziumOptions, context: Context) -> None:
        super().__init__(context, _row)


def _row(record: Record) -> Record | Undecodable:
    inside = record.get("payload")
    if "schema" in record and isinstance(inside, dict):
        record = inside
    op, source = record.get("op"), record.get("source")
    if op == "t":
        return Undecodable(
            "a table was truncated (op 't'): which rows it had is not said, so none is withdrawn"
        )
    side = _ROWS.get(op) if isinstance(op, str) else None
    if side is None:
        return Undecodable(f"no change of a row: 'op' is {op!r:.40}, not c, u, d or r")
    row = record.get(side)
    if not isinstance(row, dict):
        return Undecodable(
            f"a change '{op}' without '{side}'"
            + (": Postgres sends it where the table has REPLICA IDENTITY FULL" if op == "d" else "")
        )
    table = source.get("table") if isinstance(source, dict) else None
    about = {"_op": op, "_table": table, "_source": source}
    return {**row, **{name: value for name, value in about.items() if value is not None}}
