"""Which choice is recommended, and why: first what is found, then what it takes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="the jobs of data need: pip install 'limecep[spark]'")

from limecep.host import Host
from limecep_lab.sweeps.grids import grid
from limecep_lab.sweeps.recommendation import recommended, scores
from limecep_lab.sweeps.sweep import Swept

REGISTRY = Host.load().registry
DOCUMENT = {
    "version": 1,
    "name": "p",
    "patterns": {"p": {"query": "PATTERN SEQ(A a, B b) WITHIN 10 s", "lateness": "score"}},
}
ROW = {
    "level": "own", "pattern": "p", "tp": 10, "fp": 0, "fn": 0, "kept": 100, "corrected": 5, "retracted": 0,
    "delay_p99": 1.0, "refused": 0, "seconds": 0.5,
}  # fmt: skip


def swept(*rows: dict[str, Any]) -> Swept:
    """A sweep whose choices have these figures, a run each."""
    choices = grid(DOCUMENT, {"lateness.factor": list(range(1, len(rows) + 1))}, REGISTRY, Path())
    return Swept(grid=choices, rows=[{**ROW, **row, "choice": n} for n, row in enumerate(rows)])


@pytest.mark.parametrize(
    ("rows", "best", "why"),
    [
        # What keeps less is of no use where it finds less, or what is none.
        (({}, {"tp": 9, "fn": 1, "kept": 1}), "1", "the next best has 1 and 0.9000"),
        (({"fp": 2, "kept": 1}, {}), "2", "the next best has 0.8333 and 1"),
        (({}, {"kept": 20}), "2", "keeps the fewest events in mind: 20, where others come to 100"),
        # Nearly as many are as many.
        (({"corrected": 9}, {"kept": 103}), "2", "the fewest corrections and retractions: 5, where"),
        (({"delay_p99": 2.5}, {}), "2", "is the soonest, by the 99th percentile of its delay: 1 s"),
        (({}, {}), "1", "as 1 other choice has, and nothing else tells them apart; it was named first"),
        (({},), "1", "there is no other choice"),
        # Nothing was found, and there is nothing.
        (({"tp": 0, "fp": 3}, {"tp": 0}), "2", "precision - and recall -"),
    ],
)  # fmt: skip
def test_the_most_right_then_the_cheapest_is_recommended(rows: Any, best: str, why: str) -> None:
    found = recommended(swept(*rows))
    assert found.values == {"lateness.factor": best}
    assert why in found.reason
    assert f"factor: {best}\n" in found.yaml


def test_levels_and_patterns_count_together_and_what_a_run_costs_counts_once() -> None:
    one = swept({})
    rows = [
        {**one.rows[0], "pattern": "p", "fn": 10},
        {**one.rows[0], "pattern": "q"},
        {**one.rows[0], "level": "0.7", "kept": 300, "delay_p99": None},
    ]
    (score,) = scores(Swept(grid=one.grid, rows=rows))
    assert (score.precision, score.recall) == (1, 0.75)
    assert (score.kept, score.corrected, score.seconds, score.delay) == (300, 15, 1.0, 1.0)
