from __future__ import annotations

import pytest

from limecep.language.problems import QueryError
from limecep.translation.reader import read
from tests.kernel.translation.row_patterns import refusal

HEAD = "SELECT * FROM t MATCH_RECOGNIZE ("


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"{HEAD}PATTERN (A) DEFINE A AS v > 1 ¦B AS v > 2)", "syntax"),
        (f"{HEAD}PATTERN (A B)¦", "syntax"),
        (f"{HEAD}PATTERN (A) DEFINE A AS v¦::int > 1)", "not-carried-over"),
        (f"{HEAD}PATTERN (A) DEFINE A AS v ¦|| 'x' = 'yx')", "not-carried-over"),
        (f"{HEAD}PATTERN (A) ¦ORDER BY ts)", "misplaced-clause"),
        (f"{HEAD}PATTERN (A) DEFINE A AS v > 1 ¦WITHIN INTERVAL '1' HOUR)", "misplaced-clause"),
        (f"{HEAD}PATTERN (A) DEFINE A AS v = ¦'x)", "not-carried-over"),
        (f"{HEAD}PATTERN (A) DEFINE A AS EXISTS (¦SELECT 1))", "not-carried-over"),
        (f"{HEAD}PATTERN (A) WITHIN ¦10 MINUTE)", "not-carried-over"),
        (f"{HEAD}MEASURES A.v ¦PATTERN (A))", "syntax"),
        ("SELECT * FROM ¦TABLE(TUMBLE(TABLE t)) MATCH_RECOGNIZE (PATTERN (A))", "not-carried-over"),
        ("SELECT * FROM ¦(SELECT 1) MATCH_RECOGNIZE (PATTERN (A))", "not-carried-over"),
        (f"{HEAD}PATTERN (A)) ¦WHERE x > 1", "not-carried-over"),
        (f"{HEAD}PATTERN (A)) m ¦JOIN n", "not-carried-over"),
        (f"{HEAD}PATTERN (A)) ¦ORDER BY x", "not-carried-over"),
        ("¦WITH x AS (SELECT 1) SELECT * FROM x MATCH_RECOGNIZE (PATTERN (A))", "not-carried-over"),
    ],
)
def test_where_a_text_cannot_be_read_it_is_said_why(text: str, code: str) -> None:
    assert refusal(text) == code


def test_a_message_says_what_is_expected() -> None:
    with pytest.raises(QueryError, match="expected '\\)', ','"):
        read(f"{HEAD}PATTERN (A) DEFINE A AS v > 1 B AS v > 2)")
