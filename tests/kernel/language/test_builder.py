"""Structures and clauses in the forms in which queries are written."""

from __future__ import annotations

import pytest

from limecep.language.parser import parse
from limecep.language.problems import QueryError
from limecep.model.alternatives import sequences, written
from limecep.model.pattern import Choice, Conjunction, Pattern, Quantifier, Sequence, Step

ONE, PLUS, STAR, MAYBE = Quantifier(), Quantifier(1, None), Quantifier(0, None), Quantifier(0, 1)


def steps(structure: str) -> list[Step]:
    pattern = parse(f"PATTERN {structure} WITHIN 1 s")
    return [s for sequence in sequences(pattern.structure) for s in written(sequence.parts)]


@pytest.mark.parametrize(
    ("written", "step"),
    [
        ("B b", Step("b", ("B",))),
        ("B+ b[]", Step("b", ("B",), PLUS)),
        ("B[] b+", Step("b", ("B",), PLUS)),
        ("B+ b", Step("b", ("B",), PLUS)),
        ("B[]+ b", Step("b", ("B",), PLUS)),
        ("B b+", Step("b", ("B",), PLUS)),
        ("B b[]+", Step("b", ("B",), PLUS)),
        ("B* b[]", Step("b", ("B",), STAR)),
        ("B? b", Step("b", ("B",), MAYBE)),
        ("B{2} b[]", Step("b", ("B",), Quantifier(2, 2))),
        ("B b{2,}", Step("b", ("B",), Quantifier(2, None))),
        ("B { 2 , 4 } b [ ]", Step("b", ("B",), Quantifier(2, 4))),
        ("!B b", Step("b", ("B",), negated=True)),
        ("NOT B b", Step("b", ("B",), negated=True)),
        ("(B OR C) x", Step("x", ("B", "C"))),
        ("(B or C)+ x[]", Step("x", ("B", "C"), PLUS)),
        ("!(B OR C) x", Step("x", ("B", "C"), negated=True)),
        ("`door-open` `in`", Step("in", ("door-open",))),
        ("`a``b` x", Step("x", ("a`b",))),
        ("Überlauf ü", Step("ü", ("Überlauf",))),
        ("count first", Step("first", ("count",))),
    ],
)
def test_a_step_in_every_spelling(written: str, step: Step) -> None:
    assert steps(f"SEQ({written})") == steps(written) == steps(f"AND({written})") == [step]


@pytest.mark.parametrize(
    ("structure", "variables"),
    [
        ("SEQ(A, B+, C)", ["A", "B", "C"]),
        ("SEQ(A, A, A)", ["A", "A_2", "A_3"]),
        ("SEQ(A, B A)", ["A_2", "A"]),
        ("SEQ(A, A, C A_2)", ["A", "A_3", "A_2"]),
        ("SEQ(A+, (B OR C), AND(B, C))", ["A", "B", "B_2", "C"]),
        ("SEQ(!A, B)", ["A", "B"]),
        ("OR(SEQ(A, B), SEQ(A, C))", ["A", "B", "A", "C"]),
    ],
)
def test_a_step_without_variable_has_the_name_of_its_type(structure: str, variables: list[str]) -> None:
    assert [s.variable for s in steps(structure)] == variables


def test_structures_nest() -> None:
    a, b, c = Step("a", ("A",)), Step("b", ("B",)), Step("c", ("C",))
    pattern = parse("PATTERN OR(SEQ(A a, AND(B b, C c)), OR(AND(A a, B b), C c)) WITHIN 1 s")
    inner = Choice((Sequence((Conjunction((a, b)),)), Sequence((c,))))
    assert pattern.structure == Choice((Sequence((a, Conjunction((b, c)))), inner))


@pytest.mark.parametrize(
    ("text", "microseconds"),
    [
        ("0 s", 0),
        ("1 us", 1),
        ("1.001 s", 1_001_000),
        ("0.000001 seconds", 1),
        ("10ms", 10_000),
        ("10 secs", 10_000_000),
        ("1 sec", 1_000_000),
        ("2 Minutes", 120_000_000),
        ("1 h 30 min", 5_400_000_000),
        ("1 day", 86_400_000_000),
        ("123456789.123457 s", 123_456_789_123_457),
    ],
)
def test_a_window_is_the_sum_of_its_durations(text: str, microseconds: int) -> None:
    assert parse(f"PATTERN A a WITHIN {text}").within == microseconds


@pytest.mark.parametrize(
    ("text", "partition", "select", "where"),
    [
        ("WHERE [uid] WITHIN 1 s", [("uid",)], None, None),
        ("WHERE [uid] AND a.v > 1 WITHIN 1 s", [("uid",)], None, "a.v > 1"),
        ("WHERE a.v AND [uid] AND ([site, a.b]) WITHIN 1 s", [("uid",), ("site",), ("a", "b")], None, "a.v"),
        ("WHERE [uid] WITHIN 1 s PARTITION BY x, uid", [("uid",), ("x",)], None, None),
        ("WHERE skip-till-any-match WITHIN 1 s", [], "stam", None),
        ("WHERE Skip-Till-Next-Match AND [uid] WITHIN 1 s", [("uid",)], "stnm", None),
        ("WHERE strict-contiguity AND a.v > 1 AND a.w WITHIN 1 s", [], "sc", "a.v > 1 AND a.w"),
        ("within 1 s partition by `in`.by", [("in", "by")], None, None),
    ],
)  # fmt: skip
def test_partition_and_policy_of_a_query(
    text: str, partition: list[tuple[str, ...]], select: str | None, where: str | None
) -> None:
    pattern = parse(f"pattern A a {text}")
    assert list(pattern.partition) == partition
    assert pattern.select == select
    assert (str(pattern.where) if pattern.where else None) == where


def test_names_in_a_model_are_plain_text() -> None:
    pattern = parse("PATTERN SEQ(A a, `B` B) WHERE a.v = 'x' WITHIN 1 s PARTITION BY uid")
    assert isinstance(pattern, Pattern)
    found = [type(s) for step in steps("SEQ(A a, `B` B)") for s in (step.variable, *step.types)]
    assert set(found) == {str}
    assert type(pattern.partition[0][0]) is str


@pytest.mark.parametrize(
    ("text", "code", "at", "hint"),
    [
        ("PATTERN SEQ(A a) WITHIN 30 secondz", "unknown-unit", "secondz", "seconds"),
        ("PATTERN SEQ(A a) WITHIN 5 m", "unknown-unit", "m", "minutes are min; units are"),
        ("PATTERN SEQ(A a) WITHIN 0.5 us", "bad-duration", "0.5 us", "microseconds"),
        ("PATTERN SEQ(A a) WITHIN 1e3 s", "bad-duration", "1e3 s", "10 minutes"),
        ("PATTERN SEQ(A a) WITHIN 9999999999999 days", "bad-duration", "9999999999999 days", "million"),
        ("PATTERN SEQ(A+ a+) WITHIN 1 s", "two-quantifiers", "A+ a+", "once"),
        ("PATTERN SEQ(A a[]) WITHIN 1 s", "missing-quantifier", "A a[]", "B+ b[]"),
        ("PATTERN SEQ(A{1.5} a) WITHIN 1 s", "bad-number", "1.5", "whole"),
        (r"PATTERN SEQ(A a) WHERE a.v = '\d' WITHIN 1 s", "bad-escape", r"'\d'", r"\\"),
        ("PATTERN SEQ(A a) WHERE a.v = 1e999 WITHIN 1 s", "bad-number", "1e999", "1.7e308"),
    ],
)  # fmt: skip
def test_an_error_in_a_step_or_a_clause_says_where_and_what_to_do(
    text: str, code: str, at: str, hint: str
) -> None:
    with pytest.raises(QueryError) as caught:
        parse(text)
    (problem,) = caught.value.problems
    assert (problem.code, text[problem.start : problem.end]) == (code, at)
    assert hint in problem.hint
