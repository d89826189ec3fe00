"""Which new match corrects which old one."""

from __future__ import annotations

from itertools import permutations

import pytest

from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.model.match import Match, Range
from limecep.patterns.pairing import Strangers, pair
from limecep.plan.compiler import compile_plan
from limecep.store.lane import Content

ALTERNATIVE = compile_plan(parse("PATTERN SEQ(A+ a[], B* b[]) WITHIN 1 h"), name="p").alternatives[0]
EVENTS = {
    n: Event(n[0].upper(), n, int(n[1:]), ordinal=int(n[1:])) for n in ["a1", "a2", "a3", "b4", "b5", "b6"]
}


def match(a: str, b: str = "") -> Match:
    return Match(ALTERNATIVE, tuple(tuple(EVENTS[n] for n in names.split()) for names in (a, b)))


def shown(matches: list[Match]) -> list[str]:
    return sorted(" ".join(e.id for g in m.groups for e in g) for m in matches)


def paired(
    come: list[Match], gone: list[Match], late: list[str]
) -> tuple[list[tuple[list[str], list[str]]], list[str], list[str]]:
    """The pairs (old, new), what is left over of the new ones, and of the old ones."""
    new, old = {m.key(): m for m in come}, {m.key(): m for m in gone}
    without = Strangers([EVENTS[n] for n in late], assignments=False).without if late else None
    pairs = pair(new, old, without)
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
