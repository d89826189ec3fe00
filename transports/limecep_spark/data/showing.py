"""Figures for people: tables of text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.cli.stream_statistics import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep_spark.data.recommending import Score
    from limecep_spark.data.sweeping import Swept

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


def sweep_tables(swept: Swept, scores: Sequence[Score]) -> str:
    """What the choices come to, the best first, and by pattern and level what is live at the end.

    Args:
        swept: The sweep.
        scores: Those of the choices, the best first.
    """
    keys = swept.grid.keys
    names = [[choice.values[key] for key in keys] for choice in swept.grid.choices]
    levels = list(dict.fromkeys(row["level"] for row in swept.rows))
    heading = ("precision", "recall", "kept", "corrections", "refused", "delay 99%", "seconds")
    said = [
        "Over all patterns and levels\n"
        + table(
            (*keys, *heading),
            [
                (
                    *names[s.choice],
                    *(share(value) for value in (s.precision, s.recall)),
                    *(number(value) for value in (s.kept, s.corrected, s.refused)),
                    seconds(s.delay),
                    f"{s.seconds:.2f}",
                )
                for s in scores
            ],
            names=len(keys),
        )
    ]
    for pattern in dict.fromkeys(row["pattern"] for row in swept.rows):
        by_run = {(r["choice"], r["level"]): r for r in swept.rows if r["pattern"] == pattern}
        said.append(
            f"{pattern}: precision and recall by level\n"
            + table(
                (*keys, *levels),
                [
                    (*name, *(_both(by_run.get((place, level))) for level in levels))
                    for place, name in enumerate(names)
                ],
                names=len(keys),
            )
        )
    return "\n\n".join(said)


def _both(row: Row | None) -> str:
    return _NOTHING if row is None else f"{share(row['precision'])} {share(row['recall'])}"


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
    """A part of a whole; only the whole of it is 1, and only nothing is 0."""
    if value is None:
        return _NOTHING
    return f"{min(max(value, 0.0001), 0.9999):.4f}" if 0 < value < 1 else f"{value:.0f}"


def seconds(value: float | None) -> str:
    """A time."""
    return _NOTHING if value is None else f"{value:,.3f}".rstrip("0").rstrip(".") + " s"
