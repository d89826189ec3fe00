from __future__ import annotations

import pytest

from limecep.translation.translate import translate
from tests.kernel.translation.row_patterns import refusal, statement

#: Of which row of which kind a variable is, so that none is of two.
KINDS = "A AS kind = 'a', B AS kind = 'b', C AS kind = 'c', D AS kind = 'd'"


def policy(pattern: str, define: str = KINDS, skip: str = "TO NEXT ROW") -> str:
    """The engine and the skip strategy of a pattern."""
    defined = [d for d in define.split(", ") if d[0] in pattern]
    text = f"AFTER MATCH SKIP {skip} PATTERN ({pattern}) WITHIN INTERVAL '1' DAY DEFINE {', '.join(defined)}"
    made = translate(statement(text))
    return made.engine if made.skip is None else f"{made.engine} {made.skip}"


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("A B C", "nfa"), ("A+ B", "nfa"), ("A B* C", "nfa"), ("A B{2,3} C", "nfa"), ("A (B | C) D", "nfa"),
        ("A B+", "maximal"), ("A+ B?", "maximal"), ("A B? C*", "maximal"), ("A B{2}", "nfa"),
        ("A B+?", "nfa"),
    ],
)  # fmt: skip
def test_all_matches_are_wanted_or_the_longest_of_each_start(pattern: str, expected: str) -> None:
    assert policy(pattern) == expected


@pytest.mark.parametrize(
    ("skip", "expected"),
    [
        ("TO NEXT ROW", "nfa"), ("PAST LAST ROW", "nfa past-last"), ("TO FIRST B", "nfa to-first[b]"),
        ("TO LAST B", "nfa to-last[b]"), ("TO C", "nfa to-last[c]"),
    ],
)  # fmt: skip
def test_skip_strategies(skip: str, expected: str) -> None:
    assert policy("A B+ C", skip=skip) == expected


@pytest.mark.parametrize(
    ("pattern", "define"),
    [
        # Both look at the row before alone.
        ("A B+ C+", "B AS v < PREV(v), C AS v > PREV(v)"),
        # All matches are of one length.
        ("A B{2} C", "B AS v < A.v, C AS v > FIRST(B.v)"),
        # No row that begins a match is in another.
        ("A B* C", "A AS kind = 'a', B AS kind = 'b' AND v > A.v, C AS kind = 'c'"),
    ],
)
def test_matches_that_do_not_lie_in_each_other_may_drop_others(pattern: str, define: str) -> None:
    assert policy(pattern, define, "PAST LAST ROW").endswith(" past-last")


def test_a_reluctant_step_takes_no_row_that_ends_the_match() -> None:
    text = statement("PATTERN (A B*? C) WITHIN INTERVAL '1' DAY DEFINE C AS v > 3")
    assert "NOT coalesce(b[i].v > 3, false)" in translate(text).query
    # The first row of B must be there, whatever it is.
    assert "NOT coalesce(b[i+1].v > 3, false)" in translate(text.replace("B*?", "B+?")).query
    assert "coalesce" not in translate(text.replace("C AS", "B AS v <= 3, C AS")).query


@pytest.mark.parametrize(
    ("rest", "code"),
    [
        ("PATTERN (A B* ¦C) WITHIN INTERVAL '1' DAY DEFINE B AS v < 15, C AS v > 12", "either-variable"),
        ("PATTERN (A+ ¦B) WITHIN INTERVAL '1' DAY DEFINE A AS v < 15", "either-variable"),
        ("PATTERN (A? ¦B) WITHIN INTERVAL '1' DAY DEFINE A AS v < 15", "either-variable"),
        ("PATTERN (A (B | ¦C)) WITHIN INTERVAL '1' DAY DEFINE B AS v < 15", "either-variable"),
        # Whether C takes the row depends on D.
        ("PATTERN (A B*? ¦C D) WITHIN INTERVAL '1' DAY DEFINE C AS v > 3", "either-variable"),
        ("PATTERN (A B{2,}? ¦C) WITHIN INTERVAL '1' DAY DEFINE C AS v > 3", "either-variable"),
        ("PATTERN (A (¦B C)?) WITHIN INTERVAL '1' DAY DEFINE B AS v > 3", "open-ends"),
        ("¦AFTER MATCH SKIP PAST LAST ROW PATTERN (A B* C) WITHIN INTERVAL '1' DAY DEFINE B AS v > A.v, "
         "C AS v <= A.v", "nested-matches"),
        # The default is PAST LAST ROW.
        ("PATTERN (¦A B* C) WITHIN INTERVAL '1' DAY DEFINE B AS v > A.v, C AS v <= A.v", "nested-matches"),
        ("AFTER MATCH SKIP TO LAST ¦X PATTERN (A B) WITHIN INTERVAL '1' DAY", "skip-variable"),
        ("AFTER MATCH SKIP TO FIRST ¦A PATTERN (A B) WITHIN INTERVAL '1' DAY", "skip-variable"),
        ("AFTER MATCH SKIP TO LAST ¦A PATTERN (A B) WITHIN INTERVAL '1' DAY", "skip-variable"),
        ("AFTER MATCH SKIP TO ¦B PATTERN (A B C B) WITHIN INTERVAL '1' DAY", "skip-variable"),
        ("AFTER MATCH SKIP TO ¦B PATTERN (A B? C) WITHIN INTERVAL '1' DAY DEFINE B AS v > 1, C AS v < 1",
         "skip-variable"),
    ],
)  # fmt: skip
def test_what_depends_on_preference_is_refused(rest: str, code: str) -> None:
    assert refusal(statement(rest)) == code
