"""Pictures of precision and recall."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("pyspark", reason="the jobs of data need: pip install 'limecep[spark]'")

from limecep.errors import LimecepError, RunFailure
from limecep.host import Host
from limecep_lab.plots import plot, plot_sweep
from limecep_lab.sweeps.grids import grid
from limecep_lab.sweeps.sweep import Swept

SHARES = {"precision": 1.0, "recall": 0.5, "ever_precision": None, "ever_recall": 0.5}
ROWS = [{"run": run, "pattern": pattern, **SHARES} for run in ("0.2", "0.7") for pattern in ("one", "two")]


@pytest.mark.parametrize(("name", "begins"), [("a.png", b"\x89PNG"), ("a.svg", b"<?xml"), ("a.pdf", b"%PDF")])
def test_runs_are_drawn_in_the_format_that_the_name_says(tmp_path: Path, name: str, begins: bytes) -> None:
    pytest.importorskip("matplotlib")
    plot(ROWS, str(tmp_path / name))
    assert (tmp_path / name).read_bytes().startswith(begins)


def test_a_sweep_is_drawn_by_its_first_key_with_a_line_for_each_choice_of_the_others(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    document = {
        "version": 1,
        "name": "p",
        "patterns": {"p": {"query": "PATTERN SEQ(A a, B b) WITHIN 10 s", "lateness": "score"}},
    }
    vary = {"lateness.factor": [1, 2], "slack": ["none", "adaptive"]}
    choices = grid(document, vary, Host.load().registry, Path())
    rows = [
        {"choice": n, "level": level, "pattern": "p", **SHARES, **choice.values}
        for n, choice in enumerate(choices.choices)
        for level in ("own", "0.7")
    ]
    plot_sweep(Swept(grid=choices, rows=rows), str(tmp_path / "a.svg"))
    # Text is drawn as paths, and named in comments.
    drawn = (tmp_path / "a.svg").read_text()
    for text in ("p, own", "p, 0.7", "lateness.factor", "precision none", "recall adaptive"):
        assert f"<!-- {text} -->" in drawn, text


def test_what_cannot_be_drawn_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        LimecepError, match=r"a\.gif: in which format\? End its name with \.png, \.svg, \.pdf"
    ):
        plot(ROWS, "a.gif")
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "matplotlib", None)
        with pytest.raises(LimecepError, match=r"plots need matplotlib: pip install 'limecep\[data\]'"):
            plot(ROWS, "a.png")
    pytest.importorskip("matplotlib")
    (tmp_path / "file").touch()
    with pytest.raises(RunFailure, match=r"cannot write .*: File exists"):
        plot(ROWS, str(tmp_path / "file/a.png"))
