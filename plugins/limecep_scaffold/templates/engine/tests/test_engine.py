"""The engine does what every engine must do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.testing.engine import EngineConformance
from limecep_mine.config import MineOptions
from limecep_mine.engine import MineEngine

if TYPE_CHECKING:
    from limecep.api import Context, Plan


class TestMineEngine(EngineConformance):
    #: How many random pairs of pattern and stream are tried; by default a thousand.
    examples = 100

    def make_engine(self, plan: Plan, context: Context) -> MineEngine:
        return MineEngine(plan, MineOptions(), context)
