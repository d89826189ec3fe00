"""The state store does what every state store must do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.testing.state import StateConformance
from limecep_mine.config import MineOptions
from limecep_mine.store import MineStore

if TYPE_CHECKING:
    from limecep.api import Context


class TestMineStore(StateConformance):
    def make_store(self, context: Context) -> MineStore:
        return MineStore(MineOptions(dir="state"), context)
