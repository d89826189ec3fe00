"""Options of files that make no sense are refused."""

from __future__ import annotations

from typing import Any

import pytest

from limecep_file.config import FileSettings, FileSinkOptions


@pytest.mark.parametrize(("channel", "path"), [("out.jsonl.gz", ""), ("", "late.JSONL.GZ")])
def test_a_name_that_promises_compression_is_refused(channel: str, path: str) -> None:
    (problem,) = FileSinkOptions(path=path).vet(channel)
    name = channel or path
    assert problem.code == "bad-channel"
    assert problem.message == f"'{name}' would not be compressed: files are written as plain JSON lines"
    assert problem.hint == f"write to {name[:-3]}, and compress it afterwards"
    assert FileSinkOptions(path="late.gz").vet("out.jsonl") == []


@pytest.mark.parametrize("speed", [0, -1, float("inf"), float("nan")])
def test_a_speed_is_above_0(speed: float) -> None:
    with pytest.raises(ValueError, match="'speed' must be max, or a number above 0"):
        FileSettings(speed=speed)


@pytest.mark.parametrize("speed", ["max", 0.5, 1, 1000])
def test_a_speed_is_max_or_a_number(speed: Any) -> None:
    assert FileSettings(speed=speed).speed == speed


def test_a_line_has_a_byte_at_least() -> None:
    assert FileSettings(max_line=1).max_line == 1
    with pytest.raises(ValueError, match="'max_line' must be at least 1 byte"):
        FileSettings(max_line=0)


def test_by_default_a_file_ends_and_is_read_as_fast_as_it_can_be() -> None:
    settings = FileSettings()
    assert (settings.speed, settings.follow, settings.live) == ("max", False, False)
    assert settings.max_line == 1024 * 1024
    assert FileSettings(follow=True).live
