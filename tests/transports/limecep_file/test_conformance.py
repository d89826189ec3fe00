"""Files are transports like any other, as far as they can be."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, ClassVar
from uuid import uuid4

import pytest

from limecep.testing.transport import SinkConformance, SourceConformance
from limecep_file.config import FileOptions, FileSettings, FileSinkOptions
from limecep_file.sinks import file_sink
from limecep_file.source import FileSource

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from limecep.contracts.context import Context
    from limecep.contracts.sink import Sink
    from limecep.contracts.source import Source
    from limecep.output.record import Record
    from limecep.testing.transport import Outgoing


class TestFiles(SourceConformance):
    live = False
    remembers = False
    log = True
    seeks = False
    lines = True
    settings: ClassVar[FileSettings] = FileSettings()

    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self.folder = tmp_path

    def make_channel(self) -> str:
        name = f"{uuid4().hex}.jsonl"
        (self.folder / name).touch()
        return name

    def make_source(self, channel: str, context: Context) -> Source:
        return FileSource(channel, self.settings, FileOptions(), context)

    def make_unreachable(self, context: Context) -> Source | None:
        return self.make_source("nowhere.jsonl", context)

    def publish(self, channel: str, messages: Sequence[Outgoing]) -> None:
        with (self.folder / channel).open("ab") as file:
            file.write(b"".join(m.value + b"\n" for m in messages))

    def publish_text(self, channel: str, data: bytes) -> None:
        with (self.folder / channel).open("ab") as file:
            file.write(data)


class TestFollowedFiles(TestFiles):
    live = True
    settings: ClassVar[FileSettings] = FileSettings(follow=True)

    def make_unreachable(self, context: Context) -> Source | None:
        return None


class TestFileSink(SinkConformance):
    ordered = True

    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self.folder = tmp_path

    def make_channel(self) -> str:
        return f"{uuid4().hex}.jsonl"

    def make_sink(self, channel: str, context: Context) -> Sink:
        return file_sink(channel, None, FileSinkOptions(), context)

    def received(self, channel: str, count: int) -> list[Record]:
        return [json.loads(line) for line in (self.folder / channel).read_bytes().splitlines()]
