from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.config.document import parse
from limecep.config.findings import Findings
from limecep.config.nodes import plain_value
from limecep.config.overrides import override
from limecep.config.text import SourceText

if TYPE_CHECKING:
    from limecep.problems import Problem

TEXT = (
    "params: {limit: 40}\n"
    "patterns:\n  fire: {select: stnm, engine: maximal}\n  a.b: {select: stnm}\n"
    "retention:\n"
)


def overridden(*overrides: str) -> tuple[object, list[Problem]]:
    findings = Findings()
    root = parse(SourceText("f.yaml", TEXT), findings)
    assert root is not None
    return plain_value(override(root, overrides, findings)), findings.sorted()


@pytest.mark.parametrize(
    ("override", "path", "value"),
    [
        ("params.limit=50", ("params", "limit"), 50),
        ("params.limit=5=0", ("params", "limit"), "5=0"),
        ("params.limit=On", ("params", "limit"), "On"),
        ("params.limit=", ("params", "limit"), None),
        ("patterns.fire.select=stam", ("patterns", "fire", "select"), "stam"),
        ("patterns.a.b.select=stam", ("patterns", "a.b", "select"), "stam"),
        ("patterns.fire.results={max_per_end: 5}", ("patterns", "fire", "results", "max_per_end"), 5),
        ("patterns.fire.results.max_per_end=5", ("patterns", "fire", "results", "max_per_end"), 5),
        ("retention.time=10m", ("retention", "time"), "10m"),
    ],
)
def test_a_value_is_put_in(override: str, path: tuple[str, ...], value: object) -> None:
    document, problems = overridden(override)
    assert problems == []
    for key in path:
        assert isinstance(document, dict)
        document = document[key]
    assert document == value


def test_the_last_override_counts() -> None:
    document, _ = overridden("params.limit=1", "params.limit=2")
    assert isinstance(document, dict)
    assert document["params"] == {"limit": 2}


@pytest.mark.parametrize(
    ("override", "said", "place"),
    [
        ("nonsense", "'nonsense' is no override", "--set:1:1"),
        ("a..b=1", "write path=value", "--set:1:1"),
        ("patterns.fier.select=stam", "there is no 'fier' in patterns", "--set:1:10"),
        ("patterns.fier.select=stam", "did you mean 'fire'?", "--set:1:10"),
        ("params.limt=5", "there is no 'limt' in params", "--set:1:8"),
        ("params.limt=5", "did you mean 'limit'?", "--set:1:8"),
        ("sinks.out.of=late", "write it into the file, under 'sinks'", "--set:1:7"),
        (
            "patterns.fire.engine.depth=3",
            "'patterns.fire.engine' is the text 'maximal', not a block",
            "--set:1:15",
        ),
        ("params.limit={", "this is not YAML", "--set:1:15"),
    ],
)
def test_an_override_that_cannot_be_is_a_problem(override: str, said: str, place: str) -> None:
    _, [problem] = overridden(override)
    assert said in str(problem)
    assert str(problem.place) == place
