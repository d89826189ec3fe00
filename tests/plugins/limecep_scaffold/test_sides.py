"""The other side of channels: files, or commands of a shell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.testing.messages import Outgoing
from limecep_scaffold.sides import Reading, Writing

if TYPE_CHECKING:
    from pathlib import Path


def side(base: type, folder: Path, name: str = "{n}.jsonl", command: str = "") -> Any:
    made: Any = type("Side", (base,), {"name": name, "command": command})()
    made.folder = folder
    return made


def test_files_are_written_and_read(tmp_path: Path) -> None:
    writing, reading = side(Writing, tmp_path), side(Reading, tmp_path)
    channel = writing.make_channel()
    assert channel.endswith(".jsonl")
    assert channel != writing.make_channel()
    assert reading.received(channel, 0) == []
    writing.publish(channel, [Outgoing(b'{"n": 1}'), Outgoing(b'{"n": 2}')])
    writing.publish_text(channel, b'{"n": ')
    assert reading.received(channel, 2) == [{"n": 1}, {"n": 2}]
    assert side(Reading, tmp_path).received("gone", 0) == []


def test_so_are_channels_that_commands_reach(tmp_path: Path) -> None:
    writing = side(Writing, tmp_path, "box-{n}", "cat >> $CHANNEL.log")
    reading = side(Reading, tmp_path, "box-{n}", "cat {channel}.log")
    channel = writing.make_channel()
    assert channel.startswith("box-")
    writing.publish(channel, [Outgoing(b"1")])
    assert reading.received(channel, 1) == [1]
    with pytest.raises(AssertionError, match=r"cat \{channel\}.log ends with 1: .*No such file"):
        reading.received("gone", 1)
