"""Records as rows: which columns a table of a sink may have, and what stands in them."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from limecep.encoding import to_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limecep.output.record import Record

#: The field of a record that stands in each column.
FIELDS: Mapping[str, str] = {
    "match_id": "match",
    "revision": "revision",
    "op": "op",
    "pattern": "pattern",
    "key": "key",
    "start_time": "start",
    "end_time": "end",
    "detected": "detected",
    "reason": "reason",
    "source": "source",
}
#: The column that holds all of it, as the sink's envelope says.
RECORD = "record"

_TIMES = ("start_time", "end_time", "detected")


def made(name: str, schema: str | None, *, upsert: bool) -> sa.Table:
    """The table that is created where there is none."""
    number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    at = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")
    kinds: dict[str, Any] = {**dict.fromkeys(FIELDS, sa.Text()), **dict.fromkeys(_TIMES, at)}
    kinds["revision"] = sa.Integer()
    if upsert:
        kinds["match_id"] = sa.String(64)
    columns = [sa.Column(c, kind, primary_key=upsert and c == "match_id") for c, kind in kinds.items()]
    first = [] if upsert else [sa.Column("n", number, primary_key=True)]
    return sa.Table(name, sa.MetaData(), *first, *columns, sa.Column(RECORD, sa.Text()), schema=schema)


def problem(table: sa.Table, *, upsert: bool) -> str:
    """Why a table cannot be written; "" if it can."""
    there = set(table.columns.keys())
    if upsert and "match_id" not in there:
        return f"table '{table.name}' has no column 'match_id', which 'mode: upsert' needs"
    if not there & {RECORD, *FIELDS}:
        return f"table '{table.name}' has none of the columns {', '.join([*FIELDS, RECORD])}"
    return ""


def row(table: sa.Table, record: Record, encoded: bytes) -> dict[str, Any]:
    """The row of a record: the columns that the table has."""
    values = {c.name: _value(record.get(FIELDS[c.name]), c.type) for c in table.columns if c.name in FIELDS}
    if RECORD in table.columns:
        kept = table.columns[RECORD].type
        values[RECORD] = json.loads(encoded) if isinstance(kept, sa.JSON) else encoded.decode()
    return values


def _value(value: Any, kind: Any) -> Any:
    if value is None or isinstance(kind, sa.JSON):
        return value
    if isinstance(kind, sa.DateTime):
        return datetime.fromisoformat(value)
    return value if isinstance(value, (str, int)) else to_json(value).decode()
