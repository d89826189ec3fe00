"""What is said of a whole document: everything at once, nothing that follows from something else."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
import yaml

if TYPE_CHECKING:
    from conftest import Check


FOLLOWED = [
    ("{limit: 40}", "{limit: {least: 1}}"),
    ("{limit: 40}", "40"),
    ("{type: file}", "file"),
    ("{log: {type: file}}", "5"),
    ("as: GasLeak", "as: GasLeak, payload: {percentage: flot}"),
    ("as: GasLeak", "as: GasLeak, payload: [percentage, 5]"),
    ("$limit", "${limit}"),
    ("engine: maximal", "engine: ${ENGINE}"),
    ("engine: maximal", "results: {max_per_end: '${MOST}'}"),
    ("gas.csv", '"${FILE}"'),
    ("from: log", 'from: "${CONNECTOR}"'),
    ("as: GasLeak", 'as: "${TYPE}"'),
    ("as: GasLeak", 'as: GasLeak, key: "${KEY}"'),
    ("{type: stdout}", '{type: "${KIND}", path: x}'),
    ("{type: stdout}", '{type: stdout, patterns: ["${PATTERN}"]}'),
    ("engine: maximal", "results: {emit: final, horizon: -5s}"),
]


@pytest.mark.parametrize("change", FOLLOWED)
def test_what_follows_from_a_mistake_is_not_said(check: Check, good: str, change: tuple[str, str]) -> None:
    text = good.replace("\n  log: {type: file}", " {log: {type: file}}") if "log:" in change[0] else good
    assert change[0] in text
    [problem] = check(text.replace(*change, 1)).problems
    assert problem.severity == "error"


def test_control_characters_reach_no_terminal(check: Check, good: str) -> None:
    for text in (good.replace("kitchen", '"a\\e[31mb\\u202e"'), good.replace("kitchen", "a\x1b[31mb")):
        [problem] = check(text).problems
        assert "\x1b" not in str(problem)
        assert "\u202e" not in str(problem)


def test_all_mistakes_are_named_at_once(check: Check, good: str) -> None:
    text = good
    changes = (
        ("{type: file}", "{type: file, rot: x}"),
        ("gas:  {from: log", "gas:  {from: lag"),
        ("GasLeak a", "GasLeek a"),
        ("a.percentage", "x.percentage"),
        ("select: stnm", "selct: stnm"),
        ("engine: maximal", "engine: maximl"),
        ("{type: stdout}", "{to: lag}"),
    )
    for change in changes:
        text = text.replace(*change, 1)
    lines = [p.place.line for p in check(text).problems if p.place]
    assert lines == [5, 7, 12, 13, 15, 16, 18]


def test_a_problem_shows_the_line_with_a_caret(check: Check, good: str) -> None:
    [problem] = check(good.replace("SEQ(GasLeak a", "SEQ(GasLeek a")).problems
    assert str(problem).splitlines()[1:3] == [
        "          PATTERN SEQ(GasLeek a, Temperature{2} b[])",
        "                      ^^^^^^^",
    ]


def test_a_file_in_one_long_line_is_shown_in_part(check: Check, good: str) -> None:
    text = json.dumps(yaml.safe_load(good)).replace("GasLeak a", "GasLeek a")
    [problem] = check(text).problems
    _, shown, carets, _ = str(problem).splitlines()
    assert len(shown) < 140
    assert shown[carets.index("^") :].startswith("GasLeek a")
