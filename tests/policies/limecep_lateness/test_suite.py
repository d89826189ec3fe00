"""The built-in lateness policies pass the suite for lateness policies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

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


class Made(LatenessConformance):
    """Makes what `made` says."""

    made: ClassVar[tuple[Any, Any]]

    def make_policy(self, plan: Plan, context: Context) -> LatenessPolicy:
        factory, options = self.made
        policy: LatenessPolicy = factory(plan, options, context)
        return policy


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
