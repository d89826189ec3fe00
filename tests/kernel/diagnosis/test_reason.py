"""Reasons are warnings, about a part of the query where they name one."""

from __future__ import annotations

from limecep.diagnosis.reason import reason
from limecep.language.problems import QueryProblem


def test_a_reason_is_a_warning_about_a_part_of_the_query() -> None:
    assert reason("odd", "it is odd", "look at it", (3, 8)) == QueryProblem(
        code="odd", message="it is odd", hint="look at it", severity="warning", start=3, end=8
    )


def test_a_reason_may_be_about_no_part_of_it() -> None:
    found = reason("odd", "it is odd")
    assert (found.hint, found.start, found.end) == ("", 0, 0)
