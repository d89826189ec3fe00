"""Problems of a query, with their places in its text."""

from __future__ import annotations

import pytest

from limecep.language.parser import parse
from limecep.language.problems import QueryError, QueryProblem


def test_an_error_prints_its_line_with_a_caret() -> None:
    with pytest.raises(QueryError) as caught:
        parse("PATTERN SEQ(A a)\nWITHIN 30 secondz")
    assert str(caught.value).splitlines()[:3] == [
        "query:2:11: error: unknown unit 'secondz' [unknown-unit]",
        "    WITHIN 30 secondz",
        "              ^^^^^^^",
    ]


def shown(start: int, end: int, text: str = "PATTERN\r\n  SEQ(A\n)") -> tuple[int, int, str, int]:
    """Line, column, line of text and width of what stands at two offsets."""
    place = QueryProblem(code="c", message="m", start=start, end=end).within(text).place
    assert place is not None
    return place.line, place.column, place.text, place.width


def test_offsets_become_a_line_a_column_and_a_width() -> None:
    assert shown(0, 7) == (1, 1, "PATTERN", 7)
    assert shown(11, 14) == (2, 3, "  SEQ(A", 3)
    assert shown(17, 18) == (3, 1, ")", 1)


def test_what_is_missing_is_one_wide_and_nothing_goes_beyond_its_line() -> None:
    assert shown(11, 11) == (2, 3, "  SEQ(A", 1)
    assert shown(14, 18) == (2, 6, "  SEQ(A", 2)


def test_a_problem_keeps_what_it_says_where_it_gets_a_place() -> None:
    problem = QueryProblem(code="c", message="m", hint="h", severity="warning", start=1, end=2)
    placed = problem.within("abc", file="p.yaml")
    assert (placed.code, placed.message, placed.hint, placed.severity) == ("c", "m", "h", "warning")
    assert placed.place is not None
    assert placed.place.file == "p.yaml"


def test_an_error_carries_its_problems_and_its_text() -> None:
    problems = [QueryProblem(code="one", message="m", end=1), QueryProblem(code="two", message="n", end=1)]
    error = QueryError(problems, "abc")
    assert (error.problems, error.text) == (tuple(problems), "abc")
    assert "[one]" in str(error)
    assert "[two]" in str(error)


def test_what_has_no_place_is_at_the_beginning() -> None:
    problem = QueryProblem(code="c", message="m")
    assert (problem.start, problem.end, problem.severity) == (0, 0, "error")
