"""The oracle against small cases, one rule each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.errors import ContractBreach
from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.model.expression import (
    Aggregate,
    Attribute,
    Binary,
    Call,
    Constant,
    Logical,
    Membership,
    Parameter,
    Unary,
)
from limecep.model.function import Function
from limecep.signature import read
from limecep.testing.cases import CASES, Case, answer, ids
from limecep.testing.oracle import all_matches, maximal_matches, ruled, ruled_matches
from limecep.testing.oracle.values import MISSING, Scope, evaluate
from limecep.testing.streams import shuffled, written
from limecep.testing.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def few(case: Case) -> bool:
    return len(case.events.split()) < 20


@pytest.mark.parametrize("case", [c for c in CASES if few(c)], ids=str)
def test_a_rule_in_a_small_case(case: Case) -> None:
    pattern = parse(f"PATTERN {case.query}")
    events = written(case.events)
    maximal = maximal_matches(pattern, events, select=case.select, params=case.params)
    assert ids(maximal) == answer(case.maximal)
    if case.all is not None:
        every = all_matches(pattern, events, select=case.select, params=case.params)
        assert ids(every) == answer(case.all)


def failing(x: float) -> float:
    raise KeyError(x)


def of(signature: str, compute: Any) -> Function:
    return Function("f", read(signature), compute)


@pytest.mark.parametrize(
    ("function", "arguments", "value"),
    [
        (of("(x: float) -> float", lambda x: x * 2), (3,), 6),
        (of("(x: float) -> float", lambda x: x * 2), ("3",), MISSING),
        (of("(x: float) -> float", lambda x: x * 2), (True,), MISSING),
        (of("(x: float) -> float", lambda x: x * 2), (float("nan"),), MISSING),
        (of("(x: float) -> float", lambda x: x * 2), (None,), MISSING),
        (of("(x: int) -> int", lambda x: x), (2.0,), MISSING),
        (of("(x: bool) -> int", lambda x: 1), (False,), 1),
        (of("(x: str | None, y: str) -> str", lambda x, y: x or y), (None, "b"), "b"),
        (of("(x: str | None, y: str) -> str", lambda x, y: x or y), (1, "b"), MISSING),
        (of("(x: object, *y: int) -> object", lambda x, *y: [x, y]), (None, 1, 2), [None, (1, 2)]),
        (of("(x: object, *y: int) -> object", lambda x, *y: [x, y]), (None, 1, "2"), MISSING),
        (of("(x: object) -> object", lambda x: None), (1,), MISSING),
        (of("(x: float) -> float", failing), (1,), MISSING),
    ],
)
def test_a_function_has_the_value_that_it_gives_of_what_it_takes(
    function: Function, arguments: tuple[Any, ...], value: object
) -> None:
    scope = Scope(groups={}, each={}, i=1, params={})
    found = evaluate(Call(function, tuple(map(Constant, arguments))), scope)
    assert (type(found), found) == (type(value), value)


@pytest.mark.parametrize(
    ("query", "events", "expected"),
    [
        ("SEQ(A a, B b) WHERE levels[b.v].x > 2", "a1 b2=0 b3=1", ("a1 b3",)),
        ("SEQ(A a, B b) WHERE levels[b.v].x != null", "a1 b2=9 b3 b4=1", ("a1 b4",)),
        ("SEQ(A a, B b) WHERE levels[levels[b.v].x].n.x = 0", "a1 b2=0 b3=1", ("a1 b3",)),
        ("SEQ(A a, B b) WHERE pairs[a.v, b.v].x = 4", "a1=1 b2=2 b3=3", ("a1 b3",)),
        ("SEQ(A a, B b) WHERE b.v IN few", "a1 b2=1 b3=2", ("a1 b3",)),
        ("SEQ(A a, B b) WHERE b.v NOT IN few", "a1 b2 b3=2 b4=1", ("a1 b4",)),
        # A row holds from its time on, at the time of the event whose key it is.
        ("SEQ(A a, B b) WHERE turns[b.v].x = 3", "a1 b2=1 b4=1", ("a1 b4",)),
        ("SEQ(A a, B b) WHERE turns[a.v].x = 3", "a1=1 b4", ()),
        ("SEQ(A a, B b) WHERE phases[b.v].x = null", "a1 b1.5=1 b3=1", ("a1 b1.5",)),
        ("SEQ(A a, B b) WHERE b.v NOT IN phases", "a1 b1.5=1 b3=1", ("a1 b1.5",)),
        # A key of no event, or of several, asks at the time of the end event, which has to be there.
        ("SEQ(A a, B b) WHERE phases[1].x > a.v", "a1=0 b3 b5", ("a1 b5",)),
        ("SEQ(A a, B b, C c) WHERE phases[1].x > b.v", "a1 b2=0 c3 c5", ("a1 b2 c5",)),
        ("SEQ(A a, B+ b[]) WHERE phases[1].x > a.v", "a1=0 b3 b5", ("a1 b3 b5",)),
        ("SEQ(A a, B b) WHERE turns[a.v - b.v].x = 3", "a1=2 b2=1 b4=1", ("a1 b4",)),
        ("SEQ(A a, !B b, C c) WHERE b.v < phases[1].x", "a1 b2=0 c3", ("a1 c3",)),
        ("SEQ(A a, !B b, C c) WHERE b.v < phases[1].x", "a1 b2=0 c5", ()),
        ("OR(SEQ(A a, B b), SEQ(A a, C c)) WHERE phases[1].x > a.v", "a1=0 b3 c5", ("a1 c5",)),
    ],
)
def test_a_table_gives_the_row_that_there_is_then(query: str, events: str, expected: tuple[str, ...]) -> None:
    pattern = parse(f"PATTERN {query} WITHIN 10 s", tables=TABLES)
    assert ids(maximal_matches(pattern, written(events), select="stnm")) == answer(expected)


def test_the_order_of_the_list_does_not_matter() -> None:
    pattern = parse("PATTERN SEQ(A+ a[], B+ b[], C c) WITHIN 10 s")
    events = written("a9 a11 b12 c19 c20")
    expected = maximal_matches(pattern, events, select="stnm")
    for seed in range(5):
        assert maximal_matches(pattern, shuffled(events, seed), select="stnm") == expected


def test_the_first_of_duplicates_counts() -> None:
    pattern = parse("PATTERN SEQ(A a, B b) WHERE b.v > 3 WITHIN 10 s")
    assert all_matches(pattern, written("a1 b2=9 b2=1"), select="stnm")
    assert not all_matches(pattern, written("a1 b2=1 b2=9"), select="stnm")


def test_sequence_numbers_order_events_of_one_time() -> None:
    pattern = parse("PATTERN SEQ(A a, B b) WITHIN 10 s")
    a, b = Event("A", "a", 5, seq=1), Event("B", "b", 5, seq=2)
    assert len(all_matches(pattern, [a, b], select="stnm")) == 1
    a.seq, b.seq = 2, 1
    assert not all_matches(pattern, [a, b], select="stnm")


def test_a_condition_without_variables_decides_for_all() -> None:
    events = written("a1")
    assert all_matches(parse("PATTERN SEQ(A a) WHERE 1 < 2 WITHIN 1 s"), events, select="stnm")
    assert not all_matches(parse("PATTERN SEQ(A a) WHERE 1 > 2 WITHIN 1 s"), events, select="stnm")


V = Attribute("b", ("v",))


def value(expression: Any, *values: Any, **params: Any) -> Any:
    """The value of an expression over a group of events with these attributes; `b.v` is the first's."""
    group = [Event("B", str(n), n, payload={} if v is MISSING else {"v": v}) for n, v in enumerate(values)]
    each = {"b": group[0]} if group else {}
    return evaluate(expression, Scope(groups={"b": group}, each=each, i=1, params=params))


@pytest.mark.parametrize(
    ("left", "operator", "right", "expected"),
    [
        (1, "<", 1.5, True),
        ("a", "<", "b", True),
        (True, "==", True, True),
        (True, "!=", False, True),
        (True, "<", False, MISSING),
        (True, "==", 1, False),
        ("1", "==", 1, False),
        (4.02, "!=", "unavailable", True),
        ("1", "<", 1, MISSING),
        ([1], "!=", 1, True),
        ([1], "!=", [2], MISSING),
        (float("nan"), "!=", 1, MISSING),
        (MISSING, "==", 1, MISSING),
        (MISSING, "==", None, True),
        (None, "==", None, True),
        (1, "!=", None, True),
        (MISSING, "<", None, MISSING),
        (7, "%", 4, 3),
        (7, "/", 2, 3.5),
        (7, "/", 0, MISSING),
        (True, "+", 1, MISSING),
        ("a", "+", "b", MISSING),
        (10**400, "*", 1.5, MISSING),
    ],
)
def test_comparison_and_arithmetic(left: Any, operator: Any, right: Any, expected: Any) -> None:
    assert value(Binary(operator, V, Constant(right)), left) == expected


@pytest.mark.parametrize(
    ("function", "values", "expected"),
    [
        ("count", (1, MISSING, "x"), 2),
        ("sum", (1, MISSING, 2), 3),
        ("sum", (0.1,) * 10, 1.0),
        ("sum", (), 0),
        ("sum", (1, True), MISSING),
        ("avg", (1, 2), 1.5),
        ("avg", (MISSING,), MISSING),
        ("min", ("b", "a"), "a"),
        ("max", (1, 2.5, MISSING), 2.5),
        ("max", (1, "a"), MISSING),
        ("min", (), MISSING),
    ],
)
def test_aggregates(function: Any, values: tuple[Any, ...], expected: Any) -> None:
    assert value(Aggregate(function, "b", ("v",)), *values) == expected


@pytest.mark.parametrize(
    ("operator", "operands", "expected"),
    [
        ("and", (True, None), MISSING),
        ("and", (False, None), False),
        ("or", (True, None), True),
        ("or", (False, None), MISSING),
        ("or", (False, 1), MISSING),
        ("and", (True, True), True),
    ],
)
def test_logic_is_three_valued(operator: Any, operands: tuple[Any, ...], expected: Any) -> None:
    assert value(Logical(operator, tuple(map(Constant, operands)))) == expected


def test_negation_and_membership() -> None:
    assert value(Unary("not", Constant(None))) is MISSING
    assert value(Unary("not", Constant(True))) is False
    assert value(Unary("abs", V), "x") is MISSING
    assert value(Unary("-", V), 3) == -3
    assert value(Membership(V, (Constant("x"), Constant(3))), 3) is True
    assert value(Membership(V, (Constant("x"), Parameter("p"))), 4, p=3) is False
    assert value(Membership(V, (Constant("x"), Parameter("p"))), MISSING, p=3) is MISSING
    assert value(Membership(V, (Parameter("p"),)), MISSING, p=None) is True
    assert value(Membership(V, (Parameter("p"), Constant(9))), 3, p=[1, 3]) is True
    assert value(Membership(V, (Parameter("p"),)), MISSING, p=[]) is False


def test_attributes_are_looked_up_by_path() -> None:
    event = Event("T", "e1", 0, source="s", payload={"payload": {"temp": 4}, "type": "own", "gone": None})
    scope = Scope(groups={"b": [event]}, each={"b": event}, i=1, params={})

    def at(*path: str) -> Any:
        return evaluate(Attribute("b", path), scope)

    assert at("payload", "temp") == 4
    assert at("payload", "temp", "deeper") is MISSING
    assert at("gone") is MISSING
    assert (at("type"), at("id"), at("source")) == ("own", "e1", "s")


def test_a_rule_is_asked_of_the_matches_of_each_end_event_by_itself() -> None:
    asked: list[list[list[str]]] = []

    def first(matches: Sequence[Mapping[str, Sequence[Event]]]) -> Sequence[Mapping[str, Sequence[Event]]]:
        asked.append([[e.id for group in m.values() for e in group] for m in matches])
        return matches[:1]

    found = ruled_matches(
        parse("PATTERN SEQ(A a, B b) WITHIN 10 s"), written("a1 a2 b3 b4"), first, select="stam"
    )
    assert sorted(asked) == [[["a1", "b3"], ["a2", "b3"]], [["a1", "b4"], ["a2", "b4"]]]
    assert {tuple(e[2] for _, group in m for e in group) for m in found} == {("a1", "b3"), ("a1", "b4")}


@pytest.mark.parametrize("kept", [None, 5, [7], [{"a": 5}], iter([None])])
def test_a_rule_that_keeps_what_is_no_match_breaks_its_contract(kept: Any) -> None:
    with pytest.raises(ContractBreach, match="in 'keeps', where"):
        ruled(lambda matches: kept, [])
