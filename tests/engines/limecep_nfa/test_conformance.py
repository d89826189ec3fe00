"""The engine does what every engine must do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.spec import NoOptions
from limecep.testing.engine import EngineConformance
from limecep_nfa.engine import NfaEngine

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.plan.plan import Plan


class TestNfa(EngineConformance):
    examples = 300

    def make_engine(self, plan: Plan, context: Context) -> NfaEngine:
        return NfaEngine(plan, NoOptions(), context)
