"""What is wrong with look-ups, as far as the rows are known."""

from __future__ import annotations

import pytest

from limecep.language.check import check
from limecep.language.parser import parse
from limecep.model.table import Rows, Table, TableRow

ROWS = [
    TableRow(("p1",), None, {"m": "p1", "max": 5, "on": True, "deep": {"x": 1}, "name": "one"}),
    TableRow(("p2",), None, {"m": "p2", "max": 7.5, "dot.ted": 1}),
]
TABLES = {
    "limits": Table("limits", ("m",), False, Rows(ROWS)),
    "turns": Table("turns", ("m",), True, Rows([r._replace(begins=0) for r in ROWS])),
    "unread": Table("unread", ("m",)),
    "mixed": Table("mixed", ("m",), False, Rows([TableRow((k,), None, {"m": k}) for k in ("p1", 1, True)])),
}


def found(condition: str, structure: str = "SEQ(A a, B b)") -> list[tuple[str, str, str, str]]:
    pattern = parse(f"PATTERN {structure} WHERE {condition} WITHIN 1 s", tables=TABLES)
    problems = check(pattern, params={"p": "p3", "q": None})
    return [(p.code, pattern.text[p.start : p.end], p.message, p.hint) for p in problems]


@pytest.mark.parametrize(
    "condition",
    [
        "limits[a.m].max > a.v",
        "limits[a.m].deep.x > a.v",
        "limits[a.m].dot.ted > a.v",
        "limits['p1'].on",
        "unread['p9'].anything > 1",
        "mixed[1].m = 'x' OR mixed[1.0].m = 'x'",
        "mixed[true].m = 'x'",
        "a.m IN limits AND NOT a.m IN limits",
        "limits[$p].max > 1 OR a.v > 1",
    ],
)  # fmt: skip
def test_what_may_be_right_is_left_alone(condition: str) -> None:
    assert [f for f in found(condition) if f[0] != "absent-row" or "$p" not in condition] == []


def test_a_column_that_no_row_has_is_an_error() -> None:
    assert found("limits[a.m].mx > 1") == [
        ("unknown-column", "mx", "table 'limits' has no column 'mx'", "did you mean 'max'?")
    ]


@pytest.mark.parametrize(
    ("condition", "marked", "said", "hint"),
    [
        ("limits['p3'].max > 1", "'p3'", "has no row for 'p3'", "known: p1, p2"),
        ("limits[$p].max > 1", "$p", "has no row for 'p3'", "known: p1, p2"),
        ("limits[3].max > 1", "3", "'m' of table 'limits' is a text, 3 is a whole number", "never equal"),
        ("limits[count(a)].max > 1", "count(a)", "count(a) is a whole number", "never equal"),
        ("limits[null].max > 1", "null", "null is null", "never equal"),
        ("mixed[2].m = 'x'", "2", "has no row for 2", ""),
        ("mixed[false].m = 'x'", "false", "has no row for False", ""),
    ],
)
def test_a_key_of_which_there_is_no_row_is_told(condition: str, marked: str, said: str, hint: str) -> None:
    (code, at, message, way), *_ = [f for f in found(condition) if f[0] == "absent-row"]
    assert (code, at.strip("[]")) == ("absent-row", marked)
    assert said in message
    assert hint in way


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("limits[a.m].max", "limits[a.m].max is a number, and neither true nor false"),
        ("limits[a.m].max = 'x'", "limits[a.m].max is a number, and 'x' is a text: they do not compare"),
        ("limits[a.m].on > 3", "limits[a.m].on is a boolean"),
        ("a.v > limits[a.m].max AND NOT limits[a.m].name", "limits[a.m].name is a text"),
        ("(a.m IN limits) = 5", "a.m IN limits is a boolean, and 5 is a whole number"),
    ],
)
def test_kinds_that_do_not_compare_are_told(condition: str, said: str) -> None:
    ((code, _, message, _),) = found(condition)
    assert code == "value-kind"
    assert said in message


@pytest.mark.parametrize(
    ("condition", "structure", "refused"),
    [
        ("turns['p1'].max > a.v", "SEQ(A a, B? b)", True),
        ("turns['p1'].max > a.v", "SEQ(A a, B* b[], !C c)", True),
        ("turns['p1'].max > a.v", "OR(SEQ(A a, B b), SEQ(A a, C? c))", True),
        ("turns['p1'].max > a.v", "SEQ(A a, AND(B b, C c))", False),
        ("turns['p1'].max > a.v", "SEQ(A a, B+ b[])", False),
        ("turns[a.m].max > a.v", "SEQ(A a, B? b)", False),
        ("limits['p1'].max > a.v", "SEQ(A a, B? b)", False),
    ],
)
def test_the_end_event_must_be_of_one_step(condition: str, structure: str, refused: bool) -> None:
    assert [f[0] for f in found(condition, structure)] == ["no-end-event"] * refused
