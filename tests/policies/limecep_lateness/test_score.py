"""What each lateness policy decides, against values worked out by hand."""

from __future__ import annotations

from math import log
from typing import Any

import pytest

from limecep import Event
from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.statistics import Statistics
from limecep.store.store import Store
from limecep.testing.streams import SECOND
from limecep_lateness.config import (
    ScoreOptions,
)
from limecep_lateness.score import Score

NOTHING: Any = None
PLAN = compile_plan(parse("PATTERN SEQ(A a, B b) WITHIN 10 s"), name="p")


def late(behind: int, name: str = "A") -> Event:
    """An event so many seconds behind 100 s."""
    return Event(name, f"x{behind}", (100 - behind) * SECOND, source="s")


# score


def known(*, latest: int | None = None, every: int | None = None, in_order: int = 0) -> Statistics:
    """Statistics at 100 s of a source that began at 0: an A has been stored at `latest` seconds, `in_order`
    events came."""
    store = Store()
    store.subscribe(PLAN)
    statistics = Statistics(store.types)
    statistics.lta = 100 * SECOND
    source = statistics.source("s")
    source.every = every
    source.note_time(0)
    source.note_time(100 * SECOND)
    source.outcomes["in_order"] = in_order
    if latest is not None:
        store.add(Event("A", "stored", latest * SECOND, source="s"), store.types["A"])
    return statistics


def score(statistics: Statistics, behind: int = 20, **options: Any) -> float:
    """What a new policy scores an A so far behind, which the statistics count."""
    event = late(behind)
    statistics.came_late(event)
    return Score(PLAN, ScoreOptions(**options), NOTHING).assess(event, statistics).score


def test_the_distance_to_the_latest_event_of_the_type_enters_by_its_logarithm() -> None:
    assert score(known(latest=95), weights=(1.0, 0.0, 0.0)) == pytest.approx(log(1 + 15))


def test_the_latest_event_of_the_type_may_be_the_earlier_one() -> None:
    assert score(known(latest=70), weights=(1.0, 0.0, 0.0)) == pytest.approx(log(1 + 10))


def test_the_first_event_of_a_type_is_far_from_none() -> None:
    assert score(known(), weights=(1.0, 0.0, 0.0)) == 0.0


def test_the_unit_is_what_the_distance_is_counted_in() -> None:
    assert score(known(latest=95), weights=(1.0, 0.0, 0.0), unit=1000) == pytest.approx(log(1 + 15_000))


def test_the_deviation_from_the_period_enters_by_its_square() -> None:
    # Forty events in order and this one: 40 gaps in 100 s, 2.5 s each.
    options: dict[str, Any] = {"weights": (0.0, 1.0, 0.0)}
    assert score(known(every=5 * SECOND, in_order=40), **options) == pytest.approx(2.5**2)
    assert score(known(every=5 * SECOND, in_order=40), relative=True, **options) == pytest.approx(0.5**2)
    assert score(known(every=5 * SECOND, in_order=40), unit=SECOND // 2, **options) == pytest.approx(5.0**2)
    assert score(known(in_order=40), **options) == 0.0


def test_the_period_enters_in_windows() -> None:
    assert score(known(in_order=40), weights=(0.0, 0.0, 1.0)) == pytest.approx(2.5 / 10)


def test_the_parts_are_added_by_their_weights() -> None:
    whole = score(known(latest=95, every=5 * SECOND, in_order=40))
    assert whole == pytest.approx(0.6 * log(16) + 0.2 * 2.5**2 + 0.2 * 0.25)


def by_distance(**options: Any) -> tuple[Score, Statistics]:
    """A policy that scores an A by the logarithm of its distance to one at 100 s."""
    return Score(PLAN, ScoreOptions(weights=(1.0, 0.0, 0.0), **options), NOTHING), known(latest=100)


def test_the_threshold_is_a_multiple_of_the_average_this_event_included() -> None:
    policy, statistics = by_distance(warm_up=0, factor=1.5)
    first = policy.assess(late(1), statistics)
    assert (first.score, first.threshold) == pytest.approx((log(2), 1.5 * log(2)))
    assert not first.extremely_late
    second = policy.assess(late(15), statistics)
    average = (log(2) + log(16)) / 2
    assert (second.score, second.threshold) == pytest.approx((log(16), 1.5 * average))
    assert second.extremely_late
    assert second.reason == "score 2.77, more than 1.5 times the average 1.73 of its type"
    third = policy.assess(late(3), statistics)
    assert third.threshold == pytest.approx(1.5 * (log(2) + log(16) + log(4)) / 3), "refused ones count too"


def test_each_type_has_an_average_of_its_own() -> None:
    policy, statistics = by_distance(warm_up=0)
    policy.assess(late(15), statistics)
    assert policy.assess(late(15, "B"), statistics).threshold == 0.0
    assert policy.assess(late(15), statistics).threshold == pytest.approx(2.5 * log(16))


def test_nothing_is_refused_before_enough_late_events_of_the_type_were_seen() -> None:
    policy, statistics = by_distance(warm_up=3, factor=0.5)
    refused = [policy.assess(late(5), statistics).extremely_late for _ in range(5)]
    assert refused == [False, False, False, True, True]
    assert not policy.assess(late(5, "B"), statistics).extremely_late


def test_a_refused_event_has_a_reason_and_an_accepted_one_has_none() -> None:
    policy, statistics = by_distance(warm_up=1, factor=0.5)
    assert [bool(policy.assess(late(5), statistics).reason) for _ in range(2)] == [False, True]


def test_older_scores_fade_by_the_half_life() -> None:
    policy, statistics = by_distance(half_life=1, factor=1.0)
    policy.assess(late(1), statistics)
    verdict = policy.assess(late(15), statistics)
    assert verdict.threshold == pytest.approx((log(2) / 2 + log(16)) / 1.5)
