"""Expressions print as users write them, and are equal where they mean the same text."""

from __future__ import annotations

import pytest

from limecep.model.expression import (
    Aggregate,
    Attribute,
    Between,
    Binary,
    Call,
    Constant,
    Current,
    Expression,
    Logical,
    Membership,
    Parameter,
    Position,
    Unary,
)
from limecep.model.function import Function
from limecep.signature import read

LOWER, CHOSEN = (
    Function(name, read("(x: object, *more: object) -> object"), lambda *_: None)
    for name in ("lower", "mine:lower")
)
A, B, C = (Attribute(name, ("v",)) for name in "abc")
ONE, TWO, THREE = map(Constant, (1, 2, 3))
MORE = Binary(">", A, ONE)


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (Constant(None), "null"),
        (Constant(True), "true"),
        (Constant(1.5), "1.5"),
        (Constant("it's\n\t\r\\"), r"'it''s\n\t\r\\'"),
        (Parameter("two words"), "$`two words`"),
        (Attribute("b", ("v",), Position(-1)), "last(b).v"),
        (Attribute("b", ("v",), Position(1)), "b[1].v"),
        (Attribute("b", ("payload", "in")), "b.payload.`in`"),
        (Attribute("b", ("v",), Current()), "b[i].v"),
        (Attribute("b", ("v",), Current(1)), "b[i+1].v"),
        (Attribute("b", ("v",), Current(-1)), "b[i-1].v"),
        (Aggregate("count", "b", ()), "count(b)"),
        (Aggregate("avg", "b", ("x", "v")), "avg(b.x.v)"),
        (Aggregate("avg", "b", ("v",), running=True), "avg(b[..i-1].v)"),
        (Unary("abs", Binary("-", A, B)), "abs(a.v - b.v)"),
        (Call(LOWER, (A, Binary("+", ONE, TWO), MORE)), "lower(a.v, 1 + 2, a.v > 1)"),
        (Binary("*", Call(CHOSEN, (Call(LOWER, (A,)),)), TWO), "`mine:lower`(lower(a.v)) * 2"),
        (Membership(Binary("+", A, ONE), (ONE, TWO)), "a.v + 1 IN (1, 2)"),
        (Between(A, ONE, Binary("+", ONE, TWO)), "a.v BETWEEN 1 AND 1 + 2"),
    ],
)
def test_nodes_print_as_users_write_them(node: Expression, text: str) -> None:
    assert str(node) == text


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (Binary("-", ONE, Binary("-", TWO, THREE)), "1 - (2 - 3)"),
        (Binary("-", Binary("-", ONE, TWO), THREE), "1 - 2 - 3"),
        (Binary("*", Binary("+", ONE, TWO), THREE), "(1 + 2) * 3"),
        (Binary("+", Binary("*", ONE, TWO), THREE), "1 * 2 + 3"),
        (Binary("/", ONE, Binary("%", TWO, THREE)), "1 / (2 % 3)"),
        (Binary("-", ONE, Constant(-1)), "1 - -1"),
        (Unary("-", Constant(5)), "-(5)"),
        (Unary("-", Constant(-5)), "-(-5)"),
        (Unary("-", Constant(True)), "-true"),
        (Unary("-", Unary("abs", Constant(5))), "-abs(5)"),
        (Unary("-", A), "-a.v"),
        (Unary("-", Unary("-", A)), "-(-a.v)"),
        (Unary("-", Binary("+", A, ONE)), "-(a.v + 1)"),
        (Binary("==", Binary("<", A, B), Constant(True)), "(a.v < b.v) == true"),
        (Binary("==", Constant(True), Binary("<", A, B)), "true == (a.v < b.v)"),
        (Unary("not", MORE), "NOT a.v > 1"),
        (Unary("not", Logical("or", (A, B))), "NOT (a.v OR b.v)"),
        (Logical("and", (Logical("or", (A, B)), Unary("not", C))), "(a.v OR b.v) AND NOT c.v"),
        (Logical("or", (Logical("and", (A, B)), C)), "a.v AND b.v OR c.v"),
        (Logical("or", (Logical("or", (A, B)), C)), "(a.v OR b.v) OR c.v"),
        (Logical("and", (Logical("and", (A, B)), C)), "(a.v AND b.v) AND c.v"),
        (Membership(MORE, (Constant(True),)), "(a.v > 1) IN (true)"),
        (Between(MORE, Constant(False), Constant(True)), "(a.v > 1) BETWEEN false AND true"),
    ],
)
def test_what_binds_less_than_its_place_asks_for_stands_in_parentheses(node: Expression, text: str) -> None:
    assert str(node) == text


def test_where_it_stands_makes_no_expression_another() -> None:
    assert Attribute("a", ("v",), span=(1, 4)) == A
    assert Constant(1, (0, 1)) == ONE
    assert Binary(">", A, ONE, (3, 9)) == MORE
    assert hash(Parameter("p", (0, 2))) == hash(Parameter("p"))


def test_calls_are_equal_by_the_name_and_the_signature_of_their_function() -> None:
    again = Function("lower", read("(x: object, *more: object) -> object"), str)
    assert Call(LOWER, (A,)) == Call(again, (A,))
    assert Call(LOWER, (A,)) != Call(CHOSEN, (A,))
