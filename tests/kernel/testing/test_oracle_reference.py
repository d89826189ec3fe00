"""The oracle against published results: a table of counts, and the matches another engine gave."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from limecep.model.event import Event
from limecep.model.pattern import Pattern, Quantifier, Sequence, Step
from limecep.testing.oracle import all_matches, maximal_matches
from limecep.testing.streams import SECOND, written

MINIGT = "b1 b2 a3 a4 a5 a6 a7 b8 a9 c10 b11 b12 a13 b14 a15 b16 a17 a18 c19 c20"
ONE_OR_MORE = Quantifier(1, None)
OPTIONAL = Quantifier(0, 1)
VECTORS = Path(__file__).resolve().parents[4] / "shared" / "conformance"


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


def _entries() -> list[tuple[str, str, int, list[dict[str, str]], list[list[str]]]]:
    entries = []
    for path in sorted(VECTORS.glob("*.json")):
        document = json.loads(path.read_text())
        for vector in document.get("vectors", [document]):
            for text, by_policy in vector["matches"].items():
                for policy, matches in by_policy.items():
                    entries.append((text, policy, document["window"], vector["events"], matches))
    return entries


@pytest.mark.skipif(not VECTORS.is_dir(), reason="the vectors are not beside the project")
def test_all_matches_agree_with_another_engine() -> None:
    entries = _entries()
    for text, policy, window, records, expected in entries:
        events = [Event(r["type"], r["id"], int(r["t"])) for r in records]
        select = {"STNM": "stnm", "STAM": "stam", "STRICT": "sc"}[policy]
        found = all_matches(pattern(text, window), events, select=select)
        got = {tuple(e[2] for _, group in m for e in group) for m in found}
        assert got == {tuple(m) for m in expected}, (text, policy, records)
    assert len(entries) > 400
