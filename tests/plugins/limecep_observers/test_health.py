"""Whether a pipeline is alive and ready."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.clock import pause
from limecep.contracts.observer import Figures, SourceFigures
from limecep.testing.observer import figures
from limecep_observers.health import Health


def health(**changed: Any) -> Health:
    return Health(**{"stuck_after": 30.0, "commit_within": 30.0, "missed": 3, **changed})


def seen(given: Figures, **changed: Any) -> list[str]:
    made = health(**changed)
    made.observe(given)
    return made.hindrances()


def source(**changed: Any) -> Figures:
    return figures(sources=(SourceFigures(**{"name": "gas", "live": True, "connected": True, **changed}),))


def test_one_that_runs_is_alive_and_ready() -> None:
    made = health()
    made.observe(figures())
    assert (made.ailments(), made.hindrances()) == ([], [])


def test_one_that_has_not_begun_is_alive_and_not_ready() -> None:
    made = health()
    assert made.ailments() == []
    [why] = made.hindrances()
    made.observe(figures(phase="starting"))
    assert made.hindrances() == [why]
    assert why.startswith("it is starting")


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (figures(phase="ended"), "the run has ended"),
        (figures(phase="failed", failure="disk full"), "the run has failed: disk full"),
        (source(connected=False), "source gas is not connected"),
        (source(silent=16.0, every=5.0), "source gas is silent for 16 s, and sends every 5 s"),
        (figures(since_commit=31.0), "the last commit is 31 s old"),
    ],
)
def test_it_is_not_ready_without_progress(given: Figures, why: str) -> None:
    assert seen(given) == [why]


@pytest.mark.parametrize(
    "given",
    [
        source(connected=False, ended=True),
        source(silent=14.0, every=5.0),
        # It declares no period: that it is idle is no fault of the pipeline.
        source(silent=3600.0, idle_after=30.0),
        # A replay without state commits once, at its end.
        figures(sources=(), state=None, since_commit=3600.0),
        figures(since_commit=None),
    ],
)
def test_what_hinders_nothing_is_no_reason(given: Figures) -> None:
    assert seen(given) == []


def test_figures_grow_old() -> None:
    made = health(commit_within=0.35, missed=1)
    made.observe(source(silent=0.2, every=0.45))
    assert made.hindrances() == []
    pause(0.3)
    silent, commit = made.hindrances()
    assert silent.startswith("source gas is silent")
    assert commit.startswith("the last commit is")
    assert made.told()["sources"]["gas"]["silent"] >= 0.5


def test_without_a_sign_of_life_it_is_not_alive_and_with_one_it_is() -> None:
    made = health(stuck_after=0.05)
    made.observe(figures())
    pause(0.1)
    [why] = made.ailments()
    assert why.startswith("no sign of life for")
    assert made.hindrances() == [why]
    made.pulse()
    assert made.ailments() == []


def test_one_that_a_program_feeds_gives_no_sign_of_life_between_calls() -> None:
    made = health(stuck_after=0.01)
    made.observe(figures(fed=True, since_commit=None))
    pause(0.05)
    assert made.hindrances() == []


def test_it_tells_what_people_ask_first() -> None:
    made = health()
    assert made.told() == {}
    made.observe(figures())
    told = made.told()
    assert (told["pipeline"], told["phase"], told["unsent"]) == ("kitchen", "running", 1)
    assert told["sources"]["gas"] | {"silent": 0} == {
        "connected": True,
        "ended": False,
        "read": 42,
        "silent": 0,
        "idle": False,
        "behind": True,
        "waiting": 0,
    }
    assert told["disabled"].keys() == {"patterns.door", "sinks.screen", "observers.other"}
