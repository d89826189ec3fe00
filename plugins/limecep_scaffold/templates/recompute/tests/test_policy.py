"""The policy does what every recompute policy must do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.testing.recompute import RecomputeConformance
from limecep_mine.config import MineOptions
from limecep_mine.policy import MinePolicy

if TYPE_CHECKING:
    from limecep.api import Context, Plan


class TestMinePolicy(RecomputeConformance):
    #: How many random pairs of pattern and stream each test tries; by default a hundred.
    examples = 30

    def make_policy(self, plan: Plan, context: Context) -> MinePolicy:
        return MinePolicy(plan, MineOptions(), context)
