"""The built-in recompute policies pass the suite for recompute policies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.spec import NoOptions
from limecep.testing.recompute import RecomputeConformance
from limecep_recompute.exact import Exact
from limecep_recompute.paper import Paper

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.plan.plan import Plan


class TestExact(RecomputeConformance):
    examples = 25

    def make_policy(self, plan: Plan, context: Context) -> Exact:
        return Exact(plan, NoOptions(), context)


class TestPaper(RecomputeConformance):
    exact = False
    examples = 25
    # Not every draw has a case that it misses.
    seed = 1

    def make_policy(self, plan: Plan, context: Context) -> Paper:
        return Paper(plan, NoOptions(), context)
