"""The sink does what every sink must do."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from limecep.testing.transport import SinkConformance
from limecep_mine.config import MineOptions
from limecep_mine.sink import MineSink

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.api import Context, Record


class TestMineSink(SinkConformance):
    ordered = True

    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self.folder = tmp_path

    def make_channel(self) -> str:
        return uuid4().hex

    def make_sink(self, channel: str, context: Context) -> MineSink:
        return MineSink(channel, None, MineOptions(), context)

    def received(self, channel: str, count: int) -> list[Record]:
        return [json.loads(path.read_bytes()) for path in sorted((self.folder / channel).glob("*.json"))]
