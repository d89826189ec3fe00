"""`throttle`: so many matches of a key, and no more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.language.parser import parse
from limecep.testing.policy_bench import PolicyBench
from limecep.testing.streams import SECOND, written
from limecep_results.config import CooldownOptions, ThrottleOptions
from limecep_results.throttle import Cooldown, Throttle

if TYPE_CHECKING:
    from limecep.model.update import Update

PAIR = parse("PATTERN SEQ(A a, B b) WITHIN 3 s")


def throttled(**options: Any) -> PolicyBench:
    return PolicyBench(
        PAIR, results=lambda plan, context: Throttle(plan, ThrottleOptions(**options), context), keeps=True
    )


def short(updates: list[Update]) -> list[str]:
    return [f"{u.op} {' '.join(e.id for g in u.match.groups for e in g)}" for u in updates]


def test_a_match_goes_out_once_the_time_has_passed_since_the_last() -> None:
    bench = throttled(per=10 * SECOND, matches=1)
    bench.run(written("a1 b2 a6 b7 a11 b12"), cut=3)
    assert short(bench.updates) == ["emit a1 b2", "emit a11 b12"]


def test_a_cooldown_is_a_throttle_of_one_match() -> None:
    bench = PolicyBench(
        PAIR,
        results=lambda plan, context: Cooldown(plan, CooldownOptions(for_=10 * SECOND), context),
        keeps=True,
    )
    bench.run(written("a1 b2 a6 b7 a11 b12"), cut=3)
    assert short(bench.updates) == ["emit a1 b2", "emit a11 b12"]
    with pytest.raises(ValueError, match="'for' must be more than 0"):
        CooldownOptions(for_=0)


def test_a_late_event_changes_which() -> None:
    bench = throttled(per=10 * SECOND, matches=2)
    bench.run(written("a6 b7 a11 b12 a16 b16 b18 a3 b4"))
    assert short(bench.updates) == [
        "emit a6 b7",
        "emit a11 b12",
        "emit a16 b18",
        "retract a11 b12",
        "emit a3 b4",
    ]


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"per": 0, "matches": 1}, "'per' must be more than 0"),
        ({"per": 1, "matches": 0}, "'matches' must be at least 1"),
    ],
)
def test_there_is_a_time_and_a_number(options: dict[str, int], what: str) -> None:
    with pytest.raises(ValueError, match=what):
        ThrottleOptions(**options)
