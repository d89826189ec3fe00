"""What is odd about a pipeline as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from limecep import ComponentSpec, option
from limecep.config.advice import event_types, tells_finals
from limecep.config.loader import load_dict
from limecep.language.parser import parse
from limecep.registry import Registry
from limecep.spec import NoOptions

if TYPE_CHECKING:
    from conftest import Change, Edited


@pytest.mark.parametrize(
    ("change", "line", "column", "code"),
    [
        (
            ("patterns:", "  smoke: {from: log, channel: s.csv, as: Smoke, time: ts}\npatterns:"),
            9,
            42,
            "unused-type",
        ),
        (("{limit: 40}", "{limit: 40, more: 1}"), 3, 21, "unused-parameter"),
        (("name: kitchen", "retention: {time: 10s}"), 2, 19, "short-retention"),
        (("name: kitchen", "retention: {time: 29999999us}"), 2, 19, "short-retention"),
        (("a.percentage > $limit", "a.percentage > $limit AND 1 = 2"), 13, 39, "never-true"),
        (("a.percentage > $limit", "a.percentage > 1 AND $limit > 50"), 13, 34, "never-true"),
        (("Temperature{2} b[]", "Temperature+ b[]"), 12, 30, "growing-match"),
        (("Temperature{2} b[]", "Temperature{1,3} b[]"), 12, 30, "growing-match"),
    ],
)
def test_what_may_surprise_is_a_warning(
    edited: Edited, change: Change, line: int, column: int, code: str
) -> None:
    loaded = edited(change)
    [problem] = loaded.problems
    assert problem.place is not None
    assert (problem.severity, problem.code) == ("warning", code)
    assert (problem.place.line, problem.place.column) == (line, column)
    assert loaded.config is not None


@pytest.mark.parametrize(
    "change",
    [
        ("name: kitchen", "retention: {time: 30s}"),
        ("name: kitchen", "retention: {time: auto}"),
        ("a.percentage > $limit", "a.percentage > $limit AND 1 = 1"),
        ("{limit: 40}", "{limit: 40}"),
    ],
)
def test_what_is_as_it_should_be_is_not(edited: Edited, change: Change) -> None:
    assert edited(change).problems == []


GAS_BY_FIELD = "from: log, channel: g.csv, id: id, time: ts, as: "


@pytest.mark.parametrize(
    ("types", "codes"),
    [
        ("{field: t, map: {G: Gas}}", [("unused-type", 7), ("unmapped-type", 10)]),
        ("{field: t, map: {G: GasLeak}}", []),
        # Any type may come where a field says it, and no map does.
        ("{field: t}", []),
    ],
)
def test_types_that_a_field_holds_are_those_of_its_map(
    edited: Edited, types: str, codes: list[tuple[str, int]]
) -> None:
    found = edited(GAS_BY_FIELD + types).problems
    assert [(p.code, p.place and p.place.line) for p in found] == codes


def test_what_is_unmapped_is_told_of_the_first_pattern_that_names_it(edited: Edited) -> None:
    second = "  zero: {query: PATTERN SEQ(GasLeak a) WITHIN 1 s}\nsinks:"
    found = edited(GAS_BY_FIELD + "{field: t, map: {G: Gas}}", ("sinks:", second)).problems
    assert [p.message for p in found if p.code == "unmapped-type"] == [
        "pattern 'fire' names 'GasLeak', which is in no 'map'"
    ]


@pytest.mark.parametrize(("first", "second"), [("sc", "stnm"), ("stnm", "sc")])
def test_a_type_that_breaks_strict_contiguity_is_used(registry: Registry, first: str, second: str) -> None:
    query = "PATTERN SEQ(A a, A b) WITHIN 1 s"
    near = ComponentSpec(
        kind="engine", name="near", factory="nowhere:Nothing", summary="For tests.",
        capabilities=frozenset({"sc", "stnm"}),
    )  # fmt: skip
    source = {"type": "file", "channel": "s.csv", "time": "t"}
    document = {
        "version": 1,
        "sources": {"a": {**source, "as": "A"}, "b": {**source, "as": "B"}},
        "patterns": {
            name: {"query": query, "select": select, "engine": "near"}
            for name, select in (("p", first), ("q", second))
        },
    }
    assert [p.code for p in load_dict(document, Registry([*registry.specs(), near])).problems] == []


@dataclass(frozen=True, slots=True, kw_only=True)
class Only:
    mode: str = option("all", help="What it takes.")

    @property
    def finals_only(self) -> str:
        return "mode" if self.mode == "final" else ""


@pytest.mark.parametrize(
    ("sink", "results", "place"),
    [
        ({"mode": "final"}, {}, "sinks.o.mode"),
        ({"mode": "all"}, {}, ""),
        ({"mode": "final", "of": "late"}, {}, ""),
        ({"mode": "final"}, {"p": "final"}, ""),
        ({"mode": "final", "patterns": ["q"]}, {"p": "final"}, "sinks.o.mode"),
        ({"mode": "final", "patterns": ["p", "q"]}, {"p": "final"}, ""),
    ],
)
def test_a_sink_of_finals_needs_a_pattern_that_tells_them(
    registry: Registry, sink: dict[str, Any], results: dict[str, str], place: str
) -> None:
    finals = ComponentSpec(
        kind="sink", name="finals", factory="nowhere:Nothing", summary="For tests.", settings=Only
    )
    document = {
        "version": 1,
        "patterns": {
            name: {
                "query": "PATTERN SEQ(A a) WITHIN 1 s",
                "results": {"emit": "final", "horizon": "1m"} if name in results else {"emit": "eager"},
            }
            for name in ("p", "q")
        },
        "sinks": {"o": {"type": "finals", **sink}, "all": {"type": "stdout"}},
    }
    found = load_dict(document, Registry([*registry.specs(), finals])).problems
    assert [str(p.place) for p in found if p.code == "no-finals"] == ([place] if place else [])


@dataclass(frozen=True)
class Telling:
    final: bool
    emit: str = "eager"


@dataclass(frozen=True)
class Going:
    emit: str


@pytest.mark.parametrize(
    ("results", "told"),
    [
        (Telling(final=True), True),
        (Telling(final=False), False),
        (Telling(final=False, emit="final"), True),
        (Going("final"), True),
        (Going("complete"), False),
        (NoOptions(), False),
    ],
)
def test_finals_are_told_by_a_mark_or_by_nothing_else(results: object, told: bool) -> None:
    assert tells_finals(results) is told


def test_every_type_counts_also_of_what_must_not_come() -> None:
    pattern = parse("PATTERN SEQ(A a, AND(B b, C c), !E e) WITHIN 1 s")
    assert event_types(pattern) == {"A", "B", "C", "E"}
