"""The engine does what every engine must do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.testing.engine import EngineConformance
from limecep_naive.config import NaiveOptions
from limecep_naive.engine import NaiveEngine

if TYPE_CHECKING:
    from limecep.api import Context, Plan


class TestNaiveEngine(EngineConformance):
    examples = 100

    def make_engine(self, plan: Plan, context: Context) -> NaiveEngine:
        return NaiveEngine(plan, NaiveOptions(), context)
