"""What workers say is merged by the events that caused it."""

from __future__ import annotations

from limecep import Event
from limecep.embedding.pipelines import Refusal
from limecep_local.merging import refused_in_order, told_in_order
from limecep_local.messages import Refused, Told


def test_records_of_workers_are_merged_by_event_and_keep_their_order() -> None:
    one = [Told(3, 1, 0, 7, ("a",)), Told(9, 1, 1, 8, ("b",)), Told(9, 0, 0, 8, ("c",))]
    two = [Told(5, 0, 0, 2, ("d",)), Told(9, 1, 0, 2, ("e",))]
    assert [made for (made,) in told_in_order([one, two])] == ["a", "d", "e", "b", "c"]


def refused(place: int, reason: str, event: str, *patterns: str) -> Refused:
    return Refused(place, Refusal(reason=reason, event=Event("A", event, 1), patterns=patterns), 0, 0)


def test_an_event_that_several_workers_could_not_use_is_told_once_with_all_its_patterns() -> None:
    one = [
        refused(3, "extremely_late", "x", "p"),
        refused(3, "evicted", "x", "r"),
        refused(7, "evicted", "y", "p"),
    ]
    two = [refused(2, "evicted", "w", "q"), refused(3, "evicted", "x", "q")]
    found = refused_in_order([one, two], {"p": 0, "q": 1, "r": 2})
    assert [(r.refusal.event.id, r.refusal.reason, r.refusal.patterns) for r in found] == [
        ("w", "evicted", ("q",)),
        ("x", "extremely_late", ("p",)),
        ("x", "evicted", ("q", "r")),
        ("y", "evicted", ("p",)),
    ]


def test_what_is_from_the_future_follows_what_came_before_its_batch() -> None:
    found = refused_in_order([[refused(3, "future", "x")], [refused(3, "evicted", "w", "q")]], {"q": 0})
    assert [r.refusal.event.id for r in found] == ["w", "x"]


def test_the_same_event_refused_twice_is_told_twice() -> None:
    found = refused_in_order([[refused(3, "future", "x"), refused(3, "future", "x")], []], {})
    assert len([*found]) == 2
