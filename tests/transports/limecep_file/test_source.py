"""Files are found, read to their end or followed, and cut into lines with positions."""

from __future__ import annotations

import logging
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.errors import RunFailure
from limecep.testing.bench import SilentLogger
from limecep_file.config import FileOptions, FileSettings
from limecep_file.source import FileSource

CLOCK = ManualClock(42)


def context(root: Path = Path(), **more: Any) -> Context:
    return Context(label="t", clock=CLOCK, counters=Counter(), logger=logging.getLogger(), root=root, **more)


def source(root: Path, channel: str, *, folder: str = "", **settings: Any) -> FileSource:
    made = FileSource(channel, FileSettings(**settings), FileOptions(root=folder), context(root))
    made.open()
    return made


def everything(read: FileSource, limit: int = 100) -> list[tuple[str, bytes]]:
    found = []
    try:
        while not read.ended:
            found += [(m.position, m.value) for m in read.poll(limit, 0.0)]
    finally:
        read.close()
    return found


def test_an_empty_file_ends_at_once(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    assert everything(source(tmp_path, "a")) == []


def test_absolute_paths_and_roots(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a").write_bytes(b"x\n")
    absolute = str(tmp_path / "data" / "a")
    assert everything(source(Path("/nowhere"), absolute)) == [(f"{absolute}:1", b"x")]
    assert everything(source(tmp_path, "a", folder="data")) == [("a:1", b"x")]


def test_a_glob_has_a_part_for_each_file_by_name(tmp_path: Path) -> None:
    for name in ("b.csv", "a.csv", "c.txt"):
        (tmp_path / name).write_text(name)
    (tmp_path / "d.csv").mkdir()
    read = source(tmp_path, "*.csv")
    assert [part.channel for part in read.parts()] == ["a.csv", "b.csv"]
    assert everything(read.parts()[1]) == [("b.csv:1", b"b.csv")]
    assert not read.ended
    assert everything(read) == [("a.csv:1", b"a.csv")]


def test_a_name_that_looks_like_a_glob_is_a_name_first(tmp_path: Path) -> None:
    (tmp_path / "a[1].csv").write_text("x")
    (tmp_path / "a1.csv").write_text("y")
    assert everything(source(tmp_path, "a[1].csv")) == [("a[1].csv:1", b"x")]


@pytest.mark.parametrize(
    ("channel", "words"), [("no.csv", "looked for"), ("*.csv", "looked in"), ("sub", "is a folder")]
)
def test_what_is_not_there_says_where_it_was_looked_for(tmp_path: Path, channel: str, words: str) -> None:
    (tmp_path / "sub").mkdir()
    with pytest.raises(RunFailure, match=words) as failure:
        source(tmp_path, channel)
    assert channel in str(failure.value)


def test_standard_input_is_read_without_waiting_for_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    into, out = os.pipe()
    with os.fdopen(into) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        read = source(tmp_path, "-")
        assert read.poll(10, 0.0) == []
        os.write(out, b"one\ntw")
        assert [(m.value, m.position) for m in read.poll(10, 1.0)] == [(b"one", "-:1")]
        os.write(out, b"o")
        os.close(out)
        assert everything(read) == [("-:2", b"two")]


def test_a_named_pipe_is_read(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    out = os.open(path, os.O_RDWR)
    read = source(tmp_path, "pipe")
    os.write(out, b"one\n")
    assert [m.value for m in read.poll(10, 1.0)] == [b"one"]
    os.close(out)
    assert everything(read) == []


def test_the_files_of_a_glob_are_read_again_one_after_the_other(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).write_text(f"{name}1\n{name}2\n")
    read = source(tmp_path, "[ab]")
    read.parts()[1].poll(1, 0.0)
    log = read.replay(0, 1)
    assert log is not None
    assert [m.value for m in log] == [b"b1"]
    read.parts()[0].poll(9, 0.0)
    log = read.replay(0, 1)
    assert log is not None
    assert [m.value for m in log] == [b"a1", b"a2", b"b1"]
    read.close()


def test_what_cannot_be_read_twice_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    into, out = os.pipe()
    os.close(out)
    with os.fdopen(into) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        assert source(tmp_path, "-").replay(0, 1) is None
    (tmp_path / "f").write_text("1\n")
    followed = source(tmp_path, "f", follow=True)
    assert followed.replay(0, 1) is not None
    followed.poll(9, 0.0)
    (tmp_path / "f").rename(tmp_path / "g")
    (tmp_path / "f").write_text("2\n")
    assert [m.value for _ in range(2) for m in followed.poll(9, 0.0)] == [b"2"]
    assert followed.replay(0, 1) is None
    followed.close()


def test_speed_is_a_number_or_none(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    for settings, speed in (({}, None), ({"speed": 10}, 10.0)):
        read = source(tmp_path, "a", **settings)
        assert read.speed == read.parts()[0].speed == speed
        read.close()
    with pytest.raises(ValueError, match="speed"):
        FileSettings(speed=0)


def test_lines_without_end_are_told_once_when_it_closes(tmp_path: Path) -> None:
    for name, data in {"a": b"1\ntorn", "b": b"2\n", "c": b"3\ntorn"}.items():
        (tmp_path / name).write_bytes(data)
    told = {}
    for channel in ("a", "b", "[abc]"):
        known = Context(
            label="t", clock=CLOCK, counters=Counter(), logger=SilentLogger(), root=tmp_path, resumes=True
        )
        read = FileSource(channel, FileSettings(), FileOptions(), known)
        read.open()
        everything(read)
        read.close()
        told[channel] = (known.counters["torn_lines"], [text for _, text, _ in known.logger.entries])
        assert [values for _, _, values in known.logger.entries] == [{"file": "a"}] * (channel != "b")
    assert told["a"] == (1, ["1 line without end is left for the next run"])
    assert told["b"] == (0, [])
    hint = "; a file that grows no more is read to its end if its last line gets a line end"
    assert told["[abc]"] == (2, [f"2 lines without end are left for the next run{hint}"])


def test_a_followed_file_does_not_leave_its_last_line_to_anybody(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1\ntorn")
    known = Context(label="t", clock=CLOCK, counters=Counter(), logger=SilentLogger(), root=tmp_path)
    read = FileSource("a", FileSettings(follow=True), FileOptions(), known)
    read.open()
    for _ in range(3):
        read.poll(9, 0.0)
    read.close()
    assert [text for _, text, _ in known.logger.entries] == ["1 line without end is not read"]


def test_files_are_gone_on_with_where_each_was(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).write_text(f"{name}1\n{name}2\n{name}3\n")
    first = source(tmp_path, "[ab]")
    part = first.parts()[1]
    marks = {"b": part.mark(part.poll(1, 0.0)[0])}
    first.close()
    read = FileSource("[ab]", FileSettings(), FileOptions(), context(tmp_path))
    read.seek(["a:2", "b:1"])
    read.recognise(marks)
    read.open()
    assert everything(read) == [("a:3", b"a3"), ("b:2", b"b2"), ("b:3", b"b3")]
    (tmp_path / "b").write_text("other\nb2\n")
    read.recognise(marks)
    with pytest.raises(RunFailure, match="line 1 is another one"):
        read.open()
    read.close()
