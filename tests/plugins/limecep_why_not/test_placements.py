"""When added events happen."""

from __future__ import annotations

from limecep.model.event import Event
from limecep.testing.streams import SECOND, written
from limecep_why_not.candidates import Draft, Region, Slot
from limecep_why_not.placements import Gap, placements

REGION = Region(time=5 * SECOND, radius=10 * SECOND, within=10 * SECOND)
A, C = written("a2 c8")


def placed(
    groups: tuple[tuple[Event | Slot, ...], ...], *cuts: int, widened: bool = False
) -> list[list[float]]:
    """The times of the added events, in seconds."""
    draft = Draft(groups, widened, None)

    def make(slot: Slot, t_gen: int) -> Event:
        return Event(slot.type, "new", t_gen)

    found = placements(draft, [c * SECOND for c in cuts], REGION, make)
    return [[e.t_gen / SECOND for g in p.groups for e in g if e.id == "new"] for p in found]


def test_an_event_between_two_happens_in_each_gap() -> None:
    groups = ((A,), (Slot("B"),), (C,))
    assert placed(groups) == [[5]]
    assert placed(groups, 1, 4, 6, 9) == [[3], [5], [7]]


def test_several_keep_their_order() -> None:
    assert placed(((A,), (Slot("B"), Slot("B")), (C,)), 5) == [[3, 4], [3, 6], [6, 7]]


def test_an_event_at_an_end_lies_in_the_window() -> None:
    assert placed(((A,), (Slot("C"),))) == [[7]]
    assert placed(((Slot("A"),), (C,))) == [[0]]
    [both] = placed(((Slot("A"),), (A,), (Slot("C"),)))
    assert both[1] - both[0] <= 10


def test_a_match_that_is_too_long_is_made_no_longer() -> None:
    assert placed(((A,), (C,), (Slot("D"),)), widened=True) == []
    assert placed(((A,), (Slot("B"),), (C,)), widened=True) == [[5]]


def test_where_nothing_is_added_there_is_one() -> None:
    [found] = placements(Draft(((A,), (C,)), False, None), [], REGION, lambda slot, t_gen: A)
    assert found.groups == ((A,), (C,))


def test_the_gap_is_told() -> None:
    draft = Draft(((A,), (Slot("B"),), (C,)), False, None)
    [found] = placements(draft, [], REGION, lambda slot, t_gen: Event("B", "new", t_gen))
    assert found.added == {(1, 0): Gap(2 * SECOND, 8 * SECOND)}
