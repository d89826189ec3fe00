"""What engines do with events, memory and hashes is noticed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.testing.engine import EngineConformance
from tests.kernel.testing.test_engine import Naive, Silent, suite

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep.contracts.context import Context
    from limecep.contracts.engine import Engine
    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.plan.plan import Plan
    from limecep.store.view import View


class Marks(Silent):
    def matches(self, end: Event, view: View) -> Iterator[Match]:
        end.payload["seen"] = True
        return super().matches(end, view)


class Hoards(Silent):
    def __init__(self, plan: Plan, context: Context) -> None:
        super().__init__(plan, context)
        self._seen: list[list[int]] = []

    def matches(self, end: Event, view: View) -> Iterator[Match]:
        self._seen.append([0] * 20)
        return super().matches(end, view)


class GoesByHash(Naive):
    """Leaves out what the hash of a text says."""

    def matches(self, end: Event, view: View) -> Iterator[Match]:
        return super().matches(end, view) if hash(end.id) % 2 else iter(())


class ByHash(EngineConformance):
    def make_engine(self, plan: Plan, context: Context) -> Engine:
        return GoesByHash(plan, context)


def test_an_engine_that_adds_to_events_is_noticed() -> None:
    with pytest.raises(AssertionError, match=r"was changed: payload was .* and is .*'seen': True"):
        suite(Marks).test_events_are_left_as_they_are("stnm")


def test_an_engine_that_keeps_more_and_more_is_noticed() -> None:
    with pytest.raises(AssertionError, match="bytes more after 1,000 evaluations"):
        suite(Hoards).test_memory_is_bounded("stnm")


def test_an_engine_that_goes_by_hashes_is_noticed() -> None:
    with pytest.raises(AssertionError, match="depends on PYTHONHASHSEED"):
        ByHash().test_what_it_gives_depends_on_no_hash_and_no_wall_clock()
