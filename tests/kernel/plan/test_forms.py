"""Forms of conditions that engines evaluate in a cheaper way, and what they leave alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.plan.compiler import compile_plan
from limecep.plan.forms import bounded, equal_neighbours, equalities, key, other_key, quantified

if TYPE_CHECKING:
    from limecep.plan.plan import Alternative


def alternative(query: str) -> Alternative:
    return compile_plan(parse(f"PATTERN {query} WITHIN 1 h"), name="p").alternatives[0]


@pytest.mark.parametrize(
    ("condition", "minimum", "maximum", "left"),
    [
        ("count(b) >= 5", 5, None, 0),
        ("5 <= count(b)", 5, None, 0),
        ("count(b) > 5", 6, None, 0),
        ("count(b) < 5", 1, 4, 0),
        ("count(b) = 5", 5, 5, 0),
        ("count(b) >= 2 AND count(b) < 5", 2, 4, 0),
        ("count(b) > 2.5", 3, None, 0),
        # What a group of one event means is not what a single step means.
        ("count(b) <= 1", 1, None, 1),
        # Some of its events may have none.
        ("count(b.v) >= 5", 1, None, 1),
        ("count(b) != 5", 1, None, 1),
        ("count(b) > 5 OR b[i].v > 1", 1, None, 1),
    ],
)
def test_the_number_of_events_is_a_quantifier(
    condition: str, minimum: int, maximum: int | None, left: int
) -> None:
    found = quantified(alternative(f"SEQ(A a, B+ b, C c) WHERE {condition}"))
    assert (found.steps[1].quantifier.minimum, found.steps[1].quantifier.maximum) == (minimum, maximum)
    assert len(found.conditions) == left


def test_what_equals_an_attribute_of_another_step_is_looked_up() -> None:
    query = alternative("SEQ(A a, B+ b, C c) WHERE c.x = last(b).x AND a.y = c.y AND c.x > 1")
    conditions = [c.expression for c in query.conditions]
    found = equalities(conditions, "c", "abcd")
    assert sorted(e.path for e in found) == [("x",), ("y",)]
    places = {"a": 0, "b": 1, "c": 2}
    groups = [(Event("A", "a", 1, payload={"y": 7}),), (Event("B", "b", 2, payload={"x": 1.0}),), ()]
    sought = {e.path: other_key(e, places)(groups) for e in found}
    assert sought == {("x",): key(1), ("y",): key(7)}


@pytest.mark.parametrize(
    ("x", "y"), [(1, True), (0, False), (1, "1"), (None, None), (float("nan"), float("nan"))]
)
def test_what_is_not_equal_in_conditions_is_not_found_by_value(x: object, y: object) -> None:
    assert key(x) is None or key(x) != key(y)


def test_neighbours_with_one_value_are_told() -> None:
    query = alternative("SEQ(A+ a, B b) WHERE a[i+1].x = a[i].x AND a[i+1].y > a[i].y")
    assert [equal_neighbours(c.expression) for c in query.conditions] == [("x",), None]


@pytest.mark.parametrize(
    ("condition", "says"),
    [
        ("sum(b.v) > 5", (5, False, True)),
        ("5 >= avg(b.v)", (5, True, False)),
        ("sum(b.v) = 5", None),
        ("max(b.v) > 5", None),
        ("sum(b.v) > 5 + a.v", None),
        ("sum(b.v) > 'x'", None),
    ],
)
def test_a_bound_of_a_sum_is_told(condition: str, says: tuple[float, bool, bool] | None) -> None:
    query = alternative(f"SEQ(A a, B+ b, C c) WHERE {condition}")
    found = bounded(query.conditions[0].expression)
    assert says == (None if found is None else (found[1].value >> 128, found[1].average, found[1].above))
