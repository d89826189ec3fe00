"""Keys as text: the same for what `=` calls equal, and for nothing else."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from limecep import Event, Pipeline
from limecep.errors import RunFailure
from limecep.model.event import Statement
from limecep_spark_runner.groups import Group, groups

VALUES: list[Any] = ["1", 1, True, False, 0, "", "true", 1.5, 2**63, 2.0**63, 1e300, "a:b", '"', "\u20ac"]
EQUAL = {(2**63, 2.0**63)}


def grouped(select: str = "stnm", **queries: str) -> list[Group]:
    named = {name: {"query": query, "select": select} for name, query in queries.items()}
    return groups(Pipeline.from_dict({"version": 1, "patterns": named}).config)


def event(**payload: Any) -> Event:
    return Event("A", "a", 0, payload=payload)


@pytest.mark.parametrize(("one", "other"), list(combinations(VALUES, 2)))
def test_what_differs_has_different_keys(one: Any, other: Any) -> None:
    (group,) = grouped(p="PATTERN SEQ(A a, B b) WITHIN 5 seconds PARTITION BY k")
    assert (group.key(event(k=one)) == group.key(event(k=other))) == ((one, other) in EQUAL)


@pytest.mark.parametrize(("one", "other"), [(1, 1.0), (0, -0.0), (float("inf"), float("inf"))])
def test_what_is_equal_has_one_key(one: Any, other: Any) -> None:
    (group,) = grouped(p="PATTERN SEQ(A a, B b) WITHIN 5 seconds PARTITION BY k")
    assert group.key(event(k=one)) == group.key(event(k=other)) is not None


@pytest.mark.parametrize("payload", [{}, {"k": None}, {"k": [1]}, {"k": {}}, {"k": float("nan")}])
def test_an_event_without_the_attribute_has_no_key(payload: dict[str, Any]) -> None:
    (group,) = grouped(p="PATTERN SEQ(A a, B b) WITHIN 5 seconds PARTITION BY k")
    assert group.key(event(**payload)) is None


def test_patterns_with_one_way_of_partitioning_are_together() -> None:
    found = grouped(
        a="PATTERN SEQ(A a, B b) WITHIN 5 seconds PARTITION BY k",
        b="PATTERN SEQ(A a, B b) WITHIN 5 seconds",
        c="PATTERN SEQ(A a, C c) WITHIN 9 seconds PARTITION BY k",
        d="PATTERN SEQ(A a, B b) WITHIN 5 seconds PARTITION BY k, m",
    )
    assert [[p.name for p in g.config.patterns] for g in found] == [["a", "c"], ["b"], ["d"]]
    keys = [g.key(event(k=1, m="x")) for g in found]
    assert keys == ["0:[1]", "1:[]", '2:[1,"x"]']


def test_an_event_of_a_type_that_no_pattern_names_concerns_only_strict_contiguity() -> None:
    other = Event("Z", "z", 0, payload={"k": 1})
    query = "PATTERN SEQ(A a, B b) WITHIN 5 seconds PARTITION BY k"
    assert [g.key(other) for g in grouped(p=query)] == [None]
    assert [g.key(other) for g in grouped("sc", p=query)] == ["0:[1]"]


def revised(query: str, id: Any, select: str = "stnm", **more: Any) -> Group:
    """The patterns of a pipeline whose source `s` revises its events of type A."""
    file = {"type": "file", "channel": "s.jsonl", "time": "t"}
    sources = {"s": {**file, "as": "A", "id": id, "revise": {}, **more}, "o": {**file, "as": "B"}}
    patterns = {"p": {"query": f"PATTERN {query} WITHIN 5 seconds PARTITION BY k", "select": select}}
    (group,) = groups(Pipeline.from_dict({"version": 1, "sources": sources, "patterns": patterns}).config)
    return group


def said(id: str, *, withdrawn: bool = False, **payload: Any) -> Statement:
    return Statement("A", id, 0, 0, "s", payload, version=1, withdrawn=withdrawn)


def test_where_events_are_revised_their_ids_tell_the_key() -> None:
    group = revised("SEQ(A a, B b)", ["k", "n"])
    assert group.undivided is None
    keys = {
        group.key(said("1.0/x", k=1.0, n="x")),
        group.key(said("1/y", withdrawn=True)),
        group.key(Event("B", "b", 0, source="o", payload={"k": 1})),
    }
    assert keys == {'0:["1.0"]'}
    assert group.key(Event("B", "b", 0, source="o")) is None


def test_a_key_that_the_id_does_not_tell_ends_the_run() -> None:
    group = revised("SEQ(A a, B b)", ["k", "n"])
    with pytest.raises(RunFailure, match=r"source 's' .* '0x10/y' does not tell the key of the event \(k\)"):
        group.key(said("0x10/y", k=16, n="y"))


@pytest.mark.parametrize(
    ("query", "more", "divided"),
    [
        ("SEQ(A a, B b)", {}, False),
        ("SEQ(B a, B b)", {}, True),
        ("SEQ(B a, B b)", {"as": {"field": "type"}}, False),
        ("SEQ(B a, B b)", {"select": "sc"}, False),
    ],
)
def test_where_ids_tell_no_key_all_events_come_to_one_place(
    query: str, more: dict[str, Any], *, divided: bool
) -> None:
    group = revised(query, "n", **more)
    assert (group.undivided is None) == divided
    if not divided:
        assert group.key(Event("B", "b", 0, source="o", payload={"k": 1})) == "0:[]"
        assert not query.startswith("SEQ(A") or group.key(said("y", withdrawn=True)) == "0:[]"
