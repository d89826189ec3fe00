"""Other orders of arrival."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from limecep.model.event import Event
from limecep_test.blocks import OrdersBlock
from limecep_test.orders import arrival, in_order
from tests.plugins.limecep_test.conftest import LIVE, PIPELINE, case

if TYPE_CHECKING:
    from tests.plugins.limecep_test.conftest import House

BOUNDED = PIPELINE.replace("RETURN g.percent AS percent\n", "\n    lateness: {type: bound, within: 5s}\n")
EVENTS = "g3(percent=62) h5 s21 h10 s29 g35(percent=50) h36 h40 s44"
STREAM = [Event("A", f"a{n}", n * 1_000_000, n) for n in range(20)]


def test_every_order_comes_to_the_same(house: House) -> None:
    (result,) = house.results(case(EVENTS, more="any_order: 50"))
    assert result.passed


def test_an_order_that_does_not_is_told_as_short_as_it_can_be(house: House) -> None:
    (result,) = house.results(case(EVENTS, more="any_order: 50"), pipeline=BOUNDED)
    (difference,) = result.differences
    assert difference.what == "any_order"
    said, events, missed, *rest = difference.lines
    assert "of 50 (seed 1) comes to other net results than the events in order; shortened:" in said
    # One event of each step is enough, and one of them is too late.
    assert len(events.split()) == 3
    assert missed.startswith("- fire g=")
    assert any(line.startswith("  refused: extremely_late ") for line in rest)


def test_events_that_are_late_within_bounds_come_to_the_same(house: House) -> None:
    for pipeline in (BOUNDED, LIVE):
        more = "any_order: {orders: 30, delay: 5s, seed: 3}"
        (result,) = house.results(case(EVENTS, more=more), pipeline=pipeline)
        assert result.passed


@pytest.mark.parametrize("delay", [None, 5_000_000])
def test_an_order_has_every_event_some_twice_and_is_decided_by_its_seed(delay: int | None) -> None:
    orders = OrdersBlock(orders=1, duplicates=0.5, delay=delay)
    first, again, other = (arrival(STREAM, Random(seed), orders) for seed in (1, 1, 2))
    ids = [e.id for e in first]
    assert ids == [e.id for e in again]
    assert ids != [e.id for e in other]
    assert set(ids) == {e.id for e in STREAM}
    assert len(STREAM) < len(ids) < 2 * len(STREAM)
    assert [e.t_arr for e in first] == sorted(e.t_arr for e in first)
    assert all(e.t_arr - e.t_gen >= 0 for e in first)
    if delay is not None:
        assert max(e.t_arr - e.t_gen for e in first) <= delay


def test_in_order_each_event_comes_once_when_it_happens() -> None:
    mixed = [STREAM[3], STREAM[1], Event("A", "a1", 1_000_000, 9, payload={"v": 1})]
    assert [(e.id, e.t_arr, e.payload) for e in in_order(mixed)] == [
        ("a1", 1_000_000, {}),
        ("a3", 3_000_000, {}),
    ]
