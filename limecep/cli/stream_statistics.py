"""What `limecep run --stats` shows people: how many events came, how late, and how soon results were."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SPREAD = ("average", "minimum", "maximum")
_NOTHING = "-"


def figures(report: Mapping[str, Any]) -> str:
    """The statistics of a report as tables."""
    statistics = report["statistics"]
    late, events = statistics["late"], statistics["events"]
    refused = sum(t["extremely_late"] for t in statistics["types"].values())
    tables = [
        table(
            ("type", "events", "late", "extremely late", *(f"lateness {s}" for s in _SPREAD)),
            [
                (name, *_counts(t, "events", "late", "extremely_late"), *_spread(t["lateness"]))
                for name, t in statistics["types"].items()
            ]
            + [
                (
                    "all",
                    f"{events:,}",
                    _share(late, statistics["ratio"]),
                    f"{refused:,}",
                    *_spread(statistics["lateness"]),
                )
            ],
        ),
        table(
            ("source", "events", "late", "every", "actual period"),
            [
                (name, *_counts(s, "events", "late"), _seconds(s["every"]), _seconds(s["period"]))
                for name, s in statistics["sources"].items()
            ],
        ),
        table(
            ("pattern", "detection latency average", "minimum", "maximum", "average score of late events"),
            [
                (name, *_spread(p["detection_latency"]), _scores(p["scores"]))
                for name, p in statistics["patterns"].items()
            ],
        ),
        table(
            ("pattern", "engine runs", "on demand", "events handed to them", "slack waits"),
            [
                (name, *_counts(p, "engine_runs", "on_demand_runs", "events_handed", "slack_waits"))
                for name, p in report["patterns"].items()
            ],
        ),
    ]
    return "\n\n".join(tables) + "\n"


def _counts(of: Mapping[str, int], *names: str) -> list[str]:
    return [f"{of[name]:,}" for name in names]


def _share(late: int, ratio: float) -> str:
    return f"{late:,} ({ratio:.1%})" if late else "0"


def _spread(of: Mapping[str, float] | None) -> list[str]:
    return [_seconds(of[name]) if of else _NOTHING for name in _SPREAD]


def _seconds(value: float | None) -> str:
    return _NOTHING if value is None else f"{value:,.6f}".rstrip("0").rstrip(".") + " s"


def _scores(scores: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {score:.3g}" for name, score in scores.items()) or _NOTHING


def table(heading: Sequence[str], rows: Sequence[Sequence[str]], names: int = 1) -> str:
    """Columns side by side: names to the left, numbers to the right.

    Args:
        heading: The first line.
        rows: The others.
        names: How many columns are names.
    """
    widths = [max(map(len, column)) for column in zip(heading, *rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place < names else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (heading, *rows)
    )
