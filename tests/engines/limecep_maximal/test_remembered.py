"""What is remembered of an end event: its matches, and those that start at some time."""

from __future__ import annotations

from limecep.model.match import Range
from limecep.store.lane import Content, Ordering
from limecep.testing.streams import SECOND, written
from limecep_maximal.remembered import Answer

A1, A3, B4, A2, A5 = written("a1 a3 b4 a2 a5")
LANE = Content([1 * SECOND, 3 * SECOND], [A1, A3])


def between(answer: Answer, first: float, stop: float) -> list[tuple[str, int]]:
    """The events of the matches that start in a time, and when they do."""
    found = answer.between(int(first * SECOND), int(stop * SECOND))
    return [(" ".join(e.id for g in groups for e in g), start // SECOND) for groups, start in found]


def test_matches_are_found_by_their_start_in_the_order_in_which_they_came() -> None:
    answer = Answer((), [((A3,), (B4,)), ((A1,), (B4,)), (Range(LANE, 0, 2, 0), (B4,))], Ordering(10))
    assert between(answer, 0, 10) == [("a3 b4", 3), ("a1 b4", 1), ("a1 a3 b4", 1)]
    assert between(answer, 1, 3) == [("a1 b4", 1), ("a1 a3 b4", 1)]
    assert between(answer, 3, 3.5) == [("a3 b4", 3)]
    assert between(answer, 1.5, 3) == []


def test_there_may_be_more_later() -> None:
    answer = Answer((7,), [((A3,), (B4,))], Ordering(10))
    answer.add([((A2,), (B4,)), ((A5,), (B4,))])
    assert (answer.stand, len(answer.found)) == ((7,), 3)
    assert between(answer, 2, 4) == [("a3 b4", 3), ("a2 b4", 2)]
