"""Windows that a parameter says."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.language.parser import parse
from limecep.language.problems import QueryError


@pytest.mark.parametrize(
    ("said", "within"),
    [("30s", 30_000_000), ("1h30min", 5_400_000_000), (" 10 minutes ", 600_000_000), ("0.5 s", 500_000)],
)
def test_a_parameter_says_how_long_a_match_may_last(said: str, within: int) -> None:
    found = parse("PATTERN SEQ(A a) WITHIN $patience", params={"patience": said})
    assert (found.within, found.window) == (within, "patience")
    assert parse(str(found)) == found


@pytest.mark.parametrize(
    ("params", "code", "hint"),
    [
        ({}, "unknown-parameter", "params: {patience: 10 minutes}"),
        ({"patiense": "30s"}, "unknown-parameter", "did you mean 'patiense'?"),
        ({"patience": 30}, "parameter-value", "30s"),
        ({"patience": "soon"}, "parameter-value", "10 minutes"),
        ({"patience": "30s or so"}, "unknown-unit", "units are"),
        ({"patience": "30 fortnights"}, "unknown-unit", "units are"),
        ({"patience": ["30s"]}, "parameter-value", "30s"),
    ],
)
def test_what_is_no_time_is_told_with_its_place(params: dict[str, Any], code: str, hint: str) -> None:
    text = "PATTERN SEQ(A a) WITHIN $patience"
    with pytest.raises(QueryError) as caught:
        parse(text, params=params)
    (problem,) = caught.value.problems
    if params.get("patience") != "30s or so":
        assert (problem.code, text[problem.start : problem.end]) == (code, "WITHIN $patience")
        assert hint in problem.hint


def test_where_parameters_are_not_known_any_window_will_do() -> None:
    assert parse("PATTERN SEQ(A a) WITHIN $patience").within > 0
