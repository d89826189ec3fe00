"""Figures for people: tables of text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.cli.figures import table

if TYPE_CHECKING:
    from collections.abc import Sequence

#: A row of figures, by their names.
Row = dict[str, Any]

_NOTHING = "-"


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
    return table(
        ("run", "pattern", "truth", "TP", "FP", "FN", "precision", "recall"),
        [
            (
                *_name(row),
                number(row["matches"]),
                *(number(row[prefix + c]) for c in ("tp", "fp", "fn")),
                *(share(row[prefix + s]) for s in ("precision", "recall")),
            )
            for row in rows
        ],
        names=2,
    )


def _course(rows: Sequence[Row]) -> str:
    counts = ("emitted", "corrected", "retracted")
    return table(
        ("run", "pattern", *counts, "revisions", "delay 50%", "95%", "99%", "latency 50%", "99%"),
        [
            (
                *_name(row),
                *(number(row[c]) for c in counts),
                _NOTHING if row["revisions"] is None else f"{row['revisions']:.2f}",
                *(seconds(row[f"delay_{p}"]) for p in ("p50", "p95", "p99")),
                *(seconds(row[f"latency_{p}"]) for p in ("p50", "p99")),
            )
            for row in rows
        ],
        names=2,
    )


def _name(row: Row) -> tuple[str, str]:
    return row["run"], row["pattern"]


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
