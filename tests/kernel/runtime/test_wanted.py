"""Ranges are given up where there is no room, and what has not come is left out."""

from __future__ import annotations

import pytest

from limecep.runtime.wanted import Unseen, Wanted
from limecep.testing.streams import SECOND, written


def span(low: int, high: int) -> tuple[int, int]:
    return low * SECOND, high * SECOND


@pytest.mark.parametrize(("room", "ids"), [(9, "a2 a3 a5 a7"), (3, "a2 a3 a5"), (1, "a2 a3")])
def test_what_is_needed_is_had_whatever_room_there_is(room: int, ids: str) -> None:
    wanted = Wanted(span(2, 3), [span(5, 5), span(7, 7)], room)
    for number, event in enumerate(written("a7 a2 a5 a3")):
        wanted.add([(number, event)])
    wanted.take()
    assert sorted(e.id for e in wanted.found) == ids.split()


def test_of_copies_those_that_came_last_have_not_come() -> None:
    unseen = Unseen()
    batch = written("a4 a4 a6")
    unseen.begin(batch, 1)
    log = written("a2 a4 a4 a6")
    assert [e.id for e in unseen.left_out(log, [])] == ["a2", "a4"]
    # Neither has what waits.
    assert [e.id for e in unseen.left_out(log, written("a2"))] == ["a4"]
    unseen.begin(batch, 3)
    assert unseen.left_out(log, []) == log
