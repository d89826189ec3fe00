"""The smallest changes. That they are the smallest is tested in tests/properties/test_why_not.py."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.testing.streams import SECOND, written
from limecep_why_not.changes import Admitted, Lifted, Refused, Removed, Widened
from limecep_why_not.search import OutOfTime, counted

if TYPE_CHECKING:
    from collections.abc import Callable


def first(search: Any) -> Any:
    search.standing()
    return search.misses(search.region.radius)[0]


def test_a_refused_event_is_admitted_with_all_that_score_no_more(house: Callable[..., Any]) -> None:
    late = [Refused(e, s, 10.0) for e, s in zip(written("b2 x3"), (15.0, 12.0), strict=True)]
    made = house("SEQ(A a, !X x, B b) WITHIN 9 seconds")
    miss = first(made.search("a1", 2, refused=late[:1]))
    assert [(type(c), c.new) for c in miss.changes] == [(Admitted, 15.0)]
    # With the bound that lets b4 in the X before it comes in, too.
    late = [Refused(e, s, 10.0) for e, s in zip(written("b4 x3"), (15.0, 12.0), strict=True)]
    ways = made.search("a1", 2, refused=late, required=["b4", "a1"])
    assert {type(c) for c in first(ways).changes} == {Admitted, Removed}


def test_a_rule_or_the_event_that_was_taken_instead_is_told(house: Callable[..., Any]) -> None:
    search = house("SEQ(A a, B b) WITHIN 9 seconds").search("a1 b2 b3", 3, required=["b3"])
    assert search.standing() == []
    told = [m.changes for m in search.misses(9 * SECOND)]
    assert [(type(c[0]), len(c)) for c in told[:2]] == [(Lifted, 1), (Removed, 1)]
    assert told[1][0].event.id == "b2"


def test_results_and_pick_are_rules(house: Callable[..., Any]) -> None:
    results = {"type": "corrected", "skip": "past-last"}
    made = house("SEQ(A a, B b) WITHIN 9 seconds", select="stam", results=results)
    miss = first(made.search("a1 a2 b3 b4", 4, required=["a2", "b4"]))
    assert [c.rule for c in miss.changes if isinstance(c, Lifted)] == ["results"]
    picked = house("SEQ(A a, B b) WITHIN 9 seconds", select="stam", results={"pick": "first"})
    miss = first(picked.search("a1 a2 b3", 4, required=["a2", "b3"]))
    assert miss.cost.things == 1


def test_the_window_is_widened_by_as_much_as_the_match_is_longer(house: Callable[..., Any]) -> None:
    miss = first(house("SEQ(A a, B b) WITHIN 9 seconds").search("a1 b12", 5))
    assert [(c.old, c.new) for c in miss.changes if isinstance(c, Widened)] == [(9 * SECOND, 11 * SECOND)]
    assert (miss.match.start, miss.match.end) == (1 * SECOND, 12 * SECOND)


def test_an_event_that_hits_two_negated_steps_is_removed_once(house: Callable[..., Any]) -> None:
    made = house("SEQ(A a, !A b, B? c, !A d) WITHIN 2 seconds", select="stam")
    assert first(made.search("a1 a2 a3", 2, required=["a2"])).cost.things == 1


def test_what_stands_is_no_miss(house: Callable[..., Any]) -> None:
    search = house("SEQ(A a, B b) WITHIN 9 seconds").search("a1 b2", 2)
    [standing] = search.standing()
    assert (standing.start, standing.end) == (1 * SECOND, 2 * SECOND)


def test_what_three_changes_do_not_give_is_not_told(house: Callable[..., Any]) -> None:
    made = house("SEQ(A a, B b, C c, D d, E e) WITHIN 9 seconds")
    search = made.search("a1", 2)
    search.standing()
    assert search.misses(9 * SECOND) == []
    assert first(made.search("a1 e5", 2)).cost.things == 3


def test_the_time_ends_a_search_that_says_so(house: Callable[..., Any]) -> None:
    search = house("SEQ(A a, B b) WITHIN 9 seconds").search("a1", 2)

    def over() -> None:
        raise OutOfTime

    search.within = lambda part: over if part < 0.5 else lambda: None
    search.standing()
    search.misses(9 * SECOND)
    assert search.unfinished == 0


def test_an_order_of_steps_for_which_there_is_no_time_is_left_out(house: Callable[..., Any]) -> None:
    search = house("SEQ(AND(A a, B b, C c)) WITHIN 9 seconds").search("a1", 2)

    def over() -> None:
        raise OutOfTime

    search.within = lambda part: over if part < 0.22 else lambda: None
    search.standing()
    assert search.misses(9 * SECOND)
    assert search.left_out == ["5 of 6 orders of the steps"]


@pytest.mark.parametrize(("things", "said"), [(0, "no change"), (1, "one change"), (2, "2 changes")])
def test_changes_are_counted_in_words(things: int, said: str) -> None:
    assert counted(things) == said
