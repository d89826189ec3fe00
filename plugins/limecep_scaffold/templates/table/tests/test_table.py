"""The table does what every table must do, and what it is for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.testing.table import TableConformance
from limecep_mine.config import MineOptions
from limecep_mine.table import MineTable

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.api import Context


class TestMineTable(TableConformance):
    channel = "limits.conf"
    absent = "nowhere.conf"
    samples = ({"name": "press-1", "value": 80.0}, {"name": "press-2", "value": "off"})

    @pytest.fixture(autouse=True)
    def _written(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(type(self), "root", tmp_path)
        (tmp_path / self.channel).write_text("# limits\npress-1 = 80\npress-2 = off\n")

    def make_table(self, channel: str, context: Context) -> MineTable:
        return MineTable(channel, MineOptions(), context)
