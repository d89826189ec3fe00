"""The engine does what every engine must do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.testing.engine import EngineConformance
from limecep_maximal.config import MaximalOptions
from limecep_maximal.engine import MaximalEngine

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.plan.plan import Plan


class TestMaximal(EngineConformance):
    # 6,500 random pairs of pattern and stream over all tests and both policies.
    examples = 500

    def make_engine(self, plan: Plan, context: Context) -> MaximalEngine:
        return MaximalEngine(plan, MaximalOptions(), context)
