"""Every match that FlinkCEP found, and no other: the vectors that the README beside this file describes."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.plan.compiler import compile_plan
from limecep.spec import NoOptions
from limecep.testing.bench import Bench
from limecep.testing.oracle import Assignment, all_matches
from limecep_nfa.engine import NfaEngine

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from limecep.model.pattern import Pattern, Select

SELECT: dict[str, Select] = {"STNM": "stnm", "STAM": "stam", "STRICT": "sc"}

#: The ids of a match, in the order of the pattern.
Ids = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Vector:
    """One stream, one pattern, one policy, and every match.

    Attributes:
        name: Which it is.
        steps: The pattern as the file spells it: `AB+C?`, `A!BC`.
        within: The window, in the unit of the events.
        select: The policy.
        events: The stream, in order.
        matches: What was found.
    """

    name: str
    steps: str
    within: int
    select: Select
    events: tuple[Event, ...]
    matches: frozenset[Ids]

    @property
    def pattern(self) -> Pattern:
        """The pattern in the language: `AB+C` is `SEQ(A a, B+ b[], C c)`."""
        parts = re.findall(r"(!?)([A-Z])([+?]?)", self.steps)
        assert "".join(map("".join, parts)) == self.steps
        steps = [
            f"{negated}{name}{quantifier} {name.lower()}{'[]' if quantifier == '+' else ''}"
            for negated, name, quantifier in parts
        ]
        return parse(f"PATTERN SEQ({', '.join(steps)}) WITHIN {self.within} us")


def load(path: Path) -> Iterator[Vector]:
    """The vectors of a file: of one stream, or of several."""
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    for number, stream in enumerate(document.get("vectors", [document])):
        events = tuple(Event(r["type"], r["id"], int(r["t"])) for r in stream["events"])
        for steps, by_policy in stream["matches"].items():
            for policy, matches in by_policy.items():
                yield Vector(
                    name=f"{path.stem} {number}, {steps} {policy}",
                    steps=steps,
                    within=document["window"],
                    select=SELECT[policy],
                    events=events,
                    matches=frozenset(map(tuple, matches)),
                )


VECTORS = [v for path in sorted(Path(__file__).parent.glob("*.json")) for v in load(path)]


def in_order(found: Iterable[Assignment]) -> set[Ids]:
    """The ids of matches. Variables are called so that their order is that of the steps."""
    return {tuple(identity[2] for _, group in match for identity in group) for match in found}


def test_all_vectors_are_there() -> None:
    assert len(VECTORS) == 30 * (7 * 2 + 2) + 3 * 2
    assert sum(len(v.matches) for v in VECTORS) > 2000


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: v.name)
def test_the_engine_finds_the_same_matches(vector: Vector) -> None:
    plan = compile_plan(vector.pattern, name="vector", select=vector.select)
    bench = Bench(plan, lambda plan, context: NfaEngine(plan, NoOptions(), context))
    assert in_order(bench.run(vector.events)) == vector.matches


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: v.name)
def test_the_oracle_finds_the_same_matches(vector: Vector) -> None:
    assert in_order(all_matches(vector.pattern, vector.events, select=vector.select)) == vector.matches
