"""How components are put together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep import Pipeline
from limecep.testing.streams import written

if TYPE_CHECKING:
    from limecep.registry import Registry


def test_the_report_of_a_pattern_says_how_often_its_conditions_were_unknown(installed: Registry) -> None:
    queries = {
        "odd": "PATTERN SEQ(A a, B b) WHERE a.v > 1 WITHIN 10 s",
        "even": "PATTERN SEQ(A a) WITHIN 1 s",
    }
    patterns = {name: {"query": query} for name, query in queries.items()}
    pipeline = Pipeline.from_dict({"version": 1, "patterns": patterns}, registry=installed)
    pipeline.feed(written("a1=1 a2 a3=x a4=2"))
    figures = pipeline.report()["patterns"]
    assert figures["odd"]["unknown"] == 2
    assert not figures["even"].get("unknown")
