"""Precision and recall as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from limecep.errors import LimecepError, RunFailure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep_spark.data.showing import Row

_FORMATS = (".png", ".svg", ".pdf")
#: How wide and high one panel is, in inches.
_PANEL = (4.2, 3.0)


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
    """Draws a column of panels for each pattern: precision and recall by run, of what is live at the end and
    of what was ever emitted.

    Args:
        rows: The figures of runs.
        path: A file; its name says in which format: .png, .svg, .pdf.

    Raises:
        LimecepError: As `check_plot`.
        RunFailure: It cannot be written.
    """
    check_plot(path)
    patterns = list(dict.fromkeys(row["pattern"] for row in rows))
    figure, axes = _panels(2, len(patterns))
    for column, pattern in enumerate(patterns):
        of = [row for row in rows if row["pattern"] == pattern]
        names = [row["run"] for row in of]
        for line, (prefix, when) in enumerate((("", "live at the end"), ("ever_", "ever emitted"))):
            panel = axes[line][column]
            for measure, mark in (("precision", "o-"), ("recall", "s--")):
                # Nothing is drawn of what there is nothing to tell of.
                values = [_or_nan(row[prefix + measure]) for row in of]
                panel.plot(range(len(names)), values, mark, label=measure)
            panel.set_title(f"{pattern}, {when}", fontsize=9)
            panel.set_xticks(range(len(names)), names, fontsize=8)
    axes[0][0].legend(fontsize=8)
    save(figure, path)


def _panels(lines: int, columns: int) -> tuple[Any, Any]:
    """A figure of panels for shares, which need no window to be drawn in."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_PANEL[0] * columns, _PANEL[1] * lines), layout="constrained")
    axes = figure.subplots(lines, columns, squeeze=False, sharey=True)
    for panel in axes.flat:
        panel.set_ylim(-0.05, 1.05)
        panel.grid(alpha=0.3)
    return figure, axes


def save(figure: Any, path: str) -> None:
    """Writes a picture.

    Raises:
        RunFailure: It cannot be written.
    """
    try:
        figure.savefig(path, dpi=150)
    except OSError as error:
        raise RunFailure(f"cannot write {path}: {error.strerror or error}") from None


def _or_nan(value: float | None) -> float:
    return float("nan") if value is None else value
