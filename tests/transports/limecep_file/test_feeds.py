"""Bytes of files, pipes and files that grow."""

from __future__ import annotations

import gzip
import os
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from limecep.clock import Stopwatch
from limecep_file import feeds
from limecep_file.feeds import UNREADABLE, Feed, FollowFeed, PipeFeed, RecodedFeed, WholeFeed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def rest(feed: Feed) -> list[bytes]:
    """What comes until the end, piece by piece; the file is closed."""
    found = []
    while (data := feed.read(0.0)) is not None:
        found.append(data)
    feed.close()
    return found


def test_a_file_comes_in_chunks_to_its_end(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"0123456789")
    feed = WholeFeed(tmp_path / "a", 4)
    assert (feed.progress, feed.offset, feed.generation) == ((0, 10), 0, 0)
    assert feed.read(0.0) == b"0123"
    assert (feed.progress, feed.offset) == ((4, 10), 4)
    assert rest(feed) == [b"4567", b"89"]


def test_how_much_of_a_file_was_read_is_known_while_it_is_open(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"0123456789")
    feed = WholeFeed(tmp_path / "a", 4)
    feed.read(0.0)
    assert feed.progress == (4, 10)
    feed.close()
    assert feed.progress is None


def test_a_file_can_be_gone_to_a_place_of(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"0123456789")
    feed = WholeFeed(tmp_path / "a", 4)
    feed.seek(7)
    assert rest(feed) == [b"789"]
    feed.close()


@pytest.mark.parametrize("name", ["a.gz", "A.GZ"])
def test_gzip_is_unpacked_and_has_no_places(tmp_path: Path, name: str) -> None:
    packed = gzip.compress(b"0123456789")
    (tmp_path / name).write_bytes(packed)
    feed = WholeFeed(tmp_path / name, 4)
    assert (feed.progress, feed.offset) == ((0, len(packed)), None)
    assert b"".join(rest(feed)) == b"0123456789"
    with pytest.raises(ValueError, match="closed"):
        feed.read(0.0)


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    into, out = os.pipe()
    yield into, out
    for end in (into, out):
        with suppress(OSError):
            os.close(end)


def test_a_pipe_gives_what_is_there_and_ends_with_its_writer(pipe: tuple[int, int]) -> None:
    into, out = pipe
    feed = PipeFeed(into, 4, own=True)
    assert (feed.progress, feed.offset, feed.generation) == (None, None, 0)
    watch = Stopwatch()
    assert feed.read(0.05) == b""
    assert watch.seconds >= 0.04
    os.write(out, b"012345")
    assert feed.read(0.0) == b"0123"
    os.close(out)
    assert rest(feed) == [b"45"]
    with pytest.raises(OSError, match="a pipe is read once"):
        feed.seek(0)


@pytest.mark.parametrize("own", [True, False])
def test_a_pipe_that_is_somebody_elses_stays_open(own: bool, pipe: tuple[int, int]) -> None:
    feed = PipeFeed(pipe[0], 4, own=own)
    feed.close()
    feed.close()
    if own:
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(pipe[0])
    else:
        os.fstat(pipe[0])


@pytest.mark.parametrize("chunk", [1, 2, 3, 100])
def test_text_is_recoded_wherever_it_is_cut(tmp_path: Path, chunk: int) -> None:
    (tmp_path / "a").write_bytes("é𝄞".encode("utf-16"))
    feed = RecodedFeed(WholeFeed(tmp_path / "a", chunk), "utf-16")
    assert (feed.offset, feed.generation) == (None, 0)
    assert feed.progress == (0, 8)
    assert b"".join(rest(feed)) == "é𝄞".encode()
    with pytest.raises(OSError, match="recoded text is read from its beginning"):
        feed.seek(0)


def test_bytes_that_are_no_text_are_marked(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a\x81b")
    assert rest(RecodedFeed(WholeFeed(tmp_path / "a", 9), "cp1252")) == [b"a" + UNREADABLE + b"b"]
    (tmp_path / "b").write_bytes("a".encode("utf-16-le") + b"\x00")
    assert rest(RecodedFeed(WholeFeed(tmp_path / "b", 9), "utf-16-le")) == [b"a", UNREADABLE]


def test_recoded_text_waits_as_what_it_reads_does(pipe: tuple[int, int]) -> None:
    into, out = pipe
    feed = RecodedFeed(PipeFeed(into, 4, own=False), "latin-1")
    assert feed.read(0.0) == b""
    os.write(out, b"\xe9")
    assert feed.read(0.0) == "é".encode()
    os.close(out)
    assert feed.read(0.0) is None


def test_a_file_that_grows_never_ends(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"012345")
    feed = FollowFeed(tmp_path / "a", 4)
    assert (feed.progress, feed.offset, feed.generation) == (None, None, 0)
    assert [feed.read(0.0) for _ in range(3)] == [b"0123", b"45", b""]
    with (tmp_path / "a").open("ab") as file:
        file.write(b"67")
    assert feed.read(0.0) == b"67"
    watch = Stopwatch()
    assert feed.read(0.12) == b""
    assert 0.12 <= watch.seconds < 5
    feed.seek(5)
    assert feed.read(0.0) == b"567"
    feed.close()


def test_a_file_that_is_cut_begins_anew(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"0123")
    feed = FollowFeed(tmp_path / "a", 9)
    feed.read(0.0)
    (tmp_path / "a").write_bytes(b"x")
    assert [feed.read(0.0), feed.read(0.0)] == [b"", b"x"]
    assert feed.generation == 1
    (tmp_path / "a").write_bytes(b"y")
    assert [feed.read(0.0), feed.generation] == [b"", 1], "as long as before: nobody can tell"
    feed.close()


def test_a_file_that_comes_in_the_place_of_one_is_read_after_the_rest_of_that(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"0123")
    feed = FollowFeed(tmp_path / "a", 3)
    feed.read(0.0)
    (tmp_path / "a").rename(tmp_path / "b")
    assert [feed.read(0.0), feed.read(0.0), feed.generation] == [b"3", b"", 0]
    with (tmp_path / "b").open("ab") as file:
        file.write(b"4567")
    (tmp_path / "a").write_bytes(b"new")
    assert [feed.read(0.0), feed.read(0.0), feed.generation] == [b"456", b"7", 0]
    assert [feed.read(0.0), feed.generation] == [b"", 1]
    assert feed.read(0.0) == b"new"
    feed.close()


def test_recoding_begins_anew_with_another_file(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes("ab".encode("utf-16-le") + b"\x00")
    feed = RecodedFeed(FollowFeed(tmp_path / "a", 99), "utf-16-le")
    assert feed.read(0.0) == b"ab"
    (tmp_path / "a").write_bytes("c".encode("utf-16-le"))
    assert [feed.read(0.0), feed.read(0.0), feed.generation] == [b"", b"c", 1]
    feed.close()


def test_a_pipe_is_read_where_it_cannot_be_waited_for(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows, where `select` takes sockets only."""
    monkeypatch.setattr(feeds, "_CAN_WAIT", False)
    into, out = pipe
    feed = PipeFeed(into, 4, own=False)
    os.write(out, b"abcdef")
    os.close(out)
    assert [feed.read(0.0), feed.read(0.0), feed.read(0.0)] == [b"abcd", b"ef", None]
