from __future__ import annotations

import pytest

from limecep.translation.translate import translate
from tests.kernel.translation.row_patterns import refusal, statement


def conditions(pattern: str, define: str) -> list[str]:
    text = statement(
        f"AFTER MATCH SKIP TO NEXT ROW PATTERN ({pattern}) WITHIN INTERVAL '1' DAY DEFINE {define}"
    )
    query = translate(text).query
    return query[query.index("WHERE ") + 6 : query.index("\nWITHIN")].split("\n  AND ")


@pytest.mark.parametrize(
    ("pattern", "define", "expected"),
    [
        # `b.v` of nothing is true: a single step needs no more. A group does, for its first row.
        ("A B* C", "B AS kind = 'b' AND v > PREV(v), C AS kind = 'c'",
         ["b[i].kind = 'b'", "(count(b) = 0 OR b[1].v > a.v)", "b[i].v > b[i-1].v", "c.kind = 'c'"]),
        ("A B? C", "B AS kind = 'b' AND v > PREV(v), C AS kind = 'c' AND v > PREV(v)",
         ["b.kind = 'b'", "b.v > a.v", "c.kind = 'c'", "(count(b) = 0 OR c.v > last(b).v)",
          "(count(b) > 0 OR c.v > a.v)"]),
        ("A (B | C) D", "B AS kind = 'b', C AS kind = 'c', D AS v > PREV(v)",
         ["b.kind = 'b'", "c.kind = 'c'", "(count(c) > 0 OR count(b) = 0 OR d.v > last(b).v)",
          "(count(c) = 0 OR d.v > last(c).v)"]),
        # Of the other rows only.
        ("A B? C{2}", "B AS kind = 'b' AND A.v > 1, C AS kind = 'c' AND (LAST(C.v, 1) IS NULL OR w > 1)",
         ["b.kind = 'b'", "(count(b) = 0 OR a.v > 1)", "c[i].kind = 'c'",
          "(c[i-1].v IS NULL OR c[i].w > 1)"]),
    ],
)  # fmt: skip
def test_conditions_say_of_which_rows_they_are(pattern: str, define: str, expected: list[str]) -> None:
    assert conditions(pattern, define) == expected


def test_what_can_never_be_is_refused() -> None:
    assert (
        refusal(statement("PATTERN (A ¦B+) WITHIN INTERVAL '1' DAY DEFINE B AS v > LAST(B.v, 1)")) == "never"
    )
    assert refusal(statement("PATTERN (A ¦B) WITHIN INTERVAL '1' DAY DEFINE B AS v > NULL")) == "never"


def test_a_group_that_can_only_take_one_row_says_so() -> None:
    define = "B AS kind = 'b' AND LAST(B.v, 1) IS NULL AND v > 1, C AS kind = 'c'"
    assert conditions("A B+ C", define) == ["b[1].kind = 'b'", "b[1].v > 1", "count(b) < 2", "c.kind = 'c'"]
