"""The lanes of the keys: which events they take, what leaves, and order numbers within AND."""

from __future__ import annotations

from itertools import permutations

import pytest

from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.plan.compiler import compile_plan
from limecep.plan.plan import Level, StepFilter
from limecep.store.keyed_lanes import EVERYTHING, Keyed, Tied, name_of
from limecep.store.lane import LEVEL_BITS, TIE_BITS

A = StepFilter(types=("A",), accepts=None, signature="")
B = StepFilter(types=("B",), accepts=None, signature="")
EITHER = StepFilter(types=("A", "B"), accepts=None, signature="")
BIG = StepFilter(types=("A",), accepts=lambda e: e.payload["v"] > 1, signature="v > 1")


def event(name: str, t: int, key: object = "x", v: int = 0, ordinal: int = 0) -> Event:
    return Event(name, f"{name}{t}", t, payload={"k": key, "v": v}, ordinal=ordinal)


def keyed(*filters: StepFilter) -> Keyed:
    made = Keyed((("k",),), "group")
    for step_filter in filters:
        made.register(step_filter)
    return made


def held(made: Keyed, step_filter: StepFilter, key: object = "x") -> list[str]:
    return [e.id for e in made.keys[key][name_of(step_filter)].content.events]


def test_an_event_goes_into_every_lane_of_its_key_that_takes_it() -> None:
    made = keyed(A, B, EITHER, BIG)
    for e in (event("A", 1), event("B", 2), event("A", 3, v=2), event("A", 4, "y")):
        made.add(e.t_gen, e)
    assert held(made, A) == ["A1", "A3"]
    assert held(made, B) == ["B2"]
    assert held(made, EITHER) == ["A1", "B2", "A3"]
    assert held(made, BIG) == ["A3"]
    assert held(made, A, "y") == ["A4"]


def test_one_filter_has_one_lane() -> None:
    made = keyed(A, A, BIG)
    assert len(made.slots) == 2
    assert [slot.filter for slot in made.taking("A")] == [A, BIG]


def test_an_event_without_key_is_counted_and_takes_no_part() -> None:
    made = keyed(A)
    made.add(1, Event("A", "1", 1))
    assert (made.lacking, made.keys) == ({"A": 1}, {})
    again = keyed(A)
    again.restore(made.snapshot())
    assert again.lacking == {"A": 1}


@pytest.mark.parametrize("filters", [(A, EVERYTHING, B), (EVERYTHING, A, B), (A, B, EVERYTHING)])
def test_a_lane_of_everything_takes_every_type_once(filters: tuple[StepFilter, ...]) -> None:
    made = keyed(*filters)
    for n, name in enumerate("ABX"):
        made.add(n, event(name, n))
    assert held(made, EVERYTHING) == ["A0", "B1", "X2"]
    assert (held(made, A), held(made, B)) == (["A0"], ["B1"])


def test_a_key_leaves_with_its_last_event() -> None:
    made = keyed(A, B)
    for e in (event("A", 1, "old"), event("A", 1), event("B", 9)):
        made.add(e.t_gen, e)
    assert made.forget(1) == []
    assert made.forget(5) == ["old"]
    assert (held(made, A), held(made, B)) == ([], ["B9"])


# Order numbers of AND


def tied(structure: str) -> Tied:
    plan = compile_plan(parse(f"PATTERN {structure} WITHIN 10 us"), name="p")
    made = Tied((), "group")
    for alternative in plan.alternatives:
        for step_filter, level in zip(alternative.filters, alternative.levels, strict=True):
            made.register(step_filter, level)
    return made


def numbers(made: Tied, name: str, level: tuple[int, bool]) -> list[tuple[int, int, int]]:
    """Time, level and rank of each event of a type's lane."""
    (lane,) = [
        made.lanes(())[s.name] for s in made.slots.values() if s.filter.types == (name,) and s.level == level
    ]
    return [
        (n >> TIE_BITS, n >> LEVEL_BITS & ((1 << TIE_BITS - LEVEL_BITS) - 1), n & ((1 << LEVEL_BITS) - 1))
        for n in lane.content.order
    ]


@pytest.mark.parametrize("order", [*permutations("ABC")])
def test_events_of_one_time_have_ranks_by_the_sort_key_however_they_come(order: tuple[str, ...]) -> None:
    made = tied("AND(A a, B b, C c)")
    for ordinal, name in enumerate(order, start=1):
        made.add(5, event(name, 5, ordinal=ordinal))
    assert [numbers(made, name, (0, True)) for name in "ABC"] == [[(5, 0, 1)], [(5, 0, 2)], [(5, 0, 3)]]


def test_what_happens_right_after_has_no_part_in_a_rank() -> None:
    made = tied("AND(A a, B b)")
    for ordinal, (name, t) in enumerate([("A", 6), ("B", 6), ("B", 5)], start=1):
        made.add(t, event(name, t, ordinal=ordinal))
    assert numbers(made, "B", (0, True)) == [(5, 0, 1), (6, 0, 2)]


def test_ranks_begin_anew_at_each_time() -> None:
    made = tied("AND(A a, B b)")
    for ordinal, (name, t) in enumerate([("A", 5), ("B", 7), ("B", 5), ("A", 7)], start=1):
        made.add(t, event(name, t, ordinal=ordinal))
    assert numbers(made, "A", (0, True)) == [(5, 0, 1), (7, 0, 1)]
    assert numbers(made, "B", (0, True)) == [(5, 0, 2), (7, 0, 2)]


def test_of_one_time_those_of_later_steps_come_first() -> None:
    made = tied("SEQ(AND(A a, B b), C c)")
    for ordinal, name in enumerate("ABC", start=1):
        made.add(5, event(name, 5, ordinal=ordinal))
    assert numbers(made, "C", (0, False)) == [(5, 0, 0)]
    assert numbers(made, "B", (1, True)) == [(5, 1, 2)]


def test_an_event_in_several_lanes_has_one_rank() -> None:
    made = tied("AND(A a, (A OR B) b)")
    for ordinal, name in enumerate("BA", start=1):
        made.add(5, event(name, 5, ordinal=ordinal))
    (either,) = [made.lanes(())[s.name] for s in made.slots.values() if s.filter.types == ("A", "B")]
    assert [
        (e.id, n - (5 << TIE_BITS)) for e, n in zip(either.content.events, either.content.order, strict=True)
    ] == [
        ("A5", 1),
        ("B5", 2),
    ]
    assert numbers(made, "A", (0, True)) == [(5, 0, 1)]


def test_keys_of_a_pattern_with_and_leave_too_and_may_come_back() -> None:
    made = tied("AND(A a, B b)")
    made.add(5, event("A", 5, ordinal=1))
    assert made.forget(5) == []
    assert made.forget(6) == [()]
    made.add(7, event("B", 7, ordinal=2))
    assert numbers(made, "B", (0, True)) == [(7, 0, 1)]
    assert numbers(made, "A", (0, True)) == []


def test_the_lane_of_a_level_has_a_name_of_its_own() -> None:
    names = {
        name_of(A),
        name_of(BIG),
        name_of(A, Level(0, True)),
        name_of(A, Level(1, True)),
        name_of(A, Level(0, False)),
    }
    assert len(names) == 5
