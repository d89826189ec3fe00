"""Figures for people, as tables, and for programs, as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from limecep.cli.figures import table
from limecep.encoding import to_json
from limecep.errors import LimecepError, RunFailure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep_spark.data.evaluating import Row

_NOTHING = "-"
_FORMATS = (".parquet", ".csv", ".json", ".jsonl")


def tables(rows: Sequence[Row]) -> str:
    """What is right at the end, what was ever said, and how soon."""
    return "\n\n".join(
        (
            "Live at the end\n" + _accuracy(rows, ""),
            "Ever emitted\n" + _accuracy(rows, "ever_"),
            "How it came about\n" + _course(rows),
        )
    )


def _accuracy(rows: Sequence[Row], prefix: str) -> str:
    counts, shares = ("tp", "fp", "fn"), ("precision", "recall")
    return table(
        ("run", "pattern", "truth", "TP", "FP", "FN", *shares),
        [
            (*_name(row), number(row["matches"]), *(number(row[prefix + c]) for c in counts))
            + tuple(share(row[prefix + s]) for s in shares)
            for row in rows
        ],
        names=2,
    )


def _course(rows: Sequence[Row]) -> str:
    counts = ("emitted", "corrected", "retracted")
    return table(
        ("run", "pattern", *counts, "revisions", "delay 50%", "95%", "99%", "latency 50%", "99%"),
        [
            (*_name(row), *(number(row[c]) for c in counts), _mean(row["revisions"]))
            + tuple(seconds(row[f"delay_{p}"]) for p in ("p50", "p95", "p99"))
            + tuple(seconds(row[f"latency_{p}"]) for p in ("p50", "p99"))
            for row in rows
        ],
        names=2,
    )


def number(value: int | None) -> str:
    """A number of things."""
    return _NOTHING if value is None else f"{value:,}"


def share(value: float | None) -> str:
    """A part of a whole. Only the whole of it is 1."""
    if value is None:
        return _NOTHING
    return f"{min(value, 0.9999):.4f}" if value < 1 else "1"


def seconds(value: float | None) -> str:
    """A time."""
    return _NOTHING if value is None else f"{value:,.3f}".rstrip("0").rstrip(".") + " s"


def _mean(value: float | None) -> str:
    return _NOTHING if value is None else f"{value:.2f}"


def _name(row: Row) -> tuple[str, str]:
    return row["run"], row["pattern"]


def check_format(path: str) -> None:
    """Sees that a file can be written by its name, before anything is done.

    Raises:
        LimecepError: The name ends otherwise.
    """
    if Path(path).suffix not in _FORMATS:
        raise LimecepError(f"{path}: in which format? End its name with {', '.join(_FORMATS)}")


def write(rows: Sequence[Row], path: str) -> None:
    """Writes rows into a file: Parquet, CSV or JSON lines, as its name says.

    Raises:
        LimecepError: The name ends otherwise.
        RunFailure: It cannot be written.
    """
    check_format(path)
    try:
        _WRITERS[Path(path).suffix](rows, path)
    except OSError as error:
        raise RunFailure(f"cannot write {path}: {error.strerror or error}") from None


def _parquet(rows: Sequence[Row], path: str) -> None:
    import pyarrow.parquet

    pyarrow.parquet.write_table(_arrow(rows), path)


def _csv(rows: Sequence[Row], path: str) -> None:
    import pyarrow.csv

    pyarrow.csv.write_csv(_arrow(rows), path)


def _json(rows: Sequence[Row], path: str) -> None:
    Path(path).write_bytes(b"".join(to_json(row) + b"\n" for row in rows))


def _arrow(rows: Sequence[Row]) -> Any:
    import pyarrow

    return pyarrow.Table.from_pylist(list(rows))


_WRITERS: dict[str, Callable[[Sequence[Row], str], None]] = dict(
    zip(_FORMATS, (_parquet, _csv, _json, _json), strict=True)
)
