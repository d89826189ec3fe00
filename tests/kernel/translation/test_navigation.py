from __future__ import annotations

import pytest

from limecep.translation.translate import translate
from tests.kernel.translation.row_patterns import refusal, statement


def where(pattern: str, define: str) -> str:
    text = statement(
        f"AFTER MATCH SKIP TO NEXT ROW PATTERN ({pattern}) WITHIN INTERVAL '1' DAY DEFINE {define}"
    )
    query = translate(text).query
    return " ".join(query[query.index("WHERE ") + 6 : query.index("WITHIN")].split())


@pytest.mark.parametrize(
    ("pattern", "define", "expected"),
    [
        ("A B", "B AS v > A.v", "b.v > a.v"),
        ("A B", "B AS B.v > FIRST(A.v) AND v > LAST(A.v)", "b.v > a.v"),
        ("A B", "B AS v > PREV(v)", "b.v > a.v"),
        ("A B", "B AS LAST(v, 1) < v", "a.v < b.v"),
        ("A B", "B AS PREV(v, 0) < 3", "b.v < 3"),
        ("A{2} B", "B AS v > FIRST(A.v, 1)", "b.v > a[2].v"),
        ("A{2} B", "B AS v > FIRST(v)", "b.v > a[1].v"),
        ("A B{2}", "B AS v > PREV(v)", "b[1].v > a.v AND b[i].v > b[i-1].v"),
        ("A B{2}", "B AS v > FIRST(B.v) OR v = 1",
         "(b[1].v > b[1].v OR b[1].v = 1) AND (b[i+1].v > b[1].v OR b[i+1].v = 1)"),
        ("A B{2}", "B AS v > 1 AND w < PREV(w)", "b[i].v > 1 AND b[1].w < a.w AND b[i].w < b[i-1].w"),
        ("A B{2}", "B AS LAST(B.v, 1) IS NULL OR v > LAST(B.v, 1)",
         "(b[i-1].v IS NULL OR b[i].v > b[i-1].v)"),
        # Of what was compared to get there it is known that it is not null.
        ("A B{2}", "B AS v > A.v AND (LAST(B.v, 1) IS NULL OR v > LAST(B.v, 1))",
         "b[i].v > a.v AND b[i].v > b[i-1].v"),
        ("A B C", "C AS AVG(U.v) > 3 AND COUNT(*) = 3",
         "(sum(a.v) + sum(b.v)) / (count(a.v) + count(b.v)) > 3"),
        ("A B{2}", "B AS v IS NOT NULL AND SUM(B.v) < 9 AND COUNT(B.*) < 9 AND AVG(B.v) < 5 AND MIN(A.v) < 3",
         "b[i].v IS NOT NULL AND min(a.v) < 3 AND b[1].v < 9 AND b[1].v < 5 "
         "AND sum(b[..i-1].v) + b[i].v < 9 AND count(b[..i-1]) + 1 < 9 "
         "AND (sum(b[..i-1].v) + b[i].v) / (count(b[..i-1].v) + 1) < 5"),
        ("A B", "B AS ABS(v - A.v) > 2 OR LOWER(w) LIKE 'x%'",
         "(abs(b.v - a.v) > 2 OR lower(b.w) LIKE 'x%')"),
    ],
)  # fmt: skip
def test_columns_are_of_the_rows_that_sql_means(pattern: str, define: str, expected: str) -> None:
    subset = "SUBSET U = (A, B) DEFINE" if "U." in define else "DEFINE"
    text = statement(
        f"AFTER MATCH SKIP TO NEXT ROW PATTERN ({pattern}) WITHIN INTERVAL '1' DAY {subset} {define}"
    )
    query = translate(text).query
    found = " ".join(query[query.index("WHERE ") + 6 : query.index("WITHIN")].split())
    assert found == expected


@pytest.mark.parametrize(
    ("pattern", "define", "code"),
    [
        ("A B", "A AS v > ¦PREV(v)", "prev-outside"),
        ("A B C", "C AS v > ¦PREV(v, 2)", "offset-too-far"),
        ("A B+ C", "C AS v > ¦LAST(B.v, 1)", "offset-too-far"),
        ("A B{3}", "B AS v > ¦FIRST(B.v, 1)", "offset-too-far"),
        ("A B", "B AS v > ¦LAST(A.v, x)", "bad-offset"),
        ("A B C", "C AS v > ¦PREV(A.v)", "prev-of-another"),
        ("A B", "B AS v > LAST(¦A.v * A.w)", "no-column"),
        ("A B", "B AS v > ¦X.v", "unknown-variable"),
        ("A B", "B AS v > ¦t.A.v", "nested-column"),
        ("A B", "B AS ¦FINAL LAST(A.v) > 1", "final-in-define"),
        ("A B", "B AS ¦CLASSIFIER() = 'B'", "unknown-function"),
        ("A B", "B AS ¦COUNT(DISTINCT A.v) > 1", "distinct"),
        ("A B{3}", "B AS v IS NOT NULL AND ¦MAX(B.v) < 9", "several-steps"),
        ("A (B | C) D", "D AS v > ¦LAST(v, 2)", "offset-too-far"),
        ("A B? A C", "C AS v > ¦FIRST(A.v, 1)", "offset-too-far"),
        ("A B A? C D", "D AS v > ¦A.v", "several-steps"),
        ("A B", "B AS ¦v / 2 > A.v", "division"),
        ("A B", "B AS ¦v % 2 = 1", "division"),
    ],
)
def test_rows_without_a_name_are_refused(pattern: str, define: str, code: str) -> None:
    text = f"AFTER MATCH SKIP TO NEXT ROW PATTERN ({pattern}) WITHIN INTERVAL '1' DAY DEFINE {define}"
    assert refusal(statement(text)) == code


def test_null_is_what_a_variable_gives_that_has_no_row_yet() -> None:
    assert where("A B", "A AS A.v > 1 OR B.v IS NULL, B AS v > 1") == "b.v > 1"
