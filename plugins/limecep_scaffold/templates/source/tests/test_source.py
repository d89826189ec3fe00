"""The source does what every source must do."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from limecep.testing.transport import SourceConformance
from limecep_mine.config import MineOptions
from limecep_mine.source import MineSource

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from limecep.api import Context
    from limecep.testing.transport import Outgoing


class TestMineSource(SourceConformance):
    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self.folder = tmp_path
        self.count = 0

    def make_channel(self) -> str:
        return uuid4().hex

    def make_source(self, channel: str, context: Context) -> MineSource:
        return MineSource(channel, None, MineOptions(), context)

    def publish(self, channel: str, messages: Sequence[Outgoing]) -> None:
        for message in messages:
            self.count += 1
            hidden = self.folder / channel / f".{self.count:06}"
            hidden.write_bytes(message.value)
            hidden.rename(hidden.with_name(hidden.name[1:]))
