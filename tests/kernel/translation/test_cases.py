"""CASE in a condition is the OR of its branches."""

from __future__ import annotations

import pytest

from limecep.translation.translate import translate
from tests.kernel.translation.row_patterns import by_engine, found, refusal, statement

PATTERN = "PATTERN (A B) WITHIN INTERVAL '9' SECOND DEFINE B AS"


def where(condition: str) -> str:
    query = translate(statement(f"{PATTERN} {condition}")).query
    return query.partition("WHERE ")[2].partition("WITHIN")[0].strip()


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (
            "CASE WHEN v > 1 THEN k = 'x' ELSE FALSE END",
            "b.v > 1 AND b.k = 'x'",
        ),
        (
            "v > CASE A.k WHEN 'x' THEN 1 ELSE 2 END",
            "(a.k = 'x' AND b.v > 1 OR NOT coalesce(a.k = 'x', false) AND b.v > 2)",
        ),
    ],
)
def test_a_condition_is_written_without_it(condition: str, expected: str) -> None:
    assert " ".join(where(condition).split()) == expected


@pytest.mark.parametrize(
    "condition",
    [
        "NOT CASE WHEN v > 1 THEN k = 'x' WHEN v IS NULL THEN TRUE END",
        "CASE WHEN v > A.v THEN v WHEN k = 'x' THEN A.v END > 1",
        "CASE k WHEN 'x' THEN CASE WHEN v = 1 THEN 2 ELSE v END ELSE A.v END BETWEEN 2 AND 3",
    ],
)
def test_it_finds_what_sql_finds_also_where_something_is_null(condition: str) -> None:
    text = statement(f"AFTER MATCH SKIP TO NEXT ROW {PATTERN} {condition}")
    values = [(v, k) for v in (None, 0, 1, 2, 3) for k in (None, "x", "y")]
    values += values[::-1] + values[::4]
    rows = [
        {"t": t, **({} if v is None else {"v": v}), **({} if k is None else {"k": k})}
        for t, (v, k) in enumerate(values)
    ]
    assert found(text, rows, 9)
    assert by_engine(text, rows) == found(text, rows, 9)


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("SUM(¦CASE WHEN v > 1 THEN v END) < 9", "no-column"),
        ("¦" + " AND ".join(f"CASE WHEN v > {n} THEN 1 END = 1" for n in range(65)), "too-many-alternatives"),
        (
            "¦" + " + ".join(f"CASE WHEN v > {n} THEN 1 END" for n in range(8)) + " > 3",
            "too-many-alternatives",
        ),
    ],
)
def test_what_cannot_be_carried_over_is_refused(condition: str, code: str) -> None:
    assert refusal(statement(f"{PATTERN} {condition}")) == code
