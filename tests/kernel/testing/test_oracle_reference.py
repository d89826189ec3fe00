"""The oracle against a published table of counts. tests/conformance/ holds it against another engine."""

from __future__ import annotations

import pytest

from limecep.model.pattern import Pattern, Quantifier, Sequence, Step
from limecep.testing.oracle import all_matches, maximal_matches
from limecep.testing.streams import SECOND, written

MINIGT = "b1 b2 a3 a4 a5 a6 a7 b8 a9 c10 b11 b12 a13 b14 a15 b16 a17 a18 c19 c20"
ONE_OR_MORE = Quantifier(1, None)
OPTIONAL = Quantifier(0, 1)


def steps(text: str) -> Sequence:
    """`AB+C?!D` as steps without conditions."""
    parts: list[Step] = []
    negated = False
    for sign in text:
        if sign == "!":
            negated = True
        elif sign in "+?":
            last = parts.pop()
            parts.append(Step(last.variable, last.types, ONE_OR_MORE if sign == "+" else OPTIONAL))
        else:
            parts.append(Step(sign.lower(), (sign,), negated=negated))
            negated = False
    return Sequence(tuple(parts))


def pattern(text: str, within: int = 10 * SECOND) -> Pattern:
    return Pattern(steps(text), None, within)


@pytest.mark.parametrize(
    ("text", "counts"),
    [("ABC", (8, 15, 8, 15)), ("AB+C", (8, 10, 12, 28)), ("A+B+C", (6, 6, 26, 61))],
)
def test_counts_of_the_worked_example(text: str, counts: tuple[int, ...]) -> None:
    events = written(MINIGT)
    found = [
        len(find(pattern(text), events, select=select))
        for find in (maximal_matches, all_matches)
        for select in ("stnm", "stam")
    ]
    assert tuple(found) == counts


def test_matches_of_the_worked_example_by_name() -> None:
    events = written(MINIGT)

    def ids(select: str) -> set[str]:
        found = maximal_matches(pattern("AB+C"), events, select=select)
        return {" ".join(e[2] for _, group in m for e in group) for m in found}

    stnm = {f"a{n} b8 c10" for n in range(3, 8)} | {
        "a9 b11 b12 b14 b16 c19",
        "a13 b14 b16 c19",
        "a15 b16 c19",
    }
    assert ids("stnm") == stnm
    assert ids("stam") == stnm | {"a13 b14 b16 c20", "a15 b16 c20"}
