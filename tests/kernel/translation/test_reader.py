from __future__ import annotations

import pytest

from tests.kernel.translation.row_patterns import refusal

HEAD = "SELECT * FROM t MATCH_RECOGNIZE ("


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("¦", "no-statement"),
        ("¦ -- nothing\n;", "no-statement"),
        ("\n ¦SELECT 'MATCH_RECOGNIZE' FROM t", "no-match-recognize"),
        (f"{HEAD}PATTERN (A)); ¦SELECT 1", "several-statements"),
        (f"{HEAD}PATTERN (A ¦B{{2,1}}))", "bad-quantifier"),
        (f"{HEAD}PATTERN (A B{{¦1.5}}))", "bad-quantifier"),
        (f"{HEAD}PATTERN (A) DEFINE A AS v > 1, ¦a AS v > 2)", "defined-twice"),
        (f"{HEAD}PATTERN (¦^ A))", "not-carried-over"),
        (f'{HEAD}PATTERN (A) DEFINE A AS ¦"a\u2028" > 1)', "bad-character"),
        (f"{HEAD}PATTERN (A) DEFINE A AS v = ¦'\n')", "bad-character"),
        (f"{HEAD}PATTERN (A ¦$))", "not-carried-over"),
        (f"{HEAD}PATTERN (¦PERMUTE(A, B)))", "not-carried-over"),
        (f"{HEAD}PATTERN (A ¦{{- B+ -}} C))", "not-carried-over"),
        (f"{HEAD}PATTERN (A) DEFINE A AS ¦CAST(v AS DOUBLE) > 1)", "not-carried-over"),
        (f"{HEAD}PATTERN (A) DEFINE A AS day > ¦DATE '2026-04-01')", "not-carried-over"),
    ],
)
def test_what_cannot_be_read_is_refused_where_it_stands(text: str, code: str) -> None:
    assert refusal(text) == code


@pytest.mark.parametrize("deep", ["(" * 500 + "v" + ")" * 500, "NOT " * 500 + "v", " + ".join("v" * 500)])
def test_what_is_nested_too_deeply_is_refused(deep: str) -> None:
    assert refusal(f"¦{HEAD}ORDER BY ts PATTERN (A) DEFINE A AS {deep} > 1)") == "too-deep"
    sixty = " + ".join("v" * 60)
    assert refusal(f"{HEAD}ORDER BY ts PATTERN (A) DEFINE A AS ¦{sixty} > 1)") == "too-deep"
