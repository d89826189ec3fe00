"""The built-in lateness policies pass the suite for lateness policies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from limecep.statistics import Statistics
from limecep.testing.elsewhere import check_hashes
from limecep.testing.lateness import LatenessConformance
from limecep.testing.streams import SECOND
from limecep_lateness.accept import Accept
from limecep_lateness.bound import Bound
from limecep_lateness.config import (
    AcceptOptions,
    BoundOptions,
    DeviationOptions,
    QuantileOptions,
    ScoreOptions,
)
from limecep_lateness.deviation import Deviation
from limecep_lateness.quantile import Quantile
from limecep_lateness.score import Score

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.contracts.lateness import LatenessPolicy
    from limecep.plan.plan import Plan
    from limecep.testing.elsewhere import Traced


class Made(LatenessConformance):
    """Makes what `made` says."""

    made: ClassVar[tuple[Any, Any]]
    test_what_it_gives_depends_on_no_hash_and_no_wall_clock = None  # Of all together, below.

    def make_policy(self, plan: Plan, context: Context) -> LatenessPolicy:
        factory, options = self.made
        policy: LatenessPolicy = factory(plan, options, context)
        return policy


def test_those_that_learn_say_so() -> None:
    learning = {c: c.learns for c in (Accept, Bound, Score, Deviation, Quantile)}
    assert learning == {Accept: False, Bound: False, Score: True, Deviation: True, Quantile: True}


@pytest.mark.parametrize(
    ("factory", "options", "bounded"),
    [(Accept, AcceptOptions(), False), (Accept, AcceptOptions(within=5), True),
     (Bound, BoundOptions(within=5), True)],
)  # fmt: skip
def test_options_tell_beforehand_whether_there_is_a_horizon(
    factory: type[Accept | Bound], options: Any, bounded: bool
) -> None:
    nothing: Any = None
    assert options.bounded is bounded
    assert (factory(nothing, options, nothing).horizon(Statistics({})) is not None) is bounded


class TestAcceptAll(Made):
    made = (Accept, AcceptOptions())


class TestAcceptWithin(Made):
    made = (Accept, AcceptOptions(within=5 * SECOND))


class TestBound(Made):
    made = (Bound, BoundOptions(within=5 * SECOND))


class TestScore(Made):
    made = (Score, ScoreOptions())


class TestScoreThatRefusesMuch(Made):
    made = (Score, ScoreOptions(factor=1.2, warm_up=0, relative=True, half_life=10))


class TestDeviation(Made):
    made = (Deviation, DeviationOptions(k=1, warm_up=5))


class TestQuantile(Made):
    made = (Quantile, QuantileOptions(quantile=0.8, warm_up=5))


def test_what_they_give_depends_on_no_hash_and_no_wall_clock(together: Traced) -> None:
    check_hashes(together)
