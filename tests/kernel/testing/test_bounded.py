"""A component that does not return fails the test, with its name."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limecep.testing.bounded import Bounded
from limecep.testing.engine import EngineConformance
from limecep.testing.policy_bench import Waiting
from limecep.testing.slack import SlackConformance
from limecep.testing.transport import SinkConformance
from limecep_scaffold.trials import tried

if TYPE_CHECKING:
    from pathlib import Path

    from limecep_scaffold.trials import Outcome


class Asleep:
    searched: ClassVar[list[int]] = []

    def open(self) -> None:
        time.sleep(60)

    def search(self, number: int) -> None:
        self.searched.append(number)
        while True:
            pass

    def quick(self) -> None:
        time.sleep(0.01)


#: Tests of a suite, which call a component.
CALLS = """
class Trial(Bounded):
    call_seconds = 0.3

    def test_open(self):
        Asleep().open()

    def test_search(self):
        given(integers())(lambda number: Asleep().search(number))()

    def test_quick(self):
        asleep, end = Asleep(), monotonic() + 1.0
        while monotonic() < end:
            asleep.quick()
        self.received()
"""


@pytest.mark.parametrize("method", ["open", "search"])
def test_a_call_that_waits_or_computes_for_ever_is_named(method: str) -> None:
    [outcome] = of_trial(method)
    said = rf"Asleep\.{method} does not return: it goes on after 0.3 s, in .*test_bounded.py:\d+\n"
    assert re.search(said, outcome.why)
    # Nobody looks for a smaller example.
    assert len(Asleep.searched) == (method == "search")


def test_many_calls_that_return_may_take_long_and_so_may_what_the_suite_is_told() -> None:
    assert [outcome.outcome for outcome in of_trial("quick")] == ["passed"]


def of_trial(method: str) -> list[Outcome]:
    """What comes of one test of the suite."""
    room: dict[str, Any] = {"__name__": "limecep.testing.trial", "Bounded": Bounded, "Asleep": Asleep}
    exec(CALLS, room | {"given": given, "integers": st.integers, "monotonic": time.monotonic}, room)
    Asleep.searched.clear()

    class TestTrial(room["Trial"]):  # type: ignore[misc]
        def received(self) -> None:
            time.sleep(1.0)

    for other in {"open", "search", "quick"} - {method}:
        setattr(TestTrial, f"test_{other}", None)
    return tried(TestTrial, 60.0, lambda outcome: None)


class NeverOpen:
    counts_only = False

    def __init__(self, path: Path) -> None: ...

    def open(self) -> None:
        time.sleep(600)

    def close(self) -> None: ...


class NeverMade(Waiting):
    def __init__(self) -> None:
        time.sleep(600)


class Endless(EngineConformance):
    """No event is so large."""

    results = "maximal"

    def matches(self, end: Any, view: Any) -> Any:
        while True:
            yield from ()


SUITES: list[tuple[type, dict[str, Any], str]] = [
    (
        SinkConformance,
        {"make_channel": lambda self: "c", "make_sink": lambda self, channel, context: NeverOpen(channel)},
        "NeverOpen.open",
    ),
    (SlackConformance, {"make_policy": lambda self, plan, context: NeverMade()}, "NeverMade.__init__"),
    (EngineConformance, {"make_engine": lambda self, plan, context: Endless()}, "Endless.matches"),
]


@pytest.mark.parametrize(
    ("suite", "members", "named"), SUITES, ids=lambda g: str(g) if type(g) is str else ""
)
def test_every_suite_ends(suite: type, members: dict[str, Any], named: str) -> None:
    tests = [name for name in dir(suite) if name.startswith("test_")]
    # That of the engine has a case for each way of selecting only, each of which computes until it is ended.
    kept = next(n for n in tests if "after_disorder" in n or "flushed_is" in n or "before_anything" in n)
    others = dict.fromkeys(set(tests) - {kept})
    one = type("TestOne", (suite,), {**members, **others, "call_seconds": 0.2, "examples": 1})
    outcomes = tried(one, 60.0, lambda outcome: None)
    assert outcomes
    for outcome in outcomes:
        assert outcome.outcome == "failed"
        assert f"{named} does not return: it goes on after 0.2 s" in outcome.why
