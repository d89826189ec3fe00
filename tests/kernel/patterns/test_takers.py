"""Which events the steps of a pattern take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.model.event import Event
from limecep.patterns.takers import takers_of, takes
from limecep.plan.plan import StepFilter

if TYPE_CHECKING:
    from collections.abc import Callable


def filtering(types: str, accepts: Callable[[Event], bool] | None = None) -> StepFilter:
    return StepFilter(types=tuple(types), accepts=accepts, signature="")


def above(limit: int) -> Callable[[Event], bool]:
    return lambda event: event.t_gen > limit


def taken(takers: list[StepFilter], type: str) -> list[int]:
    found = takers_of(takers)
    return [t for t in range(5) if takes(found, Event(type, "e", t))]


def test_an_event_is_taken_where_one_of_the_conditions_on_its_type_holds() -> None:
    filters = [filtering("AB", above(2)), filtering("A", above(1))]
    assert taken(filters, "A") == [2, 3, 4]
    assert taken(filters, "B") == [3, 4]
    assert takes(takers_of(filters), Event("C", "e", 4)) is False


def test_a_step_without_condition_takes_all_of_its_types_whatever_others_ask_for() -> None:
    for filters in ([filtering("A", above(2)), filtering("A")], [filtering("A"), filtering("A", above(2))]):
        assert taken(filters, "A") == [0, 1, 2, 3, 4]
