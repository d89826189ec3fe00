"""The built-in recompute policies pass the suite for recompute policies."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from limecep.spec import NoOptions
from limecep.testing.elsewhere import check_hashes
from limecep.testing.recompute import RecomputeConformance
from limecep_recompute.exact import Exact
from limecep_recompute.paper import Paper

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.plan.plan import Plan
    from limecep.testing.elsewhere import Traced

EXAMPLES = int(os.environ.get("LIMECEP_EXAMPLES", "300"))


class TestExact(RecomputeConformance):
    examples = EXAMPLES // 20
    test_what_it_gives_depends_on_no_hash_and_no_wall_clock = None  # Of all together, below.

    def make_policy(self, plan: Plan, context: Context) -> Exact:
        return Exact(plan, NoOptions(), context)


class TestPaper(RecomputeConformance):
    exact = False
    examples = 25
    test_what_it_gives_depends_on_no_hash_and_no_wall_clock = None  # Of all together, below.
    # Not every draw has a case that it misses.
    seed = 1

    def make_policy(self, plan: Plan, context: Context) -> Paper:
        return Paper(plan, NoOptions(), context)


def test_what_they_give_depends_on_no_hash_and_no_wall_clock(together: Traced) -> None:
    check_hashes(together)
