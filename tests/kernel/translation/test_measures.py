from __future__ import annotations

import pytest

from limecep.translation.measures import returned
from limecep.translation.translate import translate
from tests.kernel.translation.row_patterns import refusal, statement

KINDS = "A AS kind = 'a', B AS kind = 'b', C AS kind = 'c' AND v IS NOT NULL"


def measured(measure: str, pattern: str) -> str:
    subset = "SUBSET U = (A, B) " if "B" in pattern else ""
    text = statement(
        f"MEASURES {measure} AS m AFTER MATCH SKIP TO NEXT ROW PATTERN ({pattern}) WITHIN INTERVAL '1' DAY "
        f"{subset}DEFINE {', '.join(d for d in KINDS.split(', ') if d[0] in pattern)}"
    )
    query = translate(text).query
    return query[query.index("RETURN ") + 7 :].removesuffix(" AS m")


@pytest.mark.parametrize(
    ("measure", "pattern", "expected"),
    [
        ("A.v", "A B+", "a.v"),
        ("B.v", "A B+", "last(b).v"),
        ("FIRST(B.v)", "A B+", "b[1].v"),
        ("FIRST(B.v, 2)", "A B+", "b[3].v"),
        ("FIRST(B.v, 2)", "A B{2}", "null"),
        ("LAST(B.v, 1)", "A B{3}", "b[2].v"),
        ("LAST(B.v, 3)", "A B{3}", "null"),
        ("FINAL LAST(v)", "A B", "b.v"),
        ("v", "A B C", "c.v"),
        ("FIRST(v)", "A+ B", "a[1].v"),
        ("FIRST(v, 1)", "A B+", "b[1].v"),
        ("B.v", "A B? C", "last(b).v"),
        ("U.v", "A B C", "b.v"),
        ("FIRST(U.v)", "A B C", "a.v"),
        # The column is never null, so the last row is the last that there is.
        ("LAST(ts)", "A C*", "coalesce(last(c).ts, a.ts)"),
        ("LAST(v)", "A C*", "coalesce(last(c).v, a.v)"),
        ("COUNT(*)", "A B+ C", "count(b) + 2"),
        ("COUNT(*)", "A B{2}", "3"),
        ("COUNT(B.*)", "A B* C", "count(b)"),
        ("COUNT(U.v)", "A B* C", "count(a.v) + count(b.v)"),
        ("SUM(C.v)", "A C+", "sum(c.v)"),
        ("SUM(v)", "A B C", "sum(a.v) + sum(b.v) + sum(c.v)"),
        ("AVG(B.v)", "A B+", "avg(b.v)"),
        ("AVG(U.v)", "A B+", "(sum(a.v) + sum(b.v)) / (count(a.v) + count(b.v))"),
        ("MIN(B.v)", "A B+", "min(b.v)"),
        ("A.v - LAST(B.v) * 2", "A B+", "a.v - last(b).v * 2"),
        ("COALESCE(B.v, 0)", "A B? C", "coalesce(last(b).v, 0)"),
        ("A.v < 3", "A B", "a.v < 3"),
        # To compare with null is unknown in SQL, and asks whether something is missing here.
        ("A.v = NULL OR LAST(A.v, 1) <> 3", "A B", "null OR null"),
        ("MATCH_ROWTIME()", "A B", "b.ts"),
        ("A.v IN (1, 2) OR A.v BETWEEN 3 AND 4", "A B", "(a.v = 1 OR a.v = 2) OR a.v >= 3 AND a.v <= 4"),
        ("A.k LIKE 'x%'", "A B", "a.k LIKE 'x%'"),
        ("CASE WHEN A.v > B.v THEN 'up' END", "A B", "CASE WHEN a.v > b.v THEN 'up' ELSE null END"),
        (
            "CASE B.v WHEN 1 THEN A.v ELSE 2 END + 1",
            "A B?",
            "CASE WHEN last(b).v = 1 THEN a.v ELSE 2 END + 1",
        ),
    ],
)
def test_measures_are_values_of_the_match(measure: str, pattern: str, expected: str) -> None:
    assert measured(measure, pattern) == expected


def test_select_chooses_and_renames_measures() -> None:
    text = statement("MEASURES A.v AS x, B.v AS y PATTERN (A B) WITHIN INTERVAL '1' DAY").replace(
        "(ORDER", "(PARTITION BY who ORDER"
    )
    assert translate(text).query.endswith("RETURN a.v AS x, b.v AS y")
    assert translate(text.replace("*", "m.who, m.Y AS `the y`")).query.endswith("RETURN b.v AS `the y`")
    assert "RETURN" not in translate(text.replace("*", "who")).query
    assert returned({"a b": "1"}) == "RETURN 1 AS `a b`"


@pytest.mark.parametrize(
    ("measures", "code"),
    [
        ("¦CLASSIFIER() AS m", "unknown-function"),
        ("¦PREV(B.v) AS m", "measure"),
        ("¦LAST(B.v, 1) AS m", "several-steps"),
        ("¦SUM(B.v) AS m", "sum-of-nothing"),
        ("¦A.v / 2 AS m", "division"),
        ("¦COUNT(DISTINCT B.v) AS m", "distinct"),
        ("¦MAX(U.v) AS m", "several-steps"),
        ("SUM(¦A.v * 2) AS m", "no-column"),
        ("A.v AS m, B.v AS ¦M", "measure-twice"),
    ],
)
def test_measures_without_a_name_for_their_rows_are_refused(measures: str, code: str) -> None:
    rest = "PATTERN (A B+) WITHIN INTERVAL '1' DAY SUBSET U = (A, B) DEFINE B AS w > A.w"
    assert refusal(statement(f"MEASURES {measures} AFTER MATCH SKIP TO NEXT ROW {rest}")) == code


def test_what_select_cannot_name_is_refused() -> None:
    text = statement("MEASURES A.v AS x PATTERN (A B) WITHIN INTERVAL '1' DAY")
    assert refusal(text.replace("*", "¦x + 1")) == "select"
    assert refusal(text.replace("*", "x, ¦z")) == "select"
