from __future__ import annotations

import pytest

from limecep.translation.translate import translate
from tests.kernel.translation.row_patterns import by_engine, found, refusal, statement

HEAD = "AFTER MATCH SKIP TO NEXT ROW PATTERN"


def test_a_condition_on_the_row_after_is_one_of_the_step_that_takes_it() -> None:
    text = statement(f"{HEAD} (A B+ C) WITHIN INTERVAL '9' SECOND DEFINE A AS v > NEXT(v) AND k = 'a', B AS "
                     "B.k = 'b' AND B.v - NEXT(B.v) = 1, C AS k = 'c'")  # fmt: skip
    assert [c.strip() for c in translate(text).query.splitlines()[1:-1]] == [
        "WHERE a.k = 'a'",
        "AND b[i].k = 'b'",
        "AND a.v > b[1].v",
        "AND b[i-1].v - b[i].v = 1",
        "AND c.k = 'c'",
        "AND last(b).v - c.v = 1",
    ]
    drawn = zip("abbcabcabbc", "98769854323", strict=True)
    rows = [{"t": t, "k": k, "v": int(v)} for t, (k, v) in enumerate(drawn)]
    assert [[row for row, _ in match] for match in found(text, rows, 9)] == [[0, 1, 2, 3]]
    assert by_engine(text, rows) == found(text, rows, 9)


@pytest.mark.parametrize(
    "define",
    [
        "B AS ¦v < NEXT(v)",
        "A AS v < NEXT(v) AND ¦PREV(v) < NEXT(v)",
        "A AS v < ¦NEXT(v, 2)",
        "A AS v < NEXT(¦B.v)",
    ],
)
def test_rows_after_the_match_and_others_beside_next_are_refused(define: str) -> None:
    text = f"{HEAD} (A B) WITHIN INTERVAL '9' SECOND DEFINE {define}"
    assert refusal(statement(text)) == "next-row"
