"""What the score refuses on streams with known disorder, where nothing warms up."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from limecep import Event
from limecep.testing.lateness import LatenessBench, LatenessConformance
from limecep.testing.streams import SECOND, written
from limecep_lateness.config import ScoreOptions
from limecep_lateness.score import Score

REFERENCE = Path(__file__).resolve().parents[4] / "shared" / "data"
DEFAULT = (0.6, 0.2, 0.2)


def refused(events: list[Event], factor: float, weights: tuple[float, float, float] = DEFAULT) -> list[str]:
    """The ids that the score refuses, window 10 s."""

    class Suite(LatenessConformance):
        def make_policy(self, plan, context):  # type: ignore[no-untyped-def]
            return Score(plan, ScoreOptions(factor=factor, weights=weights, warm_up=0), context)

    judged = LatenessBench(Suite()).feed(events)
    return [j.event.id for j in judged if j.verdict.extremely_late]


def reference(name: str) -> list[Event]:
    with (REFERENCE / f"minigt-{name}.csv").open() as file:
        return [Event(r["type"], r["id"], int(r["time"]) * SECOND) for r in csv.DictReader(file)]


@pytest.mark.skipif(not REFERENCE.exists(), reason="the reference data is not beside the project")
@pytest.mark.parametrize(
    ("name", "factor", "expected"),
    [("partial", 1.5, 0), ("partial", 2.0, 0), ("partial", 2.5, 0),
     ("full", 1.5, 5), ("full", 2.0, 1), ("full", 2.5, 0)],
)  # fmt: skip
def test_the_reference_disorder_is_refused_in_so_many_events(name: str, factor: float, expected: int) -> None:
    assert len(refused(reference(name), factor)) == expected


@pytest.mark.skipif(not REFERENCE.exists(), reason="the reference data is not beside the project")
@pytest.mark.parametrize("weights", [(1.0, 0.0, 0.0), DEFAULT, (0.2, 0.4, 0.4), (0.0, 0.5, 0.5)])
@pytest.mark.parametrize("name", ["partial", "full"])
def test_acceptance_grows_with_the_factor(name: str, weights: tuple[float, float, float]) -> None:
    counts = [len(refused(reference(name), factor, weights)) for factor in (0.5, 1.0, 1.5, 2.0, 2.5)]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[-1]


def test_of_a_regular_stream_the_event_far_behind_is_refused() -> None:
    steady = " ".join(f"a{n} b{n - 1}" for n in range(2, 200, 2))
    assert refused(written(f"{steady} b3.5"), 2.5) == ["b3.5"]
