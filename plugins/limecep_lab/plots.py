"""Precision and recall as a picture."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from limecep.errors import LimecepError, RunFailure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep_lab.sweeps.sweep import Swept
    from limecep_lab.text_tables import Row

_FORMATS = (".png", ".svg", ".pdf")
#: How wide and high one panel is, in inches.
_PANEL_INCHES = (4.2, 3.0)
#: Longer names of places do not fit beside each other.
_LONG_CHARS = 8

#: Precision and recall; nan, which is not drawn, where there is nothing to tell of.
Shares = tuple[float, float]


class Panel(NamedTuple):
    """One diagram: shares, by what stands below it.

    Attributes:
        title: What it is of.
        places: What stands below it.
        lines: Precision and recall at each place, by what tells the lines apart.
    """

    title: str
    places: Sequence[str]
    lines: dict[str, list[Shares]]


def check_plot(path: str) -> None:
    """Sees that a picture can be drawn, before anything is done.

    Raises:
        LimecepError: Its name ends otherwise, or there is nothing to draw with.
    """
    if Path(path).suffix not in _FORMATS:
        raise LimecepError(f"{path}: in which format? End its name with {', '.join(_FORMATS)}")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise LimecepError("plots need matplotlib: pip install 'limecep[data]'") from None


def plot(rows: Sequence[Row], path: str) -> None:
    """Draws a column for each pattern: precision and recall by run, of what is live at the end, and below of
    what was ever emitted.

    Args:
        rows: The figures of runs.
        path: A file; its name says in which format: .png, .svg, .pdf.

    Raises:
        LimecepError: As `check_plot`.
        RunFailure: It cannot be written.
    """
    by_pattern: dict[str, list[Row]] = {}
    for row in rows:
        by_pattern.setdefault(row["pattern"], []).append(row)
    _draw(
        [
            [
                Panel(f"{pattern}, {when}", [r["run"] for r in of], {"": [_shares(r, prefix) for r in of]})
                for pattern, of in by_pattern.items()
            ]
            for prefix, when in (("", "live at the end"), ("ever_", "ever emitted"))
        ],
        path,
    )


def plot_sweep(swept: Swept, path: str) -> None:
    """Draws a column for each pattern and a row of panels for each level: precision and recall of what is
    live at the end, by the values of the key that was varied first; a line for each choice of the others.

    Args:
        swept: The sweep.
        path: As of `plot`.

    Raises:
        LimecepError: As `check_plot`.
        RunFailure: It cannot be written.
    """
    first, *others = swept.grid.keys
    places = list(dict.fromkeys(choice.values[first] for choice in swept.grid.choices))
    panels: dict[str, dict[str, Panel]] = {}
    for row in swept.rows:
        of = panels.setdefault(row["level"], {})
        panel = of.setdefault(row["pattern"], Panel(f"{row['pattern']}, {row['level']}", places, {}))
        line = panel.lines.setdefault(" ".join(row[key] for key in others), [_NONE] * len(places))
        line[places.index(row[first])] = _shares(row, "")
    _draw([list(of.values()) for of in panels.values()], path, below=first)


def _draw(panels: Sequence[Sequence[Panel]], path: str, below: str = "") -> None:
    check_plot(path)
    if not any(panels):
        raise LimecepError("there is nothing to draw: no pattern has a match")
    from matplotlib.figure import Figure

    # A figure by itself needs no window to be drawn in.
    lines, columns = len(panels), max(map(len, panels))
    figure = Figure(figsize=(_PANEL_INCHES[0] * columns, _PANEL_INCHES[1] * lines), layout="constrained")
    axes = figure.subplots(lines, columns, squeeze=False, sharey=True)
    # Where a level has nothing of a pattern, a panel stays empty.
    for axis, panel in (pair for row in zip(axes, panels, strict=True) for pair in zip(*row, strict=False)):
        at = range(len(panel.places))
        for number, (name, shares) in enumerate(panel.lines.items()):
            colour = f"C{number}"
            axis.plot(at, [p for p, _ in shares], "o-", color=colour, label=f"precision {name}".strip())
            axis.plot(at, [r for _, r in shares], "s--", color=colour, label=f"recall {name}".strip())
        axis.set_title(panel.title, fontsize=9)
        long = max(map(len, panel.places)) > _LONG_CHARS
        axis.set_xticks(
            at, panel.places, fontsize=8, rotation=20 if long else 0, ha="right" if long else "center"
        )
        axis.set_xlabel(below, fontsize=8)
        axis.set_ylim(-0.05, 1.05)
        axis.grid(alpha=0.3)
    figure.legend(*axes[0][0].get_legend_handles_labels(), fontsize=7, loc="outside right upper")
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, dpi=150)
    except OSError as error:
        raise RunFailure(f"cannot write {path}: {error.strerror or error}") from None


_NONE = (math.nan, math.nan)


def _shares(row: Row, prefix: str) -> Shares:
    precision, recall = row[f"{prefix}precision"], row[f"{prefix}recall"]
    return math.nan if precision is None else precision, math.nan if recall is None else recall
