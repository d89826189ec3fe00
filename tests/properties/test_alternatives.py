"""Conditions may name what stands in another alternative: there they hold of nothing."""

from __future__ import annotations

import pytest

from limecep import Pipeline
from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.testing.changelog import net
from limecep.testing.oracle import all_matches, maximal_matches
from limecep.testing.streams import SECOND

QUERIES = [
    "OR(SEQ(A+ a), SEQ(A a, B b)) WHERE a[1].v = b[1].v",
    "OR(SEQ(A+ a, C c), SEQ(A a, B b)) WHERE c.v = b.v",
    "OR(SEQ(A a, B+ b, C c), SEQ(D d, C c)) WHERE c.v = d.v AND last(b).v = d.v",
    "OR(SEQ(A a, C c, !B n), SEQ(D d, C c)) WHERE n.v = d.v",
    "OR(SEQ(A a, !B n, C c), SEQ(D d, C c)) WHERE n.v = d.v AND c.v = d.v",
]


@pytest.mark.parametrize("engine", ["maximal", "nfa"])
@pytest.mark.parametrize("select", ["stnm", "stam", "sc"])
@pytest.mark.parametrize("query", QUERIES)
def test_a_condition_may_name_what_another_alternative_has(engine: str, select: str, query: str) -> None:
    text = f"PATTERN {query} WITHIN 8 seconds"
    events = [
        Event(name, f"{name}{n}", n * SECOND, n * SECOND, payload={"v": n % 2})
        for n, name in enumerate("ADABCBCAABDCABCD", start=1)
    ]
    find = maximal_matches if engine == "maximal" else all_matches
    pattern = {"query": text, "engine": engine, "select": select, "lateness": "accept", "slack": "none"}
    document = {"version": 1, "patterns": {"p": pattern}, "sinks": {"o": {"type": "none"}}}
    with Pipeline.from_dict(document) as pipeline:
        # Every third comes late.
        updates = [*pipeline.feed(sorted(events, key=lambda e: (e.t_gen // SECOND % 3 == 0, e.t_gen)))]
        updates += pipeline.finish()
    assert net(updates) == find(parse(text), events, select=select)  # type: ignore[arg-type]
