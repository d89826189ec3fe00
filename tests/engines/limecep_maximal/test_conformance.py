"""The engine does what every engine must do."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from limecep.testing.engine import EngineConformance
from limecep_maximal.config import MaximalOptions
from limecep_maximal.engine import MaximalEngine

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.plan.plan import Plan

EXAMPLES = int(os.environ.get("LIMECEP_EXAMPLES", "300"))


class TestMaximal(EngineConformance):
    examples = EXAMPLES

    def make_engine(self, plan: Plan, context: Context) -> MaximalEngine:
        return MaximalEngine(plan, MaximalOptions(), context)
