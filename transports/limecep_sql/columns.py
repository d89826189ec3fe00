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

_AT = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")
#: Columns that no value has, whatever it is called.
_TAKEN = frozenset({*FIELDS, RECORD, "n"})
_KINDS: Mapping[str, Any] = {
    "int": sa.BigInteger, "float": sa.Double, "str": sa.Text, "bool": sa.Boolean, "": sa.Text,
    "Instant": lambda: _AT,
}  # fmt: skip
_TIMES = ("start_time", "end_time", "detected")


def made(name: str, schema: str | None, returned: Mapping[str, str], *, upsert: bool) -> sa.Table:
    """The table that is created where there is none, with a column for each value (`Context.returned`)."""
    number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    kinds: dict[str, Any] = {**dict.fromkeys(FIELDS, sa.Text()), **dict.fromkeys(_TIMES, _AT)}
    kinds["revision"] = sa.Integer()
    if upsert:
        kinds["match_id"] = sa.String(64)
    kinds |= {value: _KINDS[kind]() for value, kind in returned.items() if value.lower() not in _TAKEN}
    columns = [sa.Column(c, kind, primary_key=upsert and c == "match_id") for c, kind in kinds.items()]
    first = [] if upsert else [sa.Column("n", number, primary_key=True)]
    return sa.Table(name, sa.MetaData(), *first, *columns, sa.Column(RECORD, sa.Text()), schema=schema)


def problem(table: sa.Table, returned: Mapping[str, str], *, upsert: bool) -> str:
    """Why a table cannot be written; "" if it can."""
    there = set(table.columns.keys())
    if upsert and "match_id" not in there:
        return f"table '{table.name}' has no column 'match_id', which 'mode: upsert' needs"
    if not there & {RECORD, *FIELDS, *returned}:
        return f"table '{table.name}' has none of the columns {', '.join([*FIELDS, *returned, RECORD])}"
    return ""


def row(table: sa.Table, record: Record, encoded: bytes) -> dict[str, Any]:
    """The row of a record: the columns that the table has."""
    values = {c.name: _value(record.get(FIELDS[c.name]), c.type) for c in table.columns if c.name in FIELDS}
    returned = record.get("values", {})
    values |= {
        c.name: _returned(returned[c.name], c.type)
        for c in table.columns
        if c.name in returned and c.name.lower() not in _TAKEN
    }
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


def _returned(value: Any, kind: Any) -> Any:
    """A value of a match for a column: a number as it is, unless the column holds text."""
    if isinstance(value, (int, float)):
        return to_json(value).decode() if isinstance(kind, sa.String) else value
    return _value(value, kind)
