"""Texts that are no queries: never anything but a QueryError, and one that helps."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from limecep.language.parser import parse
from limecep.language.problems import QueryError

VALID = [
    "PATTERN SEQ(!ROOM a, STEPS+ b[]) WHERE b[i+1].value > b[i].value WITHIN 10 minutes",
    "PATTERN SEQ(A a, (B OR C){2,4} x[]) WHERE skip-till-any-match AND [uid] AND x[i].v > avg(x[..i-1].v)"
    " AND a.v NOT IN (1, 'two', -3.5e2) OR NOT abs(a.x - $p) BETWEEN 1 AND 2 WITHIN 1 h 3 min PARTITION BY y",
    'PATTERN OR(AND(A a, B b), SEQ(`door-open` d)) WHERE d.v="x""y" -- why\n AND d[1].v WITHIN 2 s',
]
PIECES = [
    "PATTERN", "SEQ", "AND", "OR", "NOT", "WHERE", "IN", "BETWEEN", "IS", "NULL", "WITHIN", "PARTITION", "BY",
    "(", ")", "[", "]", "{", "}", ",", ".", "..", "!", "+", "-", "--", "*", "/", "<", "=", "&&", "||", "|",
    "'", '"', "`", "\\", "$", "$p", "a", "b.v", "[i+1]", "1", "2.5", "1e999", "9" * 5000, "seconds",
    "\n", " ", "ſ", ";",
]  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A valid query with a few pieces cut out, put in or put elsewhere."""
    text = draw(st.sampled_from(VALID))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        stop = min(len(text), start + draw(st.integers(0, 12)))
        text = text[:start] + draw(st.sampled_from(["", *PIECES])) + text[stop:]
    return text


def only_query_errors(text: str) -> None:
    with contextlib.suppress(QueryError):
        parse(text)
        return
    with pytest.raises(QueryError) as caught:
        parse(text)
    assert caught.value.problems
    assert str(caught.value)
    for problem in caught.value.problems:
        assert 0 <= problem.start <= problem.end <= len(text)
        assert problem.message
        assert "_AND" not in problem.hint
        assert "RPAR" not in problem.hint


@settings(max_examples=250, deadline=None)
@given(st.text() | st.lists(st.sampled_from(PIECES), max_size=30).map(" ".join))
@example("")
@example("PATTERN A a WITHIN " + "9" * 5000 + " s")
@example("PATTERN A a WITHIN 1e999999999999999999999 s")
@example("PATTERN A a WHERE a.v > " + "9" * 5000 + " WITHIN 1 s")
@example("PATTERN A a WHERE a.v > 1e999 WITHIN 1 s")
@example("PATTERN A{" + "9" * 5000 + "} a WITHIN 1 s")
@example("PATTERN A{٣} a WITHIN 1 s")
@example("PATTERN A a WHERE " + "(" * 3000 + "a.v" + ")" * 3000 + " WITHIN 1 s")
@example("PATTERN A a WHERE " + "NOT " * 3000 + "a.v WITHIN 1 s")
@example("PATTERN A a WHERE a.v" + " + a.v" * 3000 + " WITHIN 1 s")
@example("PATTERN " + "OR(" * 3000 + "A a" + ")" * 3000 + " WITHIN 1 s")
@example("PATTERN A a WHERE " + "(" * 3000)
def test_no_text_raises_anything_else(text: str) -> None:
    only_query_errors(text)


@settings(max_examples=250, deadline=None)
@given(mutated())
def test_no_nearly_right_query_raises_anything_else(text: str) -> None:
    only_query_errors(text)


@pytest.mark.parametrize(
    ("text", "code", "at", "hint"),
    [
        ("", "missing-pattern", "", "PATTERN SEQ"),
        ("SEQ(A, B) WITHIN 1 s", "missing-pattern", "SEQ", "PATTERN SEQ"),
        ("PATERN SEQ(A, B) WITHIN 1 s", "misspelt-keyword", "PATERN", "did you mean PATTERN?"),
        ("PATTERN SQE(A, B) WITHIN 1 s", "misspelt-keyword", "SQE", "did you mean SEQ?"),
        ("PATTERN SEQ(A a) WEHRE a.v WITHIN 1 s", "misspelt-keyword", "WEHRE", "did you mean WHERE?"),
        ("PATTERN SEQ(A a) WHERE a.v WITIN 1 s", "misspelt-keyword", "WITIN", "did you mean WITHIN?"),
        ("PATTERN SEQ(A a) WITHIN 1 s PARTITON BY x", "misspelt-keyword", "PARTITON", "PARTITION"),
        ("PATTERN SEQ(A a) WHERE a.v > 3 -- end", "missing-within", "", "WITHIN 10 minutes"),
        ("PATTERN SEQ(A a) PARTITION BY x", "missing-within", "PARTITION", "WITHIN 10 minutes"),
        ("PATTERN SEQ(A a) WITHIN 30 secondz", "unknown-unit", "secondz", "seconds"),
        ("PATTERN SEQ(A a) WITHIN 5 m", "unknown-unit", "m", "minutes are min; units are"),
        ("PATTERN SEQ(A a) WITHIN 30", "unexpected-end", "", ""),
        ("PATTERN SEQ(A a) WITHIN 30 PARTITION BY x", "syntax", "PARTITION", "a unit such as seconds"),
        ("PATTERN SEQ(A a) WITHIN seconds", "syntax", "seconds", "expected a number"),
        ("PATTERN SEQ(A a) WITHIN 0.5 us", "bad-duration", "0.5 us", "microseconds"),
        ("PATTERN SEQ(A a) WITHIN 1e3 s", "bad-duration", "1e3 s", "10 minutes"),
        ("PATTERN SEQ(A a) WITHIN 9999999999999 days", "bad-duration", "9999999999999 days", "million"),
        ("PATTERN SEQ(A a) WITHIN 1 s WHERE a.v", "clause-order", "WHERE", "WHERE, WITHIN, PARTITION BY"),
        ("PATTERN SEQ(A a) WITHIN 1 s WITHIN 2 s", "clause-order", "WITHIN", ""),
        ("PATTERN SEQ(A a, B b WITHIN 1 s", "unclosed-bracket", "(", "put ')' before WITHIN"),
        ("PATTERN SEQ(A a) WHERE (a.v > 1 WITHIN 1 s", "unclosed-bracket", "(", "put ')' before WITHIN"),
        ("PATTERN SEQ(A a", "unclosed-bracket", "(", "put ')'"),
        ("PATTERN SEQ(A a)) WITHIN 1 s", "unmatched-bracket", ")", ""),
        ("PATTERN SEQ(A a) WHERE a.v = 'x WITHIN 1 s", "unclosed-quote", "'", "after the text"),
        ("PATTERN SEQ(A a) WHERE a.v < 1 < 2 WITHIN 1 s", "comparison-chain", "<", "AND"),
        ("PATTERN SEQ(A a) WHERE a.v => 1 WITHIN 1 s", "syntax", "=>", "did you mean >=?"),
        ("PATTERN SEQ(A a) WHERE a.v =< 1 WITHIN 1 s", "syntax", "=<", "did you mean <=?"),
        ("PATTERN SEQ(A a) WHERE a.v > 1 && a.w WITHIN 1 s", "foreign-operator", "&&", "write AND"),
        ("PATTERN SEQ(A a) WHERE a.v > 1 || a.w WITHIN 1 s", "foreign-operator", "||", "write OR; texts"),
        ("PATTERN SEQ((A || B) x) WITHIN 1 s", "foreign-operator", "||", "write OR"),
        ("PATTERN SEQ(A a) WHERE a.v === 1 WITHIN 1 s", "syntax", "===", "did you mean =?"),
        ("PATTERN SEQ(A a) WHERE a.v > 40% AND a.w WITHIN 1 s", "syntax", "%", "write 40, or 0.4"),
        ("PATTERN SEQ(A a) WHERE a.v > 40% WITHIN 1 s", "syntax", "%", "write 40, or 0.4"),
        ("PATTERN SEQ(A a) WHERE a.v % > 1 WITHIN 1 s", "syntax", ">", "a value such as"),
        ("PATTERN SEQ(A a -> B b) WITHIN 1 s", "syntax", "->", "PATTERN SEQ(A a, B b)"),
        ("PATTERN A a -> B b WITHIN 1 s", "syntax", "->", "PATTERN SEQ(A a, B b)"),
        ("PATTERN A -> B WITHIN 1 s", "syntax", "->", "PATTERN SEQ(A a, B b)"),
        ("PATTERN SEQUENCE(A a, B b) WITHIN 1 s", "misspelt-keyword", "SEQUENCE", "did you mean SEQ?"),
        ("PATTERN SEQ(A a) WHERE skip-till-anymatch AND a.v WITHIN 1 s", "misspelt-keyword",
         "skip-till-anymatch", "skip-till-any-match?"),
        ("PATTERN SEQ(A a) WHERE skip-til-next-match WITHIN 1 s", "misspelt-keyword", "skip-til-next-match",
         "skip-till-next-match?"),
        ("PATTERN SEQ(A a) WHERE a.v > WITHIN 1 s", "syntax", "WITHIN", "a value such as"),
        ("PATTERN SEQ(A a,) WITHIN 1 s", "syntax", ")", "an event type"),
        ("PATTERN SEQ(A a, OR(B b, C c)) WITHIN 1 s", "misplaced-structure", "OR", "(B OR C) x"),
        ("PATTERN A a OR B b WITHIN 1 s", "misplaced-structure", "OR", "OR(..., ...)"),
        ("PATTERN SEQ(door-open d) WITHIN 1 s", "syntax", "-", "backquotes"),
        ("PATTERN SEQ(A in) WITHIN 1 s", "keyword-as-name", "in", "`in`"),
        ("PATTERN SEQ(A+ a+) WITHIN 1 s", "two-quantifiers", "A+ a+", "once"),
        ("PATTERN SEQ(A a[]) WITHIN 1 s", "missing-quantifier", "A a[]", "B+ b[]"),
        ("PATTERN SEQ(A{1.5} a) WITHIN 1 s", "bad-number", "1.5", "whole"),
        ("PATTERN SEQ(A a) WHERE a > 3 WITHIN 1 s", "missing-attribute", "a", "a.value"),
        ("PATTERN SEQ(A a) WHERE temp > 3 WITHIN 1 s", "unknown-variable", "temp", "a.temp"),
        ("PATTERN SEQ(A+ a) WHERE cuont(a) > 3 WITHIN 1 s", "unknown-function", "cuont(a)", "'count'"),
        ("PATTERN SEQ(A+ a) WHERE avg(a) > 3 WITHIN 1 s", "bad-argument", "avg(a)", "avg(a.value)"),
        ("PATTERN SEQ(A+ a) WHERE sum(a[i].v) > 3 WITHIN 1 s", "bad-argument", "sum(a[i].v)", "[..i-1]"),
        ("PATTERN SEQ(A+ a) WHERE min(a.v, 2) > 3 WITHIN 1 s", "bad-argument", "min(a.v, 2)", ""),
        ("PATTERN SEQ(A+ a) WHERE a[j].v > 3 WITHIN 1 s", "bad-index", "[j]", "[i+1]"),
        ("PATTERN SEQ(A+ a) WHERE a[i+2].v > 3 WITHIN 1 s", "bad-index", "[i+2]", "[i+1]"),
        ("PATTERN SEQ(A+ a) WHERE a[0].v > 3 WITHIN 1 s", "bad-index", "[0]", "[1]"),
        ("PATTERN SEQ(A+ a) WHERE a[..i-1].v > 3 WITHIN 1 s", "bad-index", "a[..i-1].v", "avg"),
        ("PATTERN SEQ(A+ a) WHERE a.v OR [uid] WITHIN 1 s", "misplaced-partition", "[uid]", "PARTITION BY"),
        (r"PATTERN SEQ(A a) WHERE a.v = '\d' WITHIN 1 s", "bad-escape", r"'\d'", r"\\"),
        ("PATTERN SEQ(A a) WHERE a.v = 1e999 WITHIN 1 s", "bad-number", "1e999", "1.7e308"),
    ],
)  # fmt: skip
def test_an_error_says_where_and_what_to_do(text: str, code: str, at: str, hint: str) -> None:
    with pytest.raises(QueryError) as caught:
        parse(text)
    (problem,) = caught.value.problems
    assert (problem.code, text[problem.start : problem.end]) == (code, at)
    assert hint in problem.hint


def test_all_that_is_wrong_with_literals_and_names_is_said_at_once() -> None:
    with pytest.raises(QueryError) as caught:
        parse("PATTERN SEQ(A a[]) WHERE fist(a) > 1 AND a[0].v > 2 WITHIN 3 parsecs")
    codes = [p.code for p in caught.value.problems]
    assert codes == ["missing-quantifier", "unknown-function", "bad-index", "unknown-unit"]


def test_an_error_prints_its_line_with_a_caret() -> None:
    with pytest.raises(QueryError) as caught:
        parse("PATTERN SEQ(A a)\nWITHIN 30 secondz")
    assert str(caught.value).splitlines()[:3] == [
        "query:2:11: error: unknown unit 'secondz' [unknown-unit]",
        "    WITHIN 30 secondz",
        "              ^^^^^^^",
    ]
