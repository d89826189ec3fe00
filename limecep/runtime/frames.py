"""Tables of updates, made by libraries that need not be installed."""

from __future__ import annotations

from datetime import datetime
from importlib import import_module
from typing import Any

from limecep.encoding import to_json

_Rows = list[dict[str, Any]]

#: The columns that every table has, with what they hold: `text`, `time`, `int`, `float` or `bool`.
COLUMNS = {
    "op": "text",
    "match": "text",
    "revision": "int",
    "pattern": "text",
    "start": "time",
    "end": "time",
    "cause": "text",
    "cause_event": "text",
    "final": "bool",
    "detected": "time",
    "latency": "float",
}
_TIMES = [name for name, kind in COLUMNS.items() if kind == "time"]


def to_pandas(rows: _Rows) -> Any:
    """Rows as a DataFrame of pandas; times are of type datetime64[us, UTC]."""
    pandas = _library("pandas")
    frame = pandas.DataFrame(rows, columns=_names(rows))
    for name in _TIMES:
        # Beyond the years that nanoseconds hold, too.
        times = [_instant(row[name]).replace(tzinfo=None) for row in rows]
        frame[name] = pandas.Series(times, dtype="datetime64[us]", index=frame.index).dt.tz_localize("UTC")
    for name, kind in COLUMNS.items():
        if kind in ("int", "float", "bool"):
            frame[name] = frame[name].astype({"int": "int64", "float": "float64", "bool": "bool"}[kind])
    return frame


def to_arrow(rows: _Rows) -> Any:
    """Rows as a table of Arrow; times are of type timestamp[us, UTC], ids lists of text."""
    arrow = _library("pyarrow")
    types = {
        "text": arrow.string(),
        "time": arrow.timestamp("us", tz="UTC"),
        "int": arrow.int64(),
        "float": arrow.float64(),
        "bool": arrow.bool_(),
    }
    names = _names(rows)
    arrays = []
    for name in names:
        if name in COLUMNS:
            arrays.append(arrow.array(_column(rows, name), types[COLUMNS[name]]))
        elif name.startswith("events."):
            arrays.append(arrow.array(_column(rows, name), arrow.list_(arrow.string())))
        else:
            arrays.append(arrow.array(_of_one_kind(_column(rows, name))))
    return arrow.table(arrays, names=names)


def to_polars(rows: _Rows) -> Any:
    """Rows as a DataFrame of Polars; times are of type Datetime[us, UTC], ids lists of text."""
    polars = _library("polars")
    types = {
        "text": polars.String,
        "time": polars.Datetime("us", "UTC"),
        "int": polars.Int64,
        "float": polars.Float64,
        "bool": polars.Boolean,
    }
    columns = []
    for name in _names(rows):
        if name in COLUMNS:
            columns.append(polars.Series(name, _column(rows, name), dtype=types[COLUMNS[name]]))
        elif name.startswith("events."):
            columns.append(polars.Series(name, _column(rows, name), dtype=polars.List(polars.String)))
        else:
            columns.append(polars.Series(name, _of_one_kind(_column(rows, name))))
    return polars.DataFrame(columns)


def _names(rows: _Rows) -> list[str]:
    return list(rows[0]) if rows else list(COLUMNS)


def _column(rows: _Rows, name: str) -> list[Any]:
    values = [row[name] for row in rows]
    return [_instant(v) for v in values] if name in _TIMES else values


def _of_one_kind(values: list[Any]) -> list[Any]:
    """Values of one type as they are; of several as JSON, so that 1 and "1" stay apart, and so are lists,
    objects, and integers of more than 64 bits."""
    kinds = {type(v) for v in values if v is not None}
    if (
        len(kinds) < 2
        and not kinds & {list, dict}
        and not any(type(v) is int and not -(2**63) <= v < 2**63 for v in values)
    ):
        return values
    return [None if v is None else to_json(v).decode() for v in values]


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise ModuleNotFoundError(
            f"a table of {name} needs {name}, which is not installed: pip install {name}; "
            "records() gives dictionaries without it",
            name=name,
        ) from None
