"""Files are found, read to their end or followed, and cut into lines with positions."""

from __future__ import annotations

import gzip
import logging
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limecep.clock import ManualClock, Stopwatch
from limecep.contracts.context import Context
from limecep.errors import RunFailure
from limecep_file.config import FileOptions, FileSettings
from limecep_file.formats import default_format
from limecep_file.source import FileSource
from limecep_file.stream import FileStream

CLOCK = ManualClock(42)


def context(root: Path = Path(), **more: Any) -> Context:
    return Context(label="t", clock=CLOCK, counters=Counter(), logger=logging.getLogger(), root=root, **more)


def source(root: Path, channel: str, *, folder: str = "", **settings: Any) -> FileSource:
    made = FileSource(channel, FileSettings(**settings), FileOptions(root=folder), context(root))
    made.open()
    return made


def everything(read: FileSource | FileStream, limit: int = 100) -> list[tuple[str, bytes]]:
    found = []
    try:
        while not read.ended:
            found += [(m.position, m.value) for m in read.poll(limit, 0.0)]
    finally:
        read.close()
    return found


@pytest.mark.parametrize("limit", [1, 2, 100])
def test_lines_come_with_their_positions(tmp_path: Path, limit: int) -> None:
    (tmp_path / "a.csv").write_bytes(b"one\r\n\ntwo\nlast")
    expected = [("a.csv:1", b"one\r"), ("a.csv:2", b""), ("a.csv:3", b"two"), ("a.csv:4", b"last")]
    assert everything(source(tmp_path, "a.csv"), limit) == expected


def test_gzip_is_unpacked(tmp_path: Path) -> None:
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(b"one\ntwo\n"))
    assert [line for _, line in everything(source(tmp_path, "a.csv.gz"))] == [b"one", b"two"]


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz"])
def test_a_whole_file_knows_how_far_it_is(tmp_path: Path, name: str) -> None:
    data = gzip.compress(b"one\ntwo\n") if name.endswith("gz") else b"one\ntwo\n"
    (tmp_path / name).write_bytes(data)
    (part,) = source(tmp_path, name).parts()
    assert part.progress == (0, len(data))
    while not part.ended:
        part.poll(1, 0.0)
    assert part.progress == (len(data), len(data))
    part.close()


@pytest.mark.parametrize("settings", [{"follow": True}, {"speed": 2.0}])
def test_where_reading_is_not_what_takes_the_time_nobody_knows(
    tmp_path: Path, settings: dict[str, Any]
) -> None:
    (tmp_path / "a.csv").write_bytes(b"one\n")
    (part,) = source(tmp_path, "a.csv", **settings).parts()
    assert part.progress is None
    part.close()


@pytest.mark.parametrize("data", [b"not gzip", gzip.compress(b"line\n" * 100_000)[:-30]])
def test_damaged_gzip_ends_the_run_in_words(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.gz").write_bytes(data)
    with pytest.raises(RunFailure, match=r"cannot read a\.gz"):
        everything(source(tmp_path, "a.gz"))


def test_what_comes_before_the_damage_is_read(tmp_path: Path) -> None:
    whole = "".join(f"line {n}\n" for n in range(1, 50_001)).encode()
    (tmp_path / "a.gz").write_bytes(gzip.compress(whole)[:-5_000])
    read = source(tmp_path, "a.gz")
    found: list[bytes] = []

    def go_on() -> None:
        while not read.ended:
            found.extend(m.value for m in read.poll(1000, 0.0))

    with pytest.raises(RunFailure) as failure:
        go_on()
    read.close()
    assert 10_000 < len(found) < 50_000
    assert found == whole.split(b"\n")[: len(found)]
    assert f"cannot read a.gz after line {len(found)}: " in str(failure.value)


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


def test_a_line_that_is_too_long_comes_cut_with_an_error(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 10 + b"\n" + b"y" * 3_000_000 + b"\nok\n" + b"z" * 11)
    read = source(tmp_path, "a", max_line=10)
    found = []
    while not read.ended:
        found += read.poll(100, 0.0)
    read.close()
    assert [(m.value, bool(m.error)) for m in found] == [
        (b"x" * 10, False), (b"y" * 10, True), (b"ok", False), (b"z" * 10, True),
    ]  # fmt: skip
    assert found[1].error == "the line is longer than 10 bytes: max_line allows longer ones"


@given(st.binary(max_size=60), st.integers(1, 8), st.integers(1, 5))
def test_lines_do_not_depend_on_how_bytes_come(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, chunk: int, longest: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "lines"
    path.write_bytes(data)
    stream = FileStream(path, "f", FileSettings(max_line=longest), context(), chunk)
    stream.open()
    expected = data.split(b"\n")
    expected = expected if expected[-1] else expected[:-1]
    assert [line for _, line in everything(stream)] == [line[:longest] for line in expected]


def test_utf16_without_a_mark_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes("one\n".encode("utf-16-le"))
    stream = FileStream(tmp_path / "a", "a", FileSettings(), context(encoding="utf-16"), 4096)
    stream.open()
    with pytest.raises(RunFailure, match="cannot read a as utf-16: say utf-16-le or utf-16-be"):
        everything(stream)


@pytest.mark.parametrize("chunk", [1, 2, 3, 4096])
def test_characters_may_be_cut_where_bytes_are(tmp_path: Path, chunk: int) -> None:
    (tmp_path / "a").write_bytes("\u0a0d𝄞\né\n".encode("utf-16") + b"\x00")
    stream = FileStream(tmp_path / "a", "a", FileSettings(), context(encoding="utf-16"), chunk)
    stream.open()
    found = []
    while not stream.ended:
        found += stream.poll(9, 0.0)
    stream.close()
    assert [m.value for m in found[:2]] == ["\u0a0d𝄞".encode(), "é".encode()]
    assert [m.error for m in found] == ["", "", "not utf-16 at column 1"]


def test_what_is_appended_is_followed(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"one\ntw")
    read = source(tmp_path, "a", follow=True)
    assert [(m.value, m.t_arr) for m in read.poll(10, 0.0)] == [(b"one", 42)]
    assert read.poll(10, 0.0) == []
    with path.open("ab") as file:
        file.write(b"o\nthree\n")
    assert [(m.value, m.position) for m in read.poll(10, 0.0)] == [(b"two", "a:2"), (b"three", "a:3")]
    assert not read.ended
    read.close()


def test_rotation_and_truncation_are_followed(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"one\n")
    read = source(tmp_path, "a", follow=True)

    def lines() -> list[tuple[bytes, str]]:
        return [(m.value, m.position) for _ in range(4) for m in read.poll(10, 0.0)]

    assert lines() == [(b"one", "a:1")]
    with path.open("ab") as file:
        file.write(b"two\ntorn")
    path.rename(tmp_path / "a.1")
    assert lines() == [(b"two", "a:2")]  # The old file goes on until there is a new one.
    path.write_bytes(b"new\n")
    assert lines() == [(b"torn", "a:3"), (b"new", "a:1")]
    path.write_bytes(b"x\n")
    assert lines() == [(b"x", "a:1")]
    read.close()


def test_waiting_ends_with_the_timeout(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    read = source(tmp_path, "a", follow=True)
    watch = Stopwatch()
    assert read.poll(10, 0.1) == []
    assert 0.1 <= watch.seconds < 2
    read.close()


def test_gzip_cannot_be_followed(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(b""))
    with pytest.raises(RunFailure, match="cannot be followed"):
        source(tmp_path, "a.gz", follow=True)


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


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("follow", [False, True])
def test_what_was_polled_is_read_again(tmp_path: Path, packed: bool, follow: bool) -> None:
    if packed and follow:
        pytest.skip("a gzip file cannot be followed")
    name = "a.gz" if packed else "a"
    write = gzip.open if packed else open
    with write(tmp_path / name, "wb") as file:
        file.write(b"".join(b"%d\n" % n for n in range(100)))
    read = source(tmp_path, name, follow=follow)
    (part,) = read.parts()
    polled = [m for _ in range(7) for m in part.poll(9, 0.0)]
    for log in (read.replay(0, 1), part.replay(0, 1)):
        assert log is not None
        assert [(m.value, m.position) for m in log] == [(m.value, m.position) for m in polled]
    assert [m.value for m in part.poll(1, 0.0)] == [b"63"]
    read.close()


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


def test_a_file_that_is_shorter_than_it_was_fails_as_it_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1\n2\n3\n")
    read = source(tmp_path, "a")
    read.poll(9, 0.0)
    (tmp_path / "a").write_text("1\n")
    log = read.replay(0, 1)
    assert log is not None
    with pytest.raises(RunFailure, match="cannot read a again: it is shorter than it was"):
        list(log)
    (tmp_path / "a").unlink()
    log = read.replay(0, 1)
    assert log is not None
    with pytest.raises(RunFailure, match="cannot read a"):
        list(log)
    read.close()


def test_closing_twice_or_unopened_is_harmless(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    read = source(tmp_path, "a")
    read.close()
    read.close()
    FileStream(None, "-", FileSettings(), context(), 1).close()


def test_speed_is_a_number_or_none(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    for settings, speed in (({}, None), ({"speed": 10}, 10.0)):
        read = source(tmp_path, "a", **settings)
        assert read.speed == read.parts()[0].speed == speed
        read.close()
    with pytest.raises(ValueError, match="speed"):
        FileSettings(speed=0)


@pytest.mark.parametrize(
    ("channel", "codec"),
    [("a.csv", "csv"), ("x/*.CSV.gz", "csv"), ("a.jsonl", "json"), ("a.ndjson.gz", "json"),
     ("a.json", "json"),
     ("-", "json"), ("a.log", ""), ("csv", "")],
)  # fmt: skip
def test_the_codec_follows_from_the_name(channel: str, codec: str) -> None:
    assert default_format(channel) == codec
