"""Texts that are no queries: what is wrong, in the words of their authors."""

from __future__ import annotations

import pytest

from limecep.language.diagnosis import misspelt_selection
from limecep.language.parser import parse
from limecep.language.problems import QueryError


@pytest.mark.parametrize(
    ("text", "code", "at", "hint"),
    [
        ("", "missing-pattern", "", "PATTERN SEQ"),
        ("SEQ(A, B) WITHIN 1 s", "missing-pattern", "SEQ", "PATTERN SEQ"),
        ("PATERN SEQ(A, B) WITHIN 1 s", "misspelt-keyword", "PATERN", "did you mean PATTERN?"),
        ("PATTERN SQE(A, B) WITHIN 1 s", "misspelt-keyword", "SQE", "did you mean SEQ?"),
        ("PATTERN SEQ(A a) WEHRE a.v WITHIN 1 s", "misspelt-keyword", "WEHRE", "did you mean WHERE?"),
        ("PATTERN SEQ(A a) WHERE a.v WITIN 1 s", "misspelt-keyword", "WITIN", "did you mean WITHIN?"),
        ("PATTERN SEQ(A a) WITHIN 1 s PARTITON BY x", "misspelt-keyword", "PARTITON", "PARTITION"),
        ("PATTERN SEQ(A a) WHERE a.v > 3 -- end", "missing-within", "", "WITHIN 10 minutes"),
        ("PATTERN SEQ(A a) PARTITION BY x", "missing-within", "PARTITION", "WITHIN 10 minutes"),
        ("PATTERN SEQ(A a) WITHIN 30", "unexpected-end", "", ""),
        ("PATTERN SEQ(A a) WITHIN 30 PARTITION BY x", "syntax", "PARTITION", "a unit such as seconds"),
        ("PATTERN SEQ(A a) WITHIN seconds", "syntax", "seconds", "expected a number"),
        ("PATTERN SEQ(A a) WITHIN 1 s WHERE a.v", "clause-order", "WHERE", "WHERE, WITHIN, PARTITION BY"),
        ("PATTERN SEQ(A a) WITHIN 1 s WITHIN 2 s", "clause-order", "WITHIN", ""),
        ("PATTERN SEQ(A a) RETURN a.v AS v WITHIN 1 s", "missing-within", "RETURN", "WITHIN 10 minutes"),
        ("PATTERN SEQ(A a) WITHIN 1 s RETURN a.v AS v PARTITION BY v", "clause-order", "PARTITION", "RETURN"),
        ("PATTERN SEQ(A a) WITHIN 1 s RETRUN a.v AS v", "misspelt-keyword", "RETRUN", "did you mean RETURN?"),
        ("PATTERN SEQ(A a) WITHIN 1 s SELECT a.v AS v", "misspelt-keyword", "SELECT", "did you mean RETURN?"),
        ("PATTERN SEQ(A a) WITHIN 1 s RETURN", "unexpected-end", "", ""),
        ("PATTERN SEQ(A a) WITHIN 1 s RETURN a.v", "unnamed-value", "", "AS mean"),
        ("PATTERN SEQ(A a) WITHIN 1 s RETURN a.v v", "unnamed-value", "v", "AS mean"),
        ("PATTERN SEQ(A a) WITHIN 1 s RETURN a.v, a.w AS w", "unnamed-value", ",", "AS mean"),
        ("PATTERN SEQ(A a) WITHIN 1 s RETURN a.v ASS v", "misspelt-keyword", "ASS", "did you mean AS?"),
        ("PATTERN SEQ(A a) WITHIN 1 s RETURN a.v AS 'v'", "syntax", "'v'", "expected a name for the value"),
        ("PATTERN SEQ(A a) WITHIN 1 s RETURN CASE WHEN a.v > 1 THEN 2 AS x", "syntax", "AS", "END"),
        ("PATTERN SEQ(A a) WITHIN 1 s RETURN CASE WHEN a.v > 1 END AS x", "syntax", "END", "THEN"),
        ("PATTERN SEQ(A a) WHERE CASE WHEN a.v > 1 END WITHIN 1 s", "syntax", "END", "THEN"),
        ("PATTERN SEQ(A a) WITHIN 1 s RETURN CASE a.v WHEN 1 THEN 2 END AS x", "syntax", "a", "CASE WHEN"),
        ("PATTERN SEQ(A a) WITHIN 1 s RETURN a.v + AS x", "syntax", "AS", "a value stands before AS"),
        ("PATTERN SEQ(A a, B b WITHIN 1 s", "unclosed-bracket", "(", "put ')' before WITHIN"),
        ("PATTERN SEQ(A a) WHERE (a.v > 1 WITHIN 1 s", "unclosed-bracket", "(", "put ')' before WITHIN"),
        ("PATTERN SEQ(A a", "unclosed-bracket", "(", "put ')'"),
        ("PATTERN SEQ(A a)) WITHIN 1 s", "unmatched-bracket", ")", ""),
        ("PATTERN SEQ(A a) WHERE a.v = 'x WITHIN 1 s", "unclosed-quote", "'", "after the text"),
        ("PATTERN SEQ(A a) WHERE a.v < 1 < 2 WITHIN 1 s", "comparison-chain", "<", "AND"),
        ("PATTERN SEQ(A a) WHERE a.v => 1 WITHIN 1 s", "syntax", "=>", "did you mean >=?"),
        ("PATTERN SEQ(A a) WHERE a.v =< 1 WITHIN 1 s", "syntax", "=<", "did you mean <=?"),
        ("PATTERN SEQ(A a) WHERE a.v > 1 && a.w WITHIN 1 s", "foreign-operator", "&&", "write AND"),
        ("PATTERN SEQ(A a) WHERE a.v > 1 || a.w WITHIN 1 s", "foreign-operator", "||", "write OR; texts"),
        ("PATTERN SEQ((A || B) x) WITHIN 1 s", "foreign-operator", "||", "write OR"),
        ("PATTERN SEQ(A a) WHERE a.n ILIKE 'x' WITHIN 1 s", "syntax", "ILIKE", "lower(a.name) LIKE"),
        ("PATTERN SEQ(A a) WHERE a.n SIMILAR TO 'x' WITHIN 1 s", "syntax", "SIMILAR", "MATCHES"),
        ("PATTERN SEQ(A+ a) WHERE count(distinct a.v) > 1 WITHIN 1 s", "syntax", "distinct", "distinct(b.v)"),
        ("PATTERN SEQ(A+ a) WHERE count(*) > 1 WITHIN 1 s", "syntax", "*", "count(b)"),
        ("PATTERN SEQ(A a) WHERE a.v IN [1] WITHIN 1 s", "syntax", "[", "IN (1, 2), IN $list"),
        ("PATTERN SEQ(A a) WHERE a.v IN null WITHIN 1 s", "syntax", "null", "IN (1, 2), IN $list"),
        ("PATTERN SEQ(A a) WHERE a.v IN () WITHIN 1 s", "syntax", ")", "IN (1, 2), IN $list"),
        ("PATTERN SEQ(A a) WHERE a.v IN WITHIN 1 s", "syntax", "WITHIN", "IN (1, 2), IN $list"),
        ("PATTERN SEQ(A a) WHERE a.v === 1 WITHIN 1 s", "syntax", "===", "did you mean =?"),
        ("PATTERN SEQ(A a) WHERE a.v > 40% AND a.w WITHIN 1 s", "syntax", "%", "write 40, or 0.4"),
        ("PATTERN SEQ(A a) WHERE a.v > 40% WITHIN 1 s", "syntax", "%", "write 40, or 0.4"),
        ("PATTERN SEQ(A a) WHERE a.v % > 1 WITHIN 1 s", "syntax", ">", "a value such as"),
        ("PATTERN SEQ(A a -> B b) WITHIN 1 s", "syntax", "->", "PATTERN SEQ(A a, B b)"),
        ("PATTERN A a -> B b WITHIN 1 s", "syntax", "->", "PATTERN SEQ(A a, B b)"),
        ("PATTERN A -> B WITHIN 1 s", "syntax", "->", "PATTERN SEQ(A a, B b)"),
        ("PATTERN SEQUENCE(A a, B b) WITHIN 1 s", "misspelt-keyword", "SEQUENCE", "did you mean SEQ?"),
        ("PATTERN SEQ(A a) WHERE skip-till-anymatch AND a.v WITHIN 1 s", "misspelt-keyword",
         "skip-till-anymatch", "skip-till-any-match?"),
        ("PATTERN SEQ(A a) WHERE skip-til-next-match WITHIN 1 s", "misspelt-keyword", "skip-til-next-match",
         "skip-till-next-match?"),
        ("PATTERN SEQ(A a) WHERE a.v > WITHIN 1 s", "syntax", "WITHIN", "a value such as"),
        ("PATTERN SEQ(A a,) WITHIN 1 s", "syntax", ")", "an event type"),
        ("PATTERN SEQ(A a, OR(B b, C c)) WITHIN 1 s", "misplaced-structure", "OR", "(B OR C) x"),
        ("PATTERN A a OR B b WITHIN 1 s", "misplaced-structure", "OR", "OR(..., ...)"),
        ("PATTERN SEQ(door-open d) WITHIN 1 s", "syntax", "-", "backquotes"),
        ("PATTERN SEQ(A in) WITHIN 1 s", "keyword-as-name", "in", "`in`"),
    ],
)  # fmt: skip
def test_an_error_says_where_and_what_to_do(text: str, code: str, at: str, hint: str) -> None:
    with pytest.raises(QueryError) as caught:
        parse(text)
    (problem,) = caught.value.problems
    assert (problem.code, text[problem.start : problem.end]) == (code, at)
    assert hint in problem.hint


@pytest.mark.parametrize("text", ["skip-till-any-match", "Strict-Contiguity"])
def test_a_selection_policy_that_is_spelt_right_is_none_that_is_misspelt(text: str) -> None:
    assert misspelt_selection(f"PATTERN A a WHERE {text} AND WITHIN 1 s") is None
    assert misspelt_selection("PATTERN A a WHERE skip-x-y > 1 WITHIN 1 s") is None


def test_a_misspelt_selection_policy_is_suggested_whatever_its_case() -> None:
    problem = misspelt_selection("PATTERN A a WHERE  Strict-Contiguty-X AND a.v WITHIN 1 s")
    assert problem is not None
    assert (problem.hint, problem.start, problem.end) == ("did you mean strict-contiguity?", 19, 37)


def test_what_is_missing_at_the_end_is_missing_after_the_last_word() -> None:
    text = "PATTERN SEQ(A a) WITHIN 30  -- what?"
    with pytest.raises(QueryError) as caught:
        parse(text)
    (problem,) = caught.value.problems
    assert text[: problem.start] == text[: problem.end] == "PATTERN SEQ(A a) WITHIN 30"


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("PATTERN A a WHERE a.v > $ p WITHIN 1 s", "unexpected character $",
         "the name of a parameter follows right after $, as in $limit"),
        ("PATTERN A a WHERE a.v = ‘x’ WITHIN 1 s", "unexpected character ‘",
         "use straight quotes, ' or \""),
        ("PATTERN A a WHERE a.v & a.w WITHIN 1 s", "unexpected character &", "write AND or OR"),
        ("PATTERN A a WITHIN 1 s;", "unexpected character ;", "a query ends without it"),
        ("PATTERN `A a WITHIN 1 s", "the ` here is never closed", "put a ` after the name"),
        ("PATTERN A#1 a WITHIN 1 s", "unexpected character #",
         "names with other characters than letters, digits and _ stand in backquotes"),
        ("PATTERN SEQ(A a B b) WITHIN 1 s", "unexpected B", "expected a quantifier such as +, ')' or ','"),
        ("PATTERN A a WHERE a.v b.v WITHIN 1 s", "unexpected b",
         "expected a comparison such as > 5, AND, OR or WITHIN"),
        ("PATTERN A a WITHIN 1 s PARTITION x", "unexpected x", "expected BY"),
        ("PATTERN A a WHERE a. > 1 WITHIN 1 s", "unexpected >", "expected the name of an attribute"),
        ("PATTERN A{ a WITHIN 1 s", "unexpected a", "expected a number"),
    ],
)  # fmt: skip
def test_what_is_not_expected_comes_with_what_is(text: str, message: str, hint: str) -> None:
    with pytest.raises(QueryError) as caught:
        parse(text)
    (problem,) = caught.value.problems
    assert (problem.message, problem.hint) == (message, hint)
