"""Small cases for single rules, with the right answer: one rule a case, and its name says which."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from limecep.model.pattern import Select
    from limecep.testing.oracle import Assignment

#: Results as ids with spaces between, in any order.
Answer = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A pattern on a stream.

    Attributes:
        name: The rule.
        query: The pattern without the word PATTERN.
        select: The policy.
        events: The stream, as `limecep.testing.streams.written` reads it.
        maximal: The maximal matches.
        all: All matches; None where they are too many to be asked for.
        params: Values of parameters.
    """

    name: str
    query: str
    select: Select
    events: str
    maximal: Answer
    all: Answer | None
    params: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.name}: {self.query}, {self.select}"


def ids(results: Iterable[Assignment]) -> list[list[str]]:
    """Results as sorted ids, to be held against an answer."""
    return sorted(sorted(identity[2] for _, group in m for identity in group) for m in results)


def answer(words: Answer) -> list[list[str]]:
    """An answer in the form of `ids`."""
    return sorted(sorted(match.split()) for match in words)


def _case(
    name: str, query: str, select: Select, events: str, maximal: Answer, every: Answer | None, **params: Any
) -> Case:
    if "WITHIN" not in query:
        query = f"{query} WITHIN 10 s"
    return Case(
        name=name, query=query, select=select, events=events, maximal=maximal, all=every, params=params
    )


def _same(name: str, query: str, select: Select, events: str, *matches: str, **params: Any) -> Case:
    """A case where every match is maximal."""
    return _case(name, query, select, events, matches, matches, **params)


_ABC = "SEQ(A a, B+ b[], C c) {}"
_TWENTY_FIVE = "a0 " + " ".join(f"b{n}" for n in range(1, 26)) + " c26"

_SEQUENCES = (
    _same("the window is closed", "SEQ(A a, B b)", "stnm", "a0 b10", "a0 b10"),
    _same("the window ends", "SEQ(A a, B b)", "stnm", "a0 b10.001"),
    _same("one step takes every event", "SEQ(A a)", "stnm", "a1 a2 a30", "a1", "a2", "a30"),
    _same("the next match is the first", "SEQ(A a, B b)", "stnm", "a1 b3 b5", "a1 b3"),
    _same("any match is each", "SEQ(A a, B b)", "stam", "a1 b3 b5", "a1 b3", "a1 b5"),
    _same("the start is free", "SEQ(A a, B b)", "stnm", "a1 a2 b3", "a1 b3", "a2 b3"),
    _same("equal times do not precede", "SEQ(A a, B b)", "stam", "a1 b1 b2", "a1 b2"),
    _same("a tie goes by id", "SEQ(A a, B b)", "stnm", "a1 b5.0 b5", "a1 b5"),
    _same("a duplicate changes nothing", "SEQ(A a, B b)", "stnm", "a1 a1 b2 b2", "a1 b2"),
    _same("types of a step", "SEQ(A a, (B OR C) x, D d)", "stam", "a1 c2 b3 d4", "a1 c2 d4", "a1 b3 d4"),
    _same("one type at two steps", "SEQ(A a, A b)", "stnm", "a1 a2 a3", "a1 a2", "a2 a3"),
    _same("strict contiguity", "SEQ(A a, B b)", "sc", "a1 c2 b3 a4 b5", "a4 b5"),
)  # fmt: skip

_GROUPS = (
    _case("a group of simultaneous events", _ABC.format(""), "stnm", "a1 b2 b2.0 c3",
          ("a1 b2 b2.0 c3",), ("a1 b2 c3", "a1 b2 b2.0 c3")),
    _case("what follows a group is later than all of it", _ABC.format(""), "stam", "a1 b2 b3 c3 c4",
          ("a1 b2 c3", "a1 b2 b3 c4"), ("a1 b2 c3", "a1 b2 c4", "a1 b3 c4", "a1 b2 b3 c4")),
    _case("a run completed at the time of its next event", _ABC.format(""), "stnm", "a1 b2 b3 c3 c4",
          ("a1 b2 c3",), ("a1 b2 c3", "a1 b2 b3 c4")),
    _case("a group may be left early", _ABC.format(""), "stnm", "a1 b2 b3 c4",
          ("a1 b2 b3 c4",), ("a1 b2 c4", "a1 b2 b3 c4")),
    _case("a group skips under any match", _ABC.format(""), "stam", "a1 b2 b3 c4",
          ("a1 b2 b3 c4",), ("a1 b2 c4", "a1 b3 c4", "a1 b2 b3 c4")),
    _case("twenty-five events, one maximal match", "SEQ(A a, B+ b[], C c) WITHIN 1000 s", "stam",
          _TWENTY_FIVE, (_TWENTY_FIVE,), None),
    _same("exactly two", "SEQ(A a, B{2} b[], C c)", "stnm", "a1 b2 b3 b4 c5", "a1 b2 b3 c5"),
    _case("two to three, next match", "SEQ(A a, B{2,3} b[], C c)", "stnm", "a1 b2 b3 b4 b5 c6",
          ("a1 b2 b3 b4 c6",), ("a1 b2 b3 c6", "a1 b2 b3 b4 c6")),
    _case("two to three, any match", "SEQ(A a, B{2,3} b[], C c)", "stam", "a1 b2 b3 b4 b5 c6",
          ("a1 b2 b3 b4 c6", "a1 b2 b3 b5 c6", "a1 b2 b4 b5 c6", "a1 b3 b4 b5 c6"), None),
    _case("two or more, alone", "SEQ(A{2,} a[]) WITHIN 60 s", "stnm", "a1 a2 a3", ("a1 a2 a3",),
          ("a1 a2", "a1 a2 a3", "a2 a3")),
    _case("a group at the end grows", "SEQ(A a, B+ b[])", "stnm", "a1 b2 b3",
          ("a1 b2 b3",), ("a1 b2", "a1 b2 b3")),
    _case("strict contiguity in a group", "SEQ(A+ a[], B b)", "sc", "a1 a2 b3",
          ("a1 a2 b3",), ("a1 a2 b3", "a2 b3")),
    _case("an optional step at the end, next match", "SEQ(A a, B? b)", "stnm", "a1 b2 b3",
          ("a1 b2",), ("a1", "a1 b2")),
    _case("an optional step at the end, any match", "SEQ(A a, B? b)", "stam", "a1 b2 b3",
          ("a1 b2", "a1 b3"), ("a1", "a1 b2", "a1 b3")),
    _case("an optional step at the start", "SEQ(A? a, B b)", "stnm", "a1 b2 b3",
          ("a1 b2",), ("a1 b2", "b2", "b3")),
    _case("a completed run takes no more", "SEQ(A a, B? b, C c)", "stnm", "a1 c2 b3 c4",
          ("a1 c2",), ("a1 c2", "a1 b3 c4")),
    _case("a run that was part of another is its own later", "SEQ(A+ a[], B+ b[], C c)", "stnm",
          "a9 a11 b12 c19 c20", ("a9 a11 b12 c19", "a11 b12 c20"),
          ("a9 b12 c19", "a9 a11 b12 c19", "a11 b12 c19")),
    _same("steps that may all be empty take something", "SEQ(A? a, B? b)", "stnm", "c1"),
)  # fmt: skip

_NEGATIONS = (
    _same("negation between", "SEQ(A a, !B b, C c)", "stnm", "a1 b2 c3 a4 c5", "a4 c5"),
    _same("negation between is strict", "SEQ(A a, !B b, C c)", "stnm", "a1 b1 b3 c3", "a1 c3"),
    _same("negation leading, at its bound", "SEQ(!B b, A a)", "stnm", "b2 a12"),
    _same("negation leading, before its bound", "SEQ(!B b, A a)", "stnm", "b1.999 a12", "a12"),
    _same("negation leading, at the start", "SEQ(!B b, A a)", "stnm", "a12 b12", "a12"),
    _same("negation trailing, at its bound", "SEQ(A a, !B b)", "stnm", "a1 b11"),
    _same("negation trailing, after its bound", "SEQ(A a, !B b)", "stnm", "a1 b11.001", "a1"),
    _same("end of input is the end of time", "SEQ(A a, !B b)", "stnm", "a1 a30 b31 a50", "a1", "a50"),
    _same("negation leads where nothing is before", "SEQ(A? a, !B b, C c)", "stnm", "b2 c5"),
    _same("negation is between where something is", "SEQ(A? a, !B b, C c)", "stnm", "b1 a3 c5", "a3 c5"),
    _same("negation trails where nothing is after", "SEQ(A a, !B b, C? c)", "stnm", "a1 c7 b8", "a1 c7"),
    _same("negation with a condition", "SEQ(A a, !B b, C c) WHERE b.v > 3", "stnm",
          "a1 b2=2 c3 a4 b5=9 c6", "a1 c3"),
    _same("negation held against a step", "SEQ(A a, !B b, C c) WHERE b.v == a.v", "stam",
          "a1=1 a2=2 b3=2 c4", "a1 c4"),
    _same("an unknown negation does not hit", "SEQ(A a, !B b, C c) WHERE b.v > 3", "stnm",
          "a1 b2 c3", "a1 c3"),
)  # fmt: skip

_UNIONS = (
    _same("or of sequences", "OR(SEQ(A a, B b), SEQ(A a, C c))", "stam", "a1 b2 c3", "a1 b2", "a1 c3"),
    _same("each alternative by itself", "OR(SEQ(A a), SEQ(A a, B b))", "stam", "a1 b2", "a1", "a1 b2"),
    _same("equal assignments count once", "OR(SEQ(A a, B b), SEQ(A a, B b))", "stam", "a1 b2", "a1 b2"),
    _same("and is either order", "AND(A a, B b)", "stam", "b1 a2 b3", "b1 a2", "a2 b3"),
    _same("and in a sequence", "SEQ(A a, AND(B b, C c))", "stnm", "a1 c2 b3", "a1 c2 b3"),
    _same("and at once", "AND(A a, B b)", "stnm", "b1 a1", "a1 b1"),
    _same("and at once, three steps", "AND(A a, B b, C c)", "stam", "c1 a1 b1 b2", "a1 b1 c1", "a1 c1 b2"),
    _same("and at once, but not in SEQ", "SEQ(A a, AND(B b, C c))", "stnm", "a1 b1 c1 b2 c2", "a1 b2 c2"),
    _same("a variable of another alternative took nothing",
          "OR(SEQ(A a, B b), SEQ(A a, C c)) WHERE b.v > 3", "stam", "a1 b2=1 c3", "a1 c3"),
    _same("partition", "SEQ(A a, B b) WITHIN 10 s PARTITION BY v", "stnm", "a1=1 b2=2 b3=1", "a1 b3"),
    _same("no part without the attribute", "SEQ(A a, B b) WITHIN 10 s PARTITION BY v", "stnm",
          "a1 b2 a3=1 b4=null"),
    _same("a text is another key than a number", "SEQ(A a, B b) WITHIN 10 s PARTITION BY v", "stnm",
          'a1=1 b2="1"'),
    _same("negation in its partition", "SEQ(A a, !B b, C c) WITHIN 10 s PARTITION BY v", "stnm",
          "a1=1 b2=2 c3=1", "a1 c3"),
)  # fmt: skip

_CONDITIONS = (
    _same("a missing attribute is unknown", "SEQ(A a, B b) WHERE b.v > 3", "stnm", "a1 b2 b3=9", "a1 b3"),
    _same("so is its negation", "SEQ(A a, B b) WHERE NOT b.v > 3", "stnm", "a1 b2 b3=1", "a1 b3"),
    _same("a text is not a number", "SEQ(A a, B b) WHERE b.v != 3", "stnm", "a1 b2=3 b3=x", "a1 b3"),
    _same("text and number: no order", "SEQ(A a, B b) WHERE NOT b.v > 3", "stnm", "a1 b2=x b3=2", "a1 b3"),
    _same("true or unknown is true", "SEQ(A a, B b) WHERE b.v > 3 OR a.v = 1", "stnm", "a1=1 b2", "a1 b2"),
    _same("null tests what is missing", "SEQ(A a, B b) WHERE b.v = null", "stnm", "a1 b2=1 b3", "a1 b3"),
    _same("null at a place", _ABC.format("WHERE b[1].v = null"), "stnm", "a1 b2=1 b3 c4", "a1 b3 c4"),
    _same("no place, not equal", "SEQ(A a, B* b[]) WHERE b[i+1].v = b[i].v AND b[1].v = a.v", "stam", "a1=1"),
    _same("not null", "SEQ(A a, B b) WHERE b.v != null", "stnm", "a1 b2=null b3=x", "a1 b3"),
    _same("a parameter", "SEQ(A a, B b) WHERE b.v > $limit", "stnm", "a1 b2=3 b3=4", "a1 b3", limit=3),
    _same("in", "SEQ(A a, B b) WHERE b.v IN (3, 'x')", "stam", "a1 b2=3 b3=4 b4=x", "a1 b2", "a1 b4"),
    _same("between", "SEQ(A a, B b) WHERE b.v BETWEEN 3 AND 4", "stam", "a1 b2=2 b3=3 b4=4 b5=5",
          "a1 b3", "a1 b4"),
    _same("arithmetic", "SEQ(A a, B b) WHERE abs(a.v - b.v) / 2 >= 2", "stnm", "a1=1 b2=4 b3=5", "a1 b3"),
    _same("division by zero is missing", "SEQ(A a, B b) WHERE 1 / b.v < 2", "stnm", "a1 b2=0 b3=1", "a1 b3"),
    _case("each", _ABC.format("WHERE b[i].v > 3"), "stnm", "a1 b2=4 b3=1 b4=5 c5",
          ("a1 b2 b4 c5",), ("a1 b2 c5", "a1 b2 b4 c5")),
    _case("each against a single", _ABC.format("WHERE b.v > a.v"), "stnm", "a1=3 b2=4 b3=1 b4=5 c5",
          ("a1 b2 b4 c5",), ("a1 b2 c5", "a1 b2 b4 c5")),
    _case("adjacent, next match", _ABC.format("WHERE b[i+1].v > b[i].v"), "stnm", "a1 b2=5 b3=3 b4=7 c5",
          ("a1 b2 b4 c5",), ("a1 b2 c5", "a1 b2 b4 c5")),
    _case("adjacent, any match", _ABC.format("WHERE b[i].v > b[i-1].v"), "stam", "a1 b2=5 b3=3 b4=7 c5",
          ("a1 b2 b4 c5", "a1 b3 b4 c5"),
          ("a1 b2 c5", "a1 b3 c5", "a1 b4 c5", "a1 b2 b4 c5", "a1 b3 b4 c5")),
    _case("a next neighbour is every event but the first", _ABC.format("WHERE b[i+1].v > 3"), "stnm",
          "a1 b2=1 b3=2 b4=5 c6", ("a1 b2 b4 c6",), ("a1 b2 c6", "a1 b2 b4 c6")),
    _case("a previous neighbour is every event but the last", _ABC.format("WHERE b[i-1].v > 3"), "stnm",
          "a1 b2=5 b3=4 b4=1 b5=7 c6", ("a1 b2 b3 b4 c6",), ("a1 b2 c6", "a1 b2 b3 c6", "a1 b2 b3 b4 c6")),
    _case("a previous neighbour, any match", _ABC.format("WHERE b[i-1].v > 3"), "stam",
          "a1 b2=1 b3=5 b4=1 c6", ("a1 b2 c6", "a1 b3 b4 c6"),
          ("a1 b2 c6", "a1 b3 c6", "a1 b4 c6", "a1 b3 b4 c6")),
    _case("a neighbour against a single", _ABC.format("WHERE b[i+1].v > a.v"), "stnm",
          "a1=3 b2=1 b3=2 b4=5 c6", ("a1 b2 b4 c6",), ("a1 b2 c6", "a1 b2 b4 c6")),
    _case("two places apart, next match", _ABC.format("WHERE b[i+2].v > b[i].v"), "stnm",
          "a1 b2=5 b3=1 b4=9 b5=4 b6=7 c7", ("a1 b2 b3 b4 b5 c7",),
          ("a1 b2 c7", "a1 b2 b3 c7", "a1 b2 b3 b4 c7", "a1 b2 b3 b4 b5 c7")),
    _case("one event of a group", _ABC.format("WHERE any(b.v > 3 AND b.v < 6)"), "stnm",
          "a1 b2=1 b3=5 b4=9 c5", ("a1 b2 b3 b4 c5",), ("a1 b2 b3 c5", "a1 b2 b3 b4 c5")),
    _same("none of an empty group", "SEQ(A a, B* b[]) WHERE NOT any(b.v IS NULL)", "stam", "a1", "a1"),
    _same("a single event has no neighbour", "SEQ(A a, B b) WHERE a[i+1].v > 3", "stnm", "a1=1 b2", "a1 b2"),
    _same("the last of a single is decided at once", "SEQ(A a, B b, C c) WHERE last(b).v > 3", "stnm",
          "a1 b2=1 b3=5 c4", "a1 b3 c4"),
    _case("first", _ABC.format("WHERE first(b).v > 3"), "stnm", "a1 b2=1 b3=4 b4=1 c5",
          ("a1 b3 b4 c5",), ("a1 b3 c5", "a1 b3 b4 c5")),
    _same("last", _ABC.format("WHERE last(b).v > 3"), "stnm", "a1 b2=1 b3=4 b4=1 c5", "a1 b2 b3 c5"),
    _same("a position that is not there is missing", _ABC.format("WHERE b[2].v > 3"), "stnm", "a1 b2=9 c3"),
    _case("running aggregate", _ABC.format("WHERE b[i].v > avg(b[..i-1].v)"), "stnm", "a1 b2=4 b3=4 b4=5 c5",
          ("a1 b2 b4 c5",), ("a1 b2 c5", "a1 b2 b4 c5")),
    _same("a count keeps the end waiting", _ABC.format("WHERE count(b) >= 2"), "stnm",
          "a1 b2 c3 b4 c5", "a1 b2 b4 c5"),
    _same("an average a larger group breaks", _ABC.format("WHERE avg(b.v) < 3"), "stnm",
          "a1 b2=1 b3=9 c4", "a1 b2 c4"),
    _case("an average a larger group makes", _ABC.format("WHERE avg(b.v) > 2"), "stam", "a1 b2=1 b3=5 c4",
          ("a1 b2 b3 c4",), ("a1 b3 c4", "a1 b2 b3 c4")),
    _same("a sum of nothing is 0", "SEQ(A a, B* b[], C c) WHERE sum(b.v) = 0", "stnm",
          "a1 b2=5 c3", "a1 c3"),
    _same("an average of nothing is missing", "SEQ(A a, B* b[], C c) WHERE avg(b.v) < 9", "stnm", "a1 c3"),
    _same("what took nothing makes it true", "SEQ(A a, B? b, C c) WHERE b.v > c.v", "stnm",
          "a1 c2=1", "a1 c2"),
    _same("so it does beside a null", "SEQ(A a, B? b, C c) WHERE b.v * null > count(a)", "stnm",
          "a1 c2", "a1 c2"),
    _case("a neighbour that is not there asks nothing of a group before",
          "SEQ(B+ b[], C+ c[]) WHERE b.v = c[i+1].v", "stnm", "b1=1 b2=2 c3",
          ("b1 b2 c3",), ("b1 b2 c3", "b1 c3", "b2 c3")),
    _same("first of nothing is missing", "SEQ(A a, B* b[], C c) WHERE first(b).v > 0", "stnm", "a1 c2"),
)  # fmt: skip

CASES: tuple[Case, ...] = (*_SEQUENCES, *_GROUPS, *_NEGATIONS, *_UNIONS, *_CONDITIONS)
