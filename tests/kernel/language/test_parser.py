"""The forms in which queries are written."""

from __future__ import annotations

import subprocess
import sys

import pytest

from limecep.language.parser import parse
from limecep.model.alternatives import sequences, written
from limecep.model.expression import Binary, Constant, Expression, Logical
from limecep.model.pattern import Choice, Conjunction, Pattern, Quantifier, Sequence, Step

ONE, PLUS, STAR, MAYBE = Quantifier(), Quantifier(1, None), Quantifier(0, None), Quantifier(0, 1)


def steps(structure: str) -> list[Step]:
    pattern = parse(f"PATTERN {structure} WITHIN 1 s")
    return [s for sequence in sequences(pattern.structure) for s in written(sequence.parts)]


def condition(text: str) -> Expression | None:
    return parse(f"PATTERN A a WHERE {text} WITHIN 1 s").where


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
    ("written", "printed"),
    [
        ("a.v = 1 and b.v <> 2", "a.v == 1 AND b.v != 2"),
        ("a.v == 1 and !b.v or $p", "a.v == 1 AND NOT b.v OR $p"),
        ("a.x AND (a.y AND (a.z))", "a.x AND a.y AND a.z"),
        ("(a.x OR a.y) OR a.z", "a.x OR a.y OR a.z"),
        ("NOT a.v > 3", "NOT a.v > 3"),
        ("a.v NOT IN (1, 'x')", "NOT a.v IN (1, 'x')"),
        ("a.v NOT BETWEEN 1 AND 2 AND a.w", "NOT a.v BETWEEN 1 AND 2 AND a.w"),
        ("a.v IS NULL OR a.w is not null", "a.v == null OR a.w != null"),
        ("1 - 2 - 3 * (4 + -5) % 6", "1 - 2 - 3 * (4 + -5) % 6"),
        ("(a.v > 1) = true", "(a.v > 1) == true"),
        ("ABS(-a.v) > .5e1", "abs(-a.v) > 5.0"),
        ("first(b).v > first(b.v)", "b[1].v > b[1].v"),
        ("LAST(b).x.y = b[2].v", "last(b).x.y == b[2].v"),
        ("b[i+1].v > b[I].v - b[i-1].v", "b[i+1].v > b[i].v - b[i-1].v"),
        ("count(b) + count(b[]) + count(b.v)", "count(b) + count(b) + count(b.v)"),
        ("b[i].v > avg(b[..i-1].v)", "b[i].v > avg(b[..i-1].v)"),
        ("sum(b[].v) = min(b.v)", "sum(b.v) == min(b.v)"),
        ("a.payload.temp > 1", "a.payload.temp > 1"),
        ("a.count = a.in", "a.count == a.`in`"),
        ("$`two words` = 1", "$`two words` == 1"),
        (r"""a.v = "it's" OR a.v = "a""b" """, """a.v == 'it''s' OR a.v == 'a"b'"""),
        (r"a.v = 'a\'b\\c\n'", r"a.v == 'a''b\\c\n'"),
        ("a.v -- the value\n > 3", "a.v > 3"),
    ],
)
def test_conditions_in_every_spelling(written: str, printed: str) -> None:
    assert str(condition(written)) == printed


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12),
        ("-3", -3),
        ("0.5", 0.5),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("9" * 30, int("9" * 30)),
        ("TRUE", True),
        ("null", None),
        ("''", ""),
    ],
)
def test_literals_are_read_exactly(text: str, value: object) -> None:
    where = condition(f"$p = {text}")
    assert isinstance(where, Binary)
    assert isinstance(where.right, Constant)
    assert where.right.value == value
    assert type(where.right.value) is type(value)


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
def test_windows_are_exact(text: str, microseconds: int) -> None:
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


def test_the_text_is_kept_and_spans_point_into_it() -> None:
    text = "PATTERN SEQ(A a, B+ b[])\nWHERE (a.v + 1) * 2 > 3 AND b[i].v\nWITHIN 1 s"
    pattern = parse(text)
    assert pattern.text == text
    assert isinstance(pattern.where, Logical)
    assert [text[slice(*o.span)] for o in pattern.where.operands] == ["(a.v + 1) * 2 > 3", "b[i].v"]
    assert isinstance(pattern.structure, Sequence)
    assert [text[slice(*p.span)] for p in pattern.structure.parts if isinstance(p, Step)] == ["A a", "B+ b[]"]


def test_names_in_a_model_are_plain_text() -> None:
    pattern = parse("PATTERN SEQ(A a, `B` B) WHERE a.v = 'x' WITHIN 1 s PARTITION BY uid")
    assert isinstance(pattern, Pattern)
    found = [type(s) for step in steps("SEQ(A a, `B` B)") for s in (step.variable, *step.types)]
    assert set(found) == {str}
    assert type(pattern.partition[0][0]) is str


def test_the_parser_generator_is_loaded_only_to_parse() -> None:
    code = (
        "import sys, limecep, limecep.language.parser, limecep.language.check; print('lark' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
