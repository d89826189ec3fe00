"""Matches as values of JSON, and back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.model.match import Match, Range
from limecep.patterns.match_codec import MatchCodec
from limecep.plan.compiler import compile_plan
from limecep.store.store import Store

if TYPE_CHECKING:
    from limecep.model.match import Group

PLAN = compile_plan(parse("PATTERN OR(SEQ(A a, B* b[]), SEQ(B* b[], A a)) WITHIN 1 h"), name="p")


class Made:
    """A codec over a store with one A and three B.

    Attributes:
        known: The events by their ordinals.
    """

    def __init__(self, *names: str) -> None:
        self.store = Store()
        self.views = self.store.subscribe(PLAN)
        self.codec = MatchCodec(PLAN, self.views, self.store.ordering)
        self.known: dict[int, Event] = {}
        for name in ("a1", "b2", "b3", "b5"):
            self.add(name)

    def add(self, name: str) -> Event:
        event = Event(name[0].upper(), name, int(name[1:]), 9, "s", {"v": 1}, 4)
        self.store.add(event, self.store.types[event.type])
        self.known[event.ordinal] = event
        return event

    @property
    def lane(self) -> Any:
        """Where the B are."""
        view = self.views.only
        assert view is not None
        return view.steps[0][1]

    def match(self, *groups: Group, alternative: int = 0) -> Match:
        return Match(PLAN.alternatives[alternative], groups)

    def again(self, value: Any) -> Match:
        return self.codec.back(json.loads(json.dumps(value)), self.known)


def test_a_match_is_named_by_ordinals_and_comes_back_with_the_same_events() -> None:
    made = Made()
    a, b = made.known[1], made.known[2]
    written = made.codec.out(made.match((a,), (b, made.known[4])))
    assert written == [0, [[False, [1]], [False, [2, 4]]]]
    assert made.again(written).groups == ((a,), (b, made.known[4]))
    other = made.codec.out(made.match((b,), (a,), alternative=1))
    assert other[0] == 1
    assert made.again(other).alternative is PLAN.alternatives[1]


@pytest.mark.parametrize(("start", "stop"), [(0, 1), (0, 3), (1, 3)])
def test_a_range_comes_back_as_that_of_its_lane(start: int, stop: int) -> None:
    made = Made()
    written = made.codec.out(made.match((made.known[1],), Range(made.lane.content, start, stop, 0)))
    assert written[1][1][0] is True
    group = made.again(written).groups[1]
    assert isinstance(group, Range)
    assert (group.content, group.start, group.stop, group.version) == (made.lane.content, start, stop, 0)
    # It stands for what is there now, late events included.
    made.add("b1")
    group = made.again(written).groups[1]
    assert isinstance(group, Range)
    assert (group.start, group.stop, group.version) == (start + 1, stop + 1, 1)


def test_a_range_into_which_others_came_keeps_its_events() -> None:
    made = Made()
    before = Range(made.lane.content, 0, 3, 0)
    written = made.codec.out(made.match((made.known[1],), before))
    made.add("b4")
    group = made.again(written).groups[1]
    assert isinstance(group, Range)
    assert group.content is not made.lane.content
    assert [e.id for e in group] == ["b2", "b3", "b5"]
    assert (group.content.order, group.start, group.stop, group.version) == ([2, 3, 5], 0, 3, 0)


def test_a_range_without_events_comes_back_as_one() -> None:
    made = Made()
    group = made.again(
        made.codec.out(made.match((made.known[1],), Range(made.lane.content, 1, 1, 0)))
    ).groups[1]
    assert isinstance(group, Range)
    assert len(group) == 0


def test_events_that_have_left_are_written_whole_or_with_what_they_are_known_by() -> None:
    made = Made()
    match = made.match((made.known[1],), (made.known[2],))
    for write, payload in ((made.codec.out_whole, {"v": 1}), (made.codec.out_bare, {})):
        written = write(match)
        # Those that are still there are these.
        assert made.again(written).groups == match.groups
        back = made.codec.back(json.loads(json.dumps(written)), {})
        (event,) = back.groups[0]
        assert event is not made.known[1]
        assert (event.type, event.id, event.t_gen, event.t_arr, event.source) == ("A", "a1", 1, 9, "s")
        assert (event.payload, event.seq, event.ordinal) == (payload, 4, 1)


def test_an_ordinal_that_another_event_has_now_is_not_taken_for_it() -> None:
    made = Made()
    written = made.codec.out_whole(made.match((made.known[1],), ()))
    back = made.codec.back(written, {1: made.known[2]})
    assert [e.id for e in back.groups[0]] == ["a1"]
    with pytest.raises(LookupError):
        made.codec.back(made.codec.out(made.match((made.known[1],), ())), {})
