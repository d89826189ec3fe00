"""Conditions in the forms in which they are written."""

from __future__ import annotations

import pytest

from limecep.language.parser import parse
from limecep.language.problems import QueryError
from limecep.model.expression import Binary, Expression
from limecep.model.function import Function
from limecep.problems import Problem
from limecep.signature import read


def condition(text: str) -> Expression | None:
    return parse(f"PATTERN A a WHERE {text} WITHIN 1 s").where


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("a.v = 1 and b.v <> 2", "a.v == 1 AND b.v != 2"),
        ("a.v == 1 and !b.v or $p", "a.v == 1 AND NOT b.v OR $p"),
        ("a.x AND (a.y AND (a.z))", "a.x AND a.y AND a.z"),
        ("(a.x OR a.y) OR a.z", "a.x OR a.y OR a.z"),
        ("NOT a.v > 3", "NOT a.v > 3"),
        ("a.v NOT IN (1, 'x')", "NOT a.v IN (1, 'x')"),
        ("a.v NOT BETWEEN 1 AND 2 AND a.w", "NOT a.v BETWEEN 1 AND 2 AND a.w"),
        ("a.v IS NULL OR a.w is not null", "a.v == null OR a.w != null"),
        ("1 - 2 - 3 * (4 + -5) % 6", "1 - 2 - 3 * (4 + -5) % 6"),
        ("(a.v > 1) = true", "(a.v > 1) == true"),
        ("ABS(-a.v) > .5e1", "abs(-a.v) > 5.0"),
        ("first(b).v > first(b.v)", "b[1].v > b[1].v"),
        ("LAST(b).x.y = b[2].v", "last(b).x.y == b[2].v"),
        ("b[i+1].v > b[I].v - b[i-1].v", "b[i+1].v > b[i].v - b[i-1].v"),
        ("count(b) + count(b[]) + count(b.v)", "count(b) + count(b) + count(b.v)"),
        ("b[i].v > avg(b[..i-1].v)", "b[i].v > avg(b[..i-1].v)"),
        ("sum(b[].v) = min(b.v)", "sum(b.v) == min(b.v)"),
        ("a.payload.temp > 1", "a.payload.temp > 1"),
        ("a.count = a.in", "a.count == a.`in`"),
        ("$`two words` = 1", "$`two words` == 1"),
        (r"""a.v = "it's" OR a.v = "a""b" """, """a.v == 'it''s' OR a.v == 'a"b'"""),
        (r"a.v = 'a\'b\\c\n'", r"a.v == 'a''b\\c\n'"),
        ("a.v -- the value\n > 3", "a.v > 3"),
    ],
)
def test_conditions_in_every_spelling(written: str, printed: str) -> None:
    assert str(condition(written)) == printed


@pytest.mark.parametrize(
    ("text", "code", "at", "hint"),
    [
        ("PATTERN SEQ(A a) WHERE a > 3 WITHIN 1 s", "missing-attribute", "a", "a.value"),
        ("PATTERN SEQ(A a) WHERE temp > 3 WITHIN 1 s", "unknown-variable", "temp", "a.temp"),
        ("PATTERN SEQ(A+ a) WHERE cuont(a) > 3 WITHIN 1 s", "unknown-function", "cuont(a)", "'count'"),
        ("PATTERN SEQ(A+ a) WHERE avg(a) > 3 WITHIN 1 s", "bad-argument", "avg(a)", "avg(a.value)"),
        ("PATTERN SEQ(A+ a) WHERE sum(a[i].v) > 3 WITHIN 1 s", "bad-argument", "sum(a[i].v)", "[..i-1]"),
        ("PATTERN SEQ(A+ a) WHERE min(a.v, 2) > 3 WITHIN 1 s", "bad-argument", "min(a.v, 2)", ""),
        ("PATTERN SEQ(A+ a) WHERE a[j].v > 3 WITHIN 1 s", "bad-index", "[j]", "[i+1]"),
        ("PATTERN SEQ(A+ a) WHERE a[i+0].v > 3 WITHIN 1 s", "bad-index", "[i+0]", "[i+1]"),
        ("PATTERN SEQ(A+ a) WHERE a[0].v > 3 WITHIN 1 s", "bad-index", "[0]", "[1]"),
        ("PATTERN SEQ(A+ a) WHERE a[..i-1].v > 3 WITHIN 1 s", "bad-index", "a[..i-1].v", "avg"),
        ("PATTERN SEQ(A+ a) WHERE a.v OR [uid] WITHIN 1 s", "misplaced-partition", "[uid]", "PARTITION BY"),
    ],
)  # fmt: skip
def test_an_error_in_a_condition_says_where_and_what_to_do(text: str, code: str, at: str, hint: str) -> None:
    with pytest.raises(QueryError) as caught:
        parse(text)
    (problem,) = caught.value.problems
    assert (problem.code, text[problem.start : problem.end]) == (code, at)
    assert hint in problem.hint


FUNCTIONS: dict[str, Function | Problem] = {
    "near": Function("near", read("(x: float, y: float, within: float = ...) -> bool"), lambda *_: None),
    "gone": Problem(code="missing-module", message="needs a module", hint="install it"),
}


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("near(a.v, 3)", "near(a.v, 3)"),
        ("NEAR(a.v, $p, avg(a.w)) = true", "near(a.v, $p, avg(a.w)) == true"),
        ("NOT near((a.v + 1), near(1, 2))", "NOT near(a.v + 1, near(1, 2))"),
        ("near(a.v > 1 AND a.w > 2, (a.x OR a.y))", "near(a.v > 1 AND a.w > 2, a.x OR a.y)"),
        ("`near`(first(a).v, a[i].v)", "near(a[1].v, a[i].v)"),
    ],
)
def test_functions_are_called_in_every_spelling(written: str, printed: str) -> None:
    assert str(parse(f"PATTERN A a WHERE {written} WITHIN 1 s", FUNCTIONS.get).where) == printed


@pytest.mark.parametrize(
    ("condition", "code", "at", "says"),
    [
        ("naer(a.v, 3)", "unknown-function", "naer(a.v, 3)", "known: abs"),
        ("near(a.v)", "bad-argument", "near(a.v)", "near takes 2 or 3 arguments, not 1"),
        ("near(a.v, 1, 2, 3)", "bad-argument", "near(a.v, 1, 2, 3)", "it is near(x: float, y: float, "),
        ("near(a.v, 3).x", "bad-argument", "near(a.v, 3).x", "near(...) has no attributes"),
        ("gone(a.v) > 3", "missing-module", "gone(a.v)", "install it"),
        ("near(a, 3)", "missing-attribute", "a", "a.value"),
        ("near(a.v, [uid])", "misplaced-partition", "[uid]", "PARTITION BY"),
    ],
)
def test_an_error_in_a_call_says_where_and_what_to_do(condition: str, code: str, at: str, says: str) -> None:
    text = f"PATTERN SEQ(A a) WHERE {condition} WITHIN 1 s"
    with pytest.raises(QueryError) as caught:
        parse(text, FUNCTIONS.get)
    (problem,) = caught.value.problems
    assert (problem.code, text[problem.start : problem.end]) == (code, at)
    assert says in f"{problem.message} {problem.hint}"


def test_the_span_of_what_stands_in_parentheses_has_them() -> None:
    text = "PATTERN A a WHERE (a.v + 1) * 2 > ((3)) WITHIN 1 s"
    where = parse(text).where
    assert isinstance(where, Binary)
    assert isinstance(where.left, Binary)
    spans = (where.span, where.left.span, where.left.left.span, where.right.span)
    assert [text[slice(*span)] for span in spans] == [
        "(a.v + 1) * 2 > ((3))",
        "(a.v + 1) * 2",
        "(a.v + 1)",
        "((3))",
    ]


@pytest.mark.parametrize("place", ["1.5", "1234567890"])
def test_a_place_in_a_group_is_a_whole_number_of_nine_digits_at_most(place: str) -> None:
    text = f"PATTERN A+ a[] WHERE a[{place}].v > 1 WITHIN 1 s"
    with pytest.raises(QueryError, match=f"{place} is no number of events") as caught:
        parse(text)
    assert [text[p.start : p.end] for p in caught.value.problems] == [place]
    assert str(parse("PATTERN A+ a[] WHERE a[123456789].v > 1 WITHIN 1 s").where) == "a[123456789].v > 1"
