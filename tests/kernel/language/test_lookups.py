"""Look-ups in queries: what they look into, and what is wrong with them."""

from __future__ import annotations

import pytest

from limecep.language.parser import parse
from limecep.language.problems import QueryError
from limecep.model.table import Table

TABLES = {
    "limits": Table("limits", ("machine",)),
    "pairs": Table("pairs", ("x", "y")),
    "a": Table("a", ("x",)),
    "unknown": Table("unknown", ()),
}


@pytest.mark.parametrize(
    ("condition", "code", "marked", "said"),
    [
        ("limts[a.x].max > 1", "unknown-table", "limts", "did you mean 'limits'?"),
        ("a.x IN limts", "unknown-table", "limts", "did you mean 'limits'?"),
        ("pairs[a.x].z > 1", "table-key", "pairs[a.x].z", "write pairs[a.x, a.y].column"),
        ("limits[a.x, 1].z > 1", "table-key", "limits[a.x, 1].z", "write limits[a.machine].column"),
        ("a.x IN pairs", "table-key", "a.x IN pairs", "write pairs[a.x, a.y].column != null"),
        ("limits[i].max > 1", "table-key", "limits[i].max", "a.machine being what to look up"),
        ("limits[x].max > 1", "table-key", "limits[x].max", "a.machine being what to look up"),
        ("limits.max > 1", "table-key", "limits.max", "a.machine being what to look up"),
        ("limits[a.x] > 1", "missing-attribute", "limits[a.x]", "a.machine IN limits"),
        ("a[a.x].v > 1", "bad-index", "a[a.x].v", "a variable hides the table of its name"),
        ("b[b.x].v > 1", "bad-index", "b[b.x].v", "only tables are looked into by values"),
        ("b['x'].v > 1", "bad-index", "b['x'].v", "only tables are looked into by values"),
        ("b[x].v > 1", "bad-index", "[x]", "[i+1]"),
        ("b[0].v > 1", "bad-index", "0", "write [1] for the first"),
        ("avg(limits[a.x].max) > 1", "bad-argument", "avg(limits[a.x].max)", "b being a variable"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(condition: str, code: str, marked: str, said: str) -> None:
    text = f"PATTERN SEQ(A a, B+ b[]) WHERE {condition} WITHIN 1 s"
    with pytest.raises(QueryError) as failure:
        parse(text, tables=TABLES)
    problem = failure.value.problems[0]
    assert (problem.code, said in problem.hint) == (code, True), problem
    at = text[problem.start : problem.end]
    assert at.strip("[]") == marked.strip("[]") if code == "bad-index" else at == marked


def test_without_tables_there_are_none() -> None:
    with pytest.raises(QueryError, match="name it under 'tables', with where its rows come from"):
        parse("PATTERN SEQ(A a) WHERE limits[a.x].max > 1 WITHIN 1 s")


def test_a_number_is_a_place_of_a_variable_and_a_key_of_a_table() -> None:
    where = parse("PATTERN SEQ(A a, B+ b[]) WHERE b[1].v > limits[1].max WITHIN 1 s", tables=TABLES).where
    assert str(where) == "b[1].v > limits[1].max"
    assert where != parse("PATTERN SEQ(A a, B+ b[]) WHERE b[1].v > b[1].max WITHIN 1 s", tables=TABLES).where


def test_where_the_key_is_not_known_nothing_is_said_of_it() -> None:
    assert parse("PATTERN SEQ(A a) WHERE unknown[a.x, a.y, 3].v > 1 WITHIN 1 s", tables=TABLES).where
