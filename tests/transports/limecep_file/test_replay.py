"""The lines of a file once more: from the first one, or from behind some."""

from __future__ import annotations

import logging
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.errors import RunFailure
from limecep_file import replay
from limecep_file.config import FileSettings
from limecep_file.replay import TURN_LINES, Again, Places
from limecep_file.stream import FileStream

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def read_again(tmp_path: Path) -> Callable[..., Again]:
    """The first `count` lines of a file of the numbers from 1."""
    path = tmp_path / "numbers"

    def make(count: int, there: int = 100) -> Again:
        path.write_bytes(b"".join(b"%d\n" % n for n in range(1, there + 1)))
        context = Context(
            label="t", clock=ManualClock(), counters=Counter(), logger=logging.getLogger(), root=tmp_path
        )
        return Again(lambda: FileStream(path, "numbers", FileSettings(), context, 7), count)

    return make


def values(log: Again) -> list[int]:
    return [int(message.value) for message in log]


@pytest.mark.parametrize("count", [0, 1, TURN_LINES, TURN_LINES + 1, 100])
def test_the_lines_that_there_were_come_again(count: int, read_again: Callable[..., Again]) -> None:
    log = read_again(count)
    assert values(log) == [*range(1, count + 1)]
    assert values(log) == []


@pytest.mark.parametrize("taken", [0, 1, 5])
@pytest.mark.parametrize("skipped", [1, TURN_LINES - 2, TURN_LINES, 40])
def test_lines_may_be_passed_over(taken: int, skipped: int, read_again: Callable[..., Again]) -> None:
    log = read_again(50)
    assert [int(next(log).value) for _ in range(taken)] == [*range(1, taken + 1)]
    log.skip(skipped)
    assert values(log) == [*range(taken + skipped + 1, 51)]


def test_all_may_be_passed_over_and_more(read_again: Callable[..., Again]) -> None:
    log = read_again(50)
    log.skip(50)
    assert values(log) == []
    log = read_again(50, there=10)
    log.skip(60)
    assert values(log) == []


def test_what_is_not_wanted_is_not_opened() -> None:
    def never() -> FileStream:
        raise AssertionError

    log = Again(never, 3)
    log.skip(3)
    assert values(log) == []
    assert values(Again(never, 0)) == []


def test_fewer_lines_than_there_were_are_a_failure(read_again: Callable[..., Again]) -> None:
    log = read_again(50, there=20)
    found = [int(next(log).value) for _ in range(20)]
    assert found == [*range(1, 21)]
    with pytest.raises(RunFailure, match="cannot read numbers again: it is shorter than it was"):
        next(log)
    log = read_again(50, there=20)
    with pytest.raises(RunFailure, match="it is shorter than it was"):
        log.skip(30)


def test_the_file_is_closed_when_all_was_read(read_again: Callable[..., Again]) -> None:
    log = read_again(3)
    next(log)
    stream = log._stream
    assert stream is not None
    assert stream._feed is not None
    assert values(log) == [2, 3]
    with pytest.raises(ValueError, match="closed"):
        stream._feed.read(0.0)


def test_the_place_before_a_line_is_the_nearest_that_was_noted() -> None:
    places = Places()
    assert places.before(5) == (0, 0)
    for line, offset in [(3, 30), (7, 70), (7, 71), (5, 50), (9, 90)]:
        places.add(line, offset)
    assert [places.before(n) for n in (2, 3, 6, 7, 8, 9, 99)] == [
        (0, 0), (3, 30), (3, 30), (7, 70), (7, 70), (9, 90), (9, 90),
    ]  # fmt: skip


def test_of_too_many_places_every_other_one_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "KEPT_PLACES", 4)
    places = Places()
    for n in range(1, 6):
        places.add(n, 10 * n)
    assert [places.before(n) for n in range(6)] == [(0, 0), (1, 10), (1, 10), (3, 30), (3, 30), (5, 50)]
    places.add(6, 60)
    assert places.before(6) == (6, 60)
