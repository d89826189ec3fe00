"""Which new match corrects which old one."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import pytest

from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.model.match import Match, Range
from limecep.patterns.pairing import MANY, Remainders, pair
from limecep.plan.compiler import compile_plan
from limecep.store.lane import Content, Lane, Ordering

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from limecep.patterns.ledger import Key
    from limecep.plan.plan import Alternative

ALTERNATIVE = compile_plan(parse("PATTERN SEQ(A+ a[], B* b[]) WITHIN 1 h"), name="p").alternatives[0]
EVENTS = {
    n: Event(n[0].upper(), n, int(n[1:]), ordinal=int(n[1:])) for n in ["a1", "a2", "a3", "b4", "b5", "b6"]
}


def match(a: str, b: str = "") -> Match:
    return Match(ALTERNATIVE, tuple(tuple(EVENTS[n] for n in names.split()) for names in (a, b)))


def shown(matches: list[Match]) -> list[str]:
    return sorted(" ".join(e.id for g in m.groups for e in g) for m in matches)


def remainders(late: Iterable[Event], *, assignments: bool = False) -> Remainders:
    return Remainders([*late], Ordering(10), assignments=assignments)


def paired(
    come: list[Match], gone: list[Match], late: list[str]
) -> tuple[list[tuple[list[str], list[str]]], list[str], list[str]]:
    """The pairs (old, new), what is left over of the new ones, and of the old ones."""
    new, old = {m.key(): m for m in come}, {m.key(): m for m in gone}
    pairs = pair(new, old, remainders(EVENTS[n] for n in late) if late else None)
    assert [(o.key(), n.key()) for _, o, _, n in pairs] == [(o, n) for o, _, n, _ in pairs]
    return [(shown([o]), shown([n])) for _, o, _, n in pairs], shown([*new.values()]), shown([*old.values()])


def test_a_new_match_corrects_the_old_one_that_lacks_but_the_late_event() -> None:
    small, same = match("a1", "b4"), match("a1", "b4 b6")
    assert paired([match("a1", "b4 b5 b6")], [small, same], ["b5"]) == (
        [(["a1 b4 b6"], ["a1 b4 b5 b6"])],
        [],
        ["a1 b4"],
    )


def test_else_it_corrects_the_largest_old_one_that_it_contains() -> None:
    assert paired(
        [match("a1 a2 a3", "b4 b5")],
        [match("a1", "b4"), match("a1 a2", "b4"), match("a2", "b6")],
        ["b5"],
    ) == ([(["a1 a2 b4"], ["a1 a2 a3 b4 b5"])], [], ["a1 b4", "a2 b6"])


def test_no_old_match_is_corrected_twice() -> None:
    pairs, emitted, retracted = paired([match("a1", "b4 b5"), match("a1", "b4 b6")], [match("a1", "b4")], [])
    assert len(pairs) == len(emitted) == 1
    assert retracted == []


@pytest.mark.parametrize("late", [["b5", "b6"], []])
def test_of_several_that_could_correct_a_match_the_first_by_its_place_does(late: list[str]) -> None:
    for come in permutations([match("a1", "b4 b5"), match("a1", "b4 b6"), match("a1", "b4 b5 b6")]):
        assert paired([*come], [match("a1", "b4")], late) == (
            [(["a1 b4"], ["a1 b4 b5"])],
            ["a1 b4 b5 b6", "a1 b4 b6"],
            [],
        )


def test_of_several_of_one_size_that_a_match_could_correct_it_is_the_first_by_its_place() -> None:
    for gone in permutations([match("a1", "b5"), match("a2", "b4"), match("a1", "b4")]):
        assert paired([match("a1 a2", "b4 b5")], [*gone], []) == (
            [(["a1 b4"], ["a1 a2 b4 b5"])],
            [],
            ["a1 b5", "a2 b4"],
        )


def test_what_is_left_over_is_emitted_and_retracted() -> None:
    assert paired([match("a3")], [match("a1")], ["a3"]) == ([], ["a3"], ["a1"])


def test_ranges_are_compared_by_their_ends_and_others_by_their_events() -> None:
    lane = Content([1, 2, 3], [EVENTS["a1"], EVENTS["a2"], EVENTS["a3"]])

    def ranging(start: int, stop: int) -> Match:
        return Match(ALTERNATIVE, (Range(lane, start, stop, 0), ()))

    assert paired([ranging(0, 3)], [ranging(1, 3), ranging(1, 2)], []) == (
        [(["a2 a3"], ["a1 a2 a3"])],
        [],
        ["a2"],
    )
    assert paired([ranging(1, 3)], [ranging(0, 2)], []) == ([], ["a2 a3"], ["a1 a2"])
    assert paired([ranging(0, 3)], [match("a1 a2")], []) == ([(["a1 a2"], ["a1 a2 a3"])], [], [])
    assert paired([match("a1 a3")], [match("a1 a2")], []) == ([], ["a1 a3"], ["a1 a2"])


def laned(*names: str) -> Lane:
    """A lane into which events came in this order."""
    lane = Lane()
    for name in names:
        lane.add(EVENTS[name].t_gen, EVENTS[name])
    return lane


def without(late: Sequence[str], match: Match, *, assignments: bool = False) -> Key:
    return remainders([EVENTS[n] for n in late], assignments=assignments).without(match)


@pytest.mark.parametrize(
    ("late", "start", "stop", "key"),
    [
        # First, last, and minus how many are left.
        (["a2"], 0, 3, (1, 3, -2)),
        (["a1"], 0, 3, (2, 3, -2)),
        (["a3"], 0, 3, (1, 2, -2)),
        (["a1", "a2"], 0, 3, (3, 3, -1)),
        (["a2", "a3"], 0, 3, (1, 1, -1)),
        (["a3", "a2", "a1"], 0, 3, ()),
        (["a1"], 1, 3, (2, 3, -2)),
        (["a3"], 0, 2, (1, 2, -2)),
        (["b4"], 0, 3, (1, 3, -3)),
    ],
)
def test_a_range_without_late_events_is_told_by_its_ends_and_its_size(
    late: list[str], start: int, stop: int, key: tuple[int, ...]
) -> None:
    content = laned("a1", "a2", "a3").content
    match = Match(ALTERNATIVE, (Range(content, start, stop, 0), (EVENTS["b5"], EVENTS["b6"])))
    assert without(late, match) == (key, (5, 6))
    if key:
        left = [e for e in content.events[start:stop] if e.id not in late]
        assert key == Range(Content([e.t_gen for e in left], left), 0, len(left), 0).key()


def test_late_events_are_looked_for_in_a_lane_once() -> None:
    content = laned("a1", "a2", "a3").content
    left = remainders([EVENTS["a2"]])
    found = [left.without(Match(ALTERNATIVE, (Range(content, n, 3, 0), ()))) for n in (0, 1, 2)]
    assert found == [((1, 3, -2), ()), ((3, 3, -1), ()), ((3, 3, -1), ())]


def test_of_events_of_one_time_only_the_late_one_is_left_out() -> None:
    events = [Event("A", name, 5, ordinal=n) for n, name in enumerate("xyz")]
    content = Content([5, 5, 5], events)
    left = remainders([events[1], Event("A", "elsewhere", 5, ordinal=9)])
    match = Match(ALTERNATIVE, (Range(content, 0, 3, 0), ()))
    assert left.without(match) == ((0, 2, -2), ())


def test_a_range_that_was_made_before_a_late_event_is_told_by_its_own_events() -> None:
    content = laned("a1", "a3").content
    before = Range(content, 0, 2, 0)
    lane = Lane()
    lane.content = content
    late = Event("A", "a2", 2, ordinal=9)
    lane.add(2, late)
    assert [e.id for e in before] == ["a1", "a3"]
    match = Match(ALTERNATIVE, (before, ()))
    assert remainders([late]).without(match) == ((1, 3, -2), ())
    assert remainders([late, EVENTS["a3"]]).without(match) == ((1, 1, -1), ())
    assert remainders([late, EVENTS["a1"], EVENTS["a3"]]).without(match) == ((), ())
    # They are compared by where they stand now.
    after = Range(content, 0, 3, 1)
    assert paired([Match(ALTERNATIVE, (after, ()))], [Match(ALTERNATIVE, (before, ()))], []) == (
        [(["a1 a3"], ["a1 a2 a3"])],
        [],
        [],
    )


def test_only_new_matches_with_the_end_of_an_old_one_are_near_and_stand_where_their_lanes_do_now() -> None:
    closed = compile_plan(parse("PATTERN SEQ(A a, B+ b[], C c) WITHIN 1 h"), name="p").alternatives[0]
    lane, n = Lane(), 0

    def event(name: str, at: int) -> Event:
        nonlocal n
        n += 1
        return Event(name, f"{name}{at}", at, ordinal=n)

    for at in (50, 60, 100):
        lane.add(at, event("B", at))
    begin, end, other = event("A", 40), event("C", 90), event("C", 110)
    found = Match(closed, ((begin,), Range(lane.content, 0, 2, 0), (end,)))
    elsewhere = Match(closed, ((begin,), Range(lane.content, 0, 3, 0), (other,)))
    old = Match(closed, ((event("A", 30),), Range(lane.content, 0, 2, 0), (end,)))
    come, gone = {m.key(): m for m in (found, elsewhere)}, {old.key(): old}
    late = [event("B", at) for at in range(1, 1 + MANY)]
    for b in late:
        lane.add(b.t_gen, b)
    left = remainders(late)
    assert [*left.near(come, gone).values()] == [found]
    late.append(event("B", 20))
    lane.add(20, late[-1])
    (renewed,) = remainders(late).near(come, gone).values()
    assert isinstance(group := renewed.groups[1], Range)
    assert (group.start, group.version, renewed.key()) == (MANY + 1, MANY + 1, found.key())
    # What does not mean the same any more stays as it was.
    lane.add(55, event("B", 55))
    assert [*remainders(late).near(come, gone).values()] == [found]


def test_a_group_of_its_own_lacks_late_events_alone() -> None:
    assert without(["a2"], match("a1 a2 a3", "b4")) == ((1, 3), 4)
    assert without(["a2"], match("a1 a2", "b4")) == (1, 4)
    assert without(["a1", "b4"], match("a1", "b4")) == ((), ())


def test_assignments_lack_variables_that_took_late_events_only() -> None:
    assert without(["a2", "b4"], match("a1 a2 a3", "b4"), assignments=True) == (("a", (1, 3)),)
    assert without(["a2"], match("a1 a2", "b4"), assignments=True) == match("a1", "b4").assignment()


def test_without_a_side_nothing_is_paired() -> None:
    assert paired([match("a1")], [], ["a1"]) == ([], ["a1"], [])
    assert paired([], [match("a1")], []) == ([], [], ["a1"])


def test_matches_of_equal_shape_are_compared_by_the_events_they_have() -> None:
    """One event in each group, of which a match has no more than another."""
    assert paired([match("a1", "b5")], [match("a1", "b4")], []) == ([], ["a1 b5"], ["a1 b4"])
    assert paired([match("a1", "b4 b5")], [match("a2", "b4")], []) == ([], ["a1 b4 b5"], ["a2 b4"])


def test_only_matches_of_one_end_event_are_paired_where_none_can_grow() -> None:
    (fixed,) = compile_plan(parse("PATTERN SEQ(A+ a[], B b) WITHIN 1 h"), name="p").alternatives
    (other,) = compile_plan(parse("PATTERN SEQ(A+ a[], B c) WITHIN 1 h"), name="p").alternatives

    def ending(a: str, b: str, alternative: Alternative = fixed) -> Match:
        return Match(alternative, (tuple(EVENTS[n] for n in a.split()), (EVENTS[b],)))

    old = [ending("a1", "b5"), ending("a1", "b4", other), ending("a2", "b4")]
    pairs = pair({("new",): ending("a1 a2", "b4")}, {(n,): m for n, m in enumerate(old)}, None)
    assert [(old_key, key) for old_key, _, key, _ in pairs] == [((2,), ("new",))]


def test_of_several_that_contain_old_ones_the_first_by_its_place_takes_the_largest() -> None:
    for come in permutations([match("a1 a2", "b4"), match("a1 a3", "b4"), match("a1 a2 a3", "b5")]):
        pairs, emitted, retracted = paired([*come], [match("a1", "b4"), match("a1")], [])
        assert pairs == [(["a1 b4"], ["a1 a2 b4"]), (["a1"], ["a1 a3 b4"])]
        assert (emitted, retracted) == (["a1 a2 a3 b5"], [])


def test_the_one_that_lacks_but_the_late_event_is_corrected_by_its_own_before_others_take_it() -> None:
    sooner, own = match("a1 a2", "b4"), match("a1", "b4 b5")
    assert paired([sooner, own], [match("a1", "b4")], ["b5"]) == (
        [(["a1 b4"], ["a1 b4 b5"])],
        ["a1 a2 b4"],
        [],
    )
    assert paired([sooner, own], [match("a1", "b4")], [])[1] == ["a1 b4 b5"]


def test_ranges_are_compared_by_where_they_stand_now_and_in_which_lane() -> None:
    content = laned("a2", "a3").content
    before = Match(ALTERNATIVE, (Range(content, 0, 2, 0), ()))
    lane = Lane()
    lane.content = content
    lane.add(1, Event("A", "a1", 1, ordinal=9))
    elsewhere = Match(ALTERNATIVE, (Range(laned("a2", "a3").content, 0, 2, 0), ()))
    for old in (before, elsewhere):
        first, whole = (Match(ALTERNATIVE, (Range(content, 0, stop, 1), ())) for stop in (2, 3))
        assert paired([first], [old], []) == ([], ["a1 a2"], ["a2 a3"])
        assert paired([whole], [old], []) == ([(["a2 a3"], ["a1 a2 a3"])], [], [])


def test_a_range_that_has_lost_an_event_is_contained_in_none_of_the_lane_without_it() -> None:
    lane = laned("a1", "a2", "a3")
    whole, part = (Match(ALTERNATIVE, (Range(lane.content, 0, stop, 0), ())) for stop in (3, 1))
    lane.content.remove(1)
    now = Match(ALTERNATIVE, (Range(lane.content, 0, 2, 1), ()))
    assert paired([now], [whole], []) == ([], ["a1 a3"], ["a1 a2 a3"])
    assert paired([now], [part], []) == ([(["a1"], ["a1 a3"])], [], [])


def test_without_what_has_left_an_old_match_is_corrected_by_what_is_left_of_it() -> None:
    come = {match("a1 a3", "b4").key(): match("a1 a3", "b4"), match("a3", "b4").key(): match("a3", "b4")}
    olds = [match("a1 a2 a3", "b4"), match("a2 a3", "b4")]
    late = Remainders([EVENTS["a2"]], Ordering(10), assignments=False, left={2})
    assert (late.taken, late.all_left, late.renews) == (True, True, False)
    pairs = pair(come, {m.key(): m for m in olds}, late)
    assert [(shown([old]), shown([new])) for _, old, _, new in pairs] == [
        (["a1 a2 a3 b4"], ["a1 a3 b4"]),
        (["a2 a3 b4"], ["a3 b4"]),
    ]
