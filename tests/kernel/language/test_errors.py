"""Texts that are no queries: never anything but a QueryError, and one that helps."""

from __future__ import annotations

import contextlib
import os

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from limecep.language.parser import parse
from limecep.language.problems import QueryError

EXAMPLES = int(os.environ.get("LIMECEP_EXAMPLES", "300"))
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


@settings(max_examples=EXAMPLES // 3, deadline=None)
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


@settings(max_examples=EXAMPLES // 3, deadline=None)
@given(mutated())
def test_no_nearly_right_query_raises_anything_else(text: str) -> None:
    only_query_errors(text)


def test_all_that_is_wrong_with_literals_and_names_is_said_at_once() -> None:
    with pytest.raises(QueryError) as caught:
        parse("PATTERN SEQ(A a[]) WHERE fist(a) > 1 AND a[0].v > 2 WITHIN 3 parsecs")
    codes = [p.code for p in caught.value.problems]
    assert codes == ["missing-quantifier", "unknown-function", "bad-index", "unknown-unit"]
