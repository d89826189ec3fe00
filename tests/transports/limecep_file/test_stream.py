"""One file as a stream of lines with positions, which a later run can go on with."""

from __future__ import annotations

import gzip
import logging
import os
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limecep.clock import ManualClock, Stopwatch
from limecep.contracts.context import Context
from limecep.errors import RunFailure
from limecep_file.config import FileSettings
from limecep_file.replay import Places
from limecep_file.stream import FileStream


def context(**more: Any) -> Context:
    given = {"logger": logging.getLogger(), **more}
    return Context(label="t", clock=ManualClock(42), counters=Counter(), root=Path(), **given)


def stream(
    root: Path,
    name: str,
    *,
    chunk: int = 4096,
    done: int = 0,
    mark: str = "",
    places: Places | None = None,
    encoding: str = "utf-8",
    resumes: bool = False,
    logger: Any = logging.getLogger(),  # noqa: B008
    **settings: Any,
) -> FileStream:
    known = context(encoding=encoding, resumes=resumes, logger=logger)
    made = FileStream(root / name, name, FileSettings(**settings), known, chunk, done, mark, places)
    try:
        made.open()
    except RunFailure:
        made.close()
        raise
    return made


def everything(read: FileStream, limit: int = 100) -> list[tuple[str, bytes]]:
    found = []
    try:
        while not read.ended:
            found += [(m.position, m.value) for m in read.poll(limit, 0.0)]
    finally:
        read.close()
    return found


def test_a_line_that_is_too_long_comes_cut_with_an_error(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 10 + b"\n" + b"y" * 3_000_000 + b"\nok\n" + b"z" * 11)
    read = stream(tmp_path, "a", max_line=10)
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
    read = FileStream(path, "f", FileSettings(max_line=longest), context(), chunk)
    read.open()
    expected = data.split(b"\n")
    expected = expected if expected[-1] else expected[:-1]
    found = []
    while not read.ended:
        found += read.poll(100, 0.0)
    read.close()
    assert [(m.value, bool(m.error)) for m in found] == [
        (line[:longest], len(line) > longest) for line in expected
    ]


def test_utf16_without_a_mark_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes("one\n".encode("utf-16-le"))
    read = stream(tmp_path, "a", encoding="utf-16")
    with pytest.raises(RunFailure, match="cannot read a as utf-16: say utf-16-le or utf-16-be"):
        everything(read)


@pytest.mark.parametrize("chunk", [1, 2, 3, 4096])
def test_characters_may_be_cut_where_bytes_are(tmp_path: Path, chunk: int) -> None:
    (tmp_path / "a").write_bytes("\u0a0d𝄞\né\n".encode("utf-16") + b"\x00")
    read = stream(tmp_path, "a", chunk=chunk, encoding="utf-16")
    found = []
    while not read.ended:
        found += read.poll(9, 0.0)
    read.close()
    assert [m.value for m in found[:2]] == ["\u0a0d𝄞".encode(), "é".encode()]
    assert [m.error for m in found] == ["", "", "not utf-16 at column 1"]


def test_gzip_cannot_be_followed(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(b""))
    with pytest.raises(RunFailure, match="cannot be followed"):
        stream(tmp_path, "a.gz", follow=True)


def test_what_comes_before_the_damage_is_read(tmp_path: Path) -> None:
    whole = "".join(f"line {n}\n" for n in range(1, 50_001)).encode()
    (tmp_path / "a.gz").write_bytes(gzip.compress(whole)[:-5_000])
    read = stream(tmp_path, "a.gz")
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


def test_what_is_appended_is_followed(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"one\ntw")
    read = stream(tmp_path, "a", follow=True)
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
    read = stream(tmp_path, "a", follow=True)

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


def test_a_file_that_is_shorter_than_it_was_fails_as_it_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1\n2\n3\n")
    read = stream(tmp_path, "a")
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


@pytest.mark.parametrize("data", [b"not gzip", gzip.compress(b"line\n" * 100_000)[:-30]])
def test_damaged_gzip_ends_the_run_in_words(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.gz").write_bytes(data)
    with pytest.raises(RunFailure, match=r"cannot read a\.gz"):
        everything(stream(tmp_path, "a.gz"))


@pytest.mark.parametrize("limit", [1, 2, 100])
def test_lines_come_with_their_positions(tmp_path: Path, limit: int) -> None:
    (tmp_path / "a.csv").write_bytes(b"one\r\n\ntwo\nlast")
    expected = [("a.csv:1", b"one\r"), ("a.csv:2", b""), ("a.csv:3", b"two"), ("a.csv:4", b"last")]
    assert everything(stream(tmp_path, "a.csv"), limit) == expected


def test_gzip_is_unpacked(tmp_path: Path) -> None:
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(b"one\ntwo\n"))
    assert [line for _, line in everything(stream(tmp_path, "a.csv.gz"))] == [b"one", b"two"]


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz"])
def test_a_whole_file_knows_how_far_it_is(tmp_path: Path, name: str) -> None:
    data = gzip.compress(b"one\ntwo\n") if name.endswith("gz") else b"one\ntwo\n"
    (tmp_path / name).write_bytes(data)
    part = stream(tmp_path, name)
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
    part = stream(tmp_path, "a.csv", **settings)
    assert part.progress is None
    part.close()


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("follow", [False, True])
def test_what_was_polled_is_read_again(tmp_path: Path, packed: bool, follow: bool) -> None:
    if packed and follow:
        pytest.skip("a gzip file cannot be followed")
    name = "a.gz" if packed else "a"
    write = gzip.open if packed else open
    with write(tmp_path / name, "wb") as file:
        file.write(b"".join(b"%d\n" % n for n in range(100)))
    part = stream(tmp_path, name, follow=follow)
    polled = [m for _ in range(7) for m in part.poll(9, 0.0)]
    log = part.replay(0, 1)
    assert log is not None
    assert [(m.value, m.position) for m in log] == [(m.value, m.position) for m in polled]
    assert [m.value for m in part.poll(1, 0.0)] == [b"63"]
    part.close()


def test_closing_twice_or_unopened_is_harmless(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    read = stream(tmp_path, "a")
    read.close()
    read.close()
    FileStream(None, "-", FileSettings(), context(), 1).close()


def test_waiting_ends_with_the_timeout(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    read = stream(tmp_path, "a", follow=True)
    watch = Stopwatch()
    assert read.poll(10, 0.1) == []
    assert 0.1 <= watch.seconds < 2
    read.close()


@pytest.mark.parametrize("chunk", [1, 4, 4096])
@pytest.mark.parametrize("name", ["a", "a.gz"])
def test_lines_that_are_done_with_are_not_read_again(tmp_path: Path, name: str, chunk: int) -> None:
    data = b"one\ntwo\nthree\n"
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    first = stream(tmp_path, name)
    mark = first.mark(first.poll(2, 0.0)[1])
    first.close()
    assert everything(stream(tmp_path, name, chunk=chunk, done=2, mark=mark)) == [(f"{name}:3", b"three")]
    assert everything(stream(tmp_path, name, chunk=chunk, done=3)) == []


def test_a_file_that_is_not_what_it_was_ends_the_run_in_words(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"one\ntwo\n")
    first = stream(tmp_path, "a")
    mark = first.mark(first.poll(9, 0.0)[1])
    first.close()
    (tmp_path / "a").write_bytes(b"one\nother\nthree\n")
    with pytest.raises(RunFailure) as failure:
        stream(tmp_path, "a", done=2, mark=mark)
    assert str(failure.value) == (
        "cannot go on reading a: 2 lines of it were read, and now line 2 is another one. "
        "Give it back, or begin anew with 'limecep state reset'"
    )
    (tmp_path / "a").write_bytes(b"one\n")
    with pytest.raises(RunFailure, match="2 lines of it were read, and now it has fewer"):
        stream(tmp_path, "a", done=2, mark=mark)


@pytest.mark.parametrize("now", [b"new\n", b"new\nones\nof\n"])
def test_a_file_that_is_followed_may_be_another_one(tmp_path: Path, now: bytes) -> None:
    (tmp_path / "a").write_bytes(b"one\ntwo\n")
    first = stream(tmp_path, "a", follow=True)
    mark = first.mark(first.poll(9, 0.0)[1])
    first.close()
    (tmp_path / "a").write_bytes(now)
    said = []
    logger = SimpleNamespace(info=lambda text, **more: said.append((text, more)))
    read = stream(tmp_path, "a", done=2, mark=mark, follow=True, logger=logger)
    assert said == [("another file has come in its place, and is read from its beginning", {"file": "a"})]
    lines = now.splitlines()
    assert [(m.value, m.position) for m in read.poll(9, 0.0)] == [
        (line, f"a:{n}") for n, line in enumerate(lines, 1)
    ]
    read.close()


def test_a_mark_is_of_the_beginning_of_a_line_and_of_its_encoding(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 4096 + b"1\n" + b"x" * 4096 + b"2\n" + b"x" * 4095 + b"y\n")
    read = stream(tmp_path, "a", chunk=100_000)
    same, as_well, other = (read.mark(m) for m in read.poll(9, 0.0))
    assert same == as_well != other
    assert same.startswith("utf-8:")
    read.close()
    (tmp_path / "b").write_bytes("é\nü\n".encode("latin-1"))
    recoded = stream(tmp_path, "b", done=1, mark=f"utf-8:{other}", encoding="latin-1")
    assert [m.value for m in recoded.poll(9, 0.0)] == ["ü".encode()], "of another encoding nothing is known"
    recoded.close()


def test_a_last_line_without_end_is_left_for_the_next_run(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"one\ntw")
    read = stream(tmp_path, "a", resumes=True)
    assert read.resumes
    assert [m.value for _ in range(2) for m in read.poll(9, 0.0)] == [b"one"]
    assert (read.ended, read.torn) == (True, True)
    read.close()
    alone = stream(tmp_path, "a")
    assert not alone.resumes
    assert everything(alone) == [("a:1", b"one"), ("a:2", b"tw")]
    assert not alone.torn
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"one\ntw"))
    assert everything(stream(tmp_path, "a.gz", resumes=True)) == [("a.gz:1", b"one"), ("a.gz:2", b"tw")]


@pytest.mark.parametrize("chunk", [3, 16, 4096])
@pytest.mark.parametrize("noted", [True, False])
def test_a_stream_goes_to_behind_a_line(tmp_path: Path, chunk: int, noted: bool) -> None:
    (tmp_path / "a").write_bytes(b"".join(b"%d\n" % n for n in range(1, 101)))
    places = Places()
    everything(stream(tmp_path, "a", chunk=chunk, places=places))
    assert places.before(100) == (100, 292)
    for polled, line in [(0, 0), (0, 40), (3, 3), (3, 4), (10, 77), (0, 100)]:
        read = stream(tmp_path, "a", chunk=chunk, places=places if noted else None)
        read.poll(polled, 0.0)
        read.go_to(line)
        found = everything(read)
        assert found == [(f"a:{n}", b"%d" % n) for n in range(max(line, polled) + 1, 101)], (polled, line)


def test_a_stream_that_has_ended_goes_on_where_there_is_more_now(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"".join(b"%d\n" % n for n in range(1, 101)))
    places = Places()
    read = stream(tmp_path, "a", places=places)
    while not read.ended:
        read.poll(9, 0.0)
    with (tmp_path / "a").open("ab") as file:
        file.writelines(b"%d\n" % n for n in range(101, 201))
    everything(stream(tmp_path, "a", chunk=16, places=places))
    read.go_to(150)
    assert everything(read) == [(f"a:{n}", b"%d" % n) for n in range(151, 201)]


def test_there_is_no_going_behind_the_end(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1\n2\n")
    read = stream(tmp_path, "a")
    with pytest.raises(RunFailure, match="cannot read a again: it is shorter than it was"):
        read.go_to(3)
    read.close()


def test_what_is_too_long_has_no_place_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1\n" + b"x" * 40 + b"\n3\n")
    places = Places()
    lines = everything(stream(tmp_path, "a", chunk=8, places=places, max_line=10))
    for line in range(4):
        read = stream(tmp_path, "a", chunk=8, places=places, max_line=10)
        read.go_to(line)
        assert everything(read) == lines[line:]


def test_what_cannot_be_read_twice_goes_on_with_what_comes(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    out = os.open(tmp_path / "pipe", os.O_RDWR)
    read = stream(tmp_path, "pipe", done=2, resumes=True)
    os.write(out, b"three\n")
    assert [(m.value, m.position) for m in read.poll(9, 1.0)] == [(b"three", "pipe:1")]
    assert not read.resumes
    assert read.replay(0, 1) is None
    os.close(out)
    read.close()


def test_a_followed_file_that_was_cut_is_not_waited_for_when_it_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1\n2\n3\n")
    read = stream(tmp_path, "a", follow=True)
    read.poll(9, 0.0)
    again = read.replay(0, 1)
    assert again is not None
    (tmp_path / "a").write_bytes(b"1\n")
    assert next(again).value == b"1"
    with pytest.raises(RunFailure, match="cannot read a again: it is shorter than it was"):
        next(again)
    read.close()
