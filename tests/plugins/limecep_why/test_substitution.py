"""Conditions with values put in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import structlog

from limecep.clock import ManualClock
from limecep.embedding.pipelines import Assembly, load_dict
from limecep.host import Host
from limecep.model.instants import Instant
from limecep.model.walk import conjuncts
from limecep.testing.streams import written
from limecep_why.substitution import Conjunct, shown

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.model.event import Event

REGISTRY = Host.load().registry


def conjunct(where: str, params: dict[str, Any] | None = None, root: Path | None = None) -> Conjunct:
    document = {
        "version": 1,
        "name": "p",
        "params": params or {},
        "sources": {"s": {"type": "file", "channel": "s.jsonl", "as": {"field": "type"}, "time": "t"}},
        "patterns": {"p": {"query": f"PATTERN SEQ(A a, B* b[], C c) WHERE {where} WITHIN 1 h"}},
        "sinks": {"none": {"type": "none"}},
    }
    if root is not None:
        document["tables"] = {"limits": {"from": "files", "channel": "limits.csv", "key": "kind"}}
        document["connectors"] = {"files": {"type": "file"}}
    config = load_dict(document, REGISTRY, root=root).checked()
    if root is not None:
        # It reads what the check has not.
        Assembly(config, REGISTRY, ManualClock(), structlog.get_logger())
    [expression] = conjuncts(config.patterns[0].pattern.where)
    return Conjunct(expression, where, params or {}, "c")


def put(where: str, events: str, params: dict[str, Any] | None = None) -> list[tuple[str, bool | None]]:
    groups: dict[str, list[Event]] = {"a": [], "b": [], "c": []}
    for event in written(events):
        groups[event.type.lower()].append(event)
    return [(i.text, i.truth) for i in conjunct(where, params).instances(groups)]


@pytest.mark.parametrize(
    ("where", "events", "expected"),
    [
        ("c.v > a.v", "a1=20 c2=31", [("31 > 20", True)]),
        ("c.v > a.v", "a1=31 c2=20", [("20 > 31", False)]),
        ("c.v > a.v", "a1 c2=20", [("20 > missing", None)]),
        ("c.v != a.v", "a1=x c2=2", [("2 != 'x'", True)]),
        ("b[i].v > a.v", "a1=2 b2=3 b3=1 c4", [("3 > 2", True), ("1 > 2", False)]),
        ("b.v > 2", "a1 b2=3 b3=4 c4", [("3 > 2", True), ("4 > 2", True)]),
        ("b[i+1].v > b[i].v", "a1 b2=3 b3=4 b4=-5 c5", [("4 > 3", True), ("-5 > 4", False)]),
        ("b[i].v > avg(b[..i-1].v)", "a1 b2=3 b3=4 c5", [("4 > 3.0", True)]),
        ("first(b).v < last(b).v", "a1 b2=3 b3=4 c5", [("3 < 4", True)]),
        ("count(b) >= 2 OR a.v IS NULL", "a1 b2 c5", [("1 >= 2 OR missing == null", True)]),
        ("b[i].v > 1", "a1 c5", []),
        ("a.v - c.v > 0 - 5", "a1=3 c2=-4", [("3 - -4 > 0 - 5", True)]),
        ("NOT a.v IN (1, 2)", "a1=3 c2", [("NOT 3 IN (1, 2)", True)]),
        ("a.v BETWEEN 1 AND c.v", "a1=3 c2=4", [("3 BETWEEN 1 AND 4", True)]),
        ("lower(a.v) = 'x'", "a1=X c2", [("'x' == 'x'", True)]),
        ("contains(a.v, 'X')", "a1=XY c2", [("contains('XY', 'X')", True)]),
        ("any(b.v > a.v)", "a1=2 b2=3 c3", [("any([3] > 2)", True)]),
        ("a.v = true", "a1=true c3", [("true == true", True)]),
    ],
)
def test_values_stand_in_the_places_of_names(
    where: str, events: str, expected: list[tuple[str, bool | None]]
) -> None:
    assert put(where, events) == expected


def test_parameters_are_put_in_also_lists_and_null() -> None:
    assert put("a.v > $limit", "a1=3 c2", {"limit": 2}) == [("3 > 2", True)]
    assert put("a.v IN $some", "a1=3 c2", {"some": [1, 2]}) == [("3 IN (1, 2)", False)]
    assert put("a.v IN $some", "a1=3 c2", {"some": [*range(9)]}) == [("3 IN (0, 1, 2, 3, 4, ...)", True)]
    assert put("a.v != $none", "a1=3 c2", {"none": None}) == [("3 != null", True)]


def test_a_row_of_a_table_is_its_value(tmp_path: Path) -> None:
    (tmp_path / "limits.csv").write_text("kind,most\nx,5\n")
    looked_up = conjunct("a.v < limits['x'].most", root=tmp_path)
    groups = {"a": written("a1=3"), "b": [], "c": written("c2")}
    assert [(i.text, i.truth) for i in looked_up.instances(groups)] == [("3 < 5", True)]


def test_an_instance_names_its_events_once_each() -> None:
    groups = {"a": written("a1=2"), "b": written("b2=3 b3=4"), "c": written("c9")}
    found = list(conjunct("b[i].v > a.v OR b[i].v > a.v").instances(groups))
    assert [[v + e.id for v, e in i.events] for i in found] == [["bb2", "aa1"], ["bb3", "aa1"]]


def test_some_instances_are_shown_and_all_are_counted() -> None:
    groups = {
        "a": written("a1"),
        "b": written(" ".join(f"b{n}={n}" for n in range(2, 3000))),
        "c": written("c4000"),
    }
    found, count = conjunct("b[i+1].v > b[i].v").some(groups, 3)
    assert [i.text for i in found] == ["3 > 2", "4 > 3", "5 > 4"]
    assert count == 2997


@pytest.mark.parametrize(("values", "truth"), [("3 4", True), ("3 1", False), ("3 x", None), ("x 1", False)])
def test_a_condition_is_true_false_or_unknown_as_a_whole(values: str, truth: bool | None) -> None:
    events = " ".join(f"b{n}={v}" for n, v in enumerate(values.split(), 2))
    assert (
        conjunct("b[i].v > 2").truth({"a": written("a1"), "b": written(events), "c": written("c9")}) is truth
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "missing"),
        (0.1 + 0.2, "0.30000000000000004"),
        ("it's", "'it''s'"),
        ("x" * 100, f"'{'x' * 59}…'"),
        (Instant(0), "1970-01-01T00:00:00Z"),
        ([1, "a", None], "[1, 'a', missing]"),
        ([*range(10)], "[0, 1, 2, 3, 4, ... 5 more]"),
        ({"a": 1}, '{"a":1}'),
    ],
)
def test_a_value_is_written_as_in_a_query_and_cut(value: Any, text: str) -> None:
    assert shown(value) == text
