"""Statements whose source names no version are numbered in the order in which they come."""

from __future__ import annotations

from limecep import Event, Pipeline
from limecep.model.event import Statement
from limecep_spark_runner.statements import Versions, revising, unversioned

FILE = {"type": "file", "channel": "s.jsonl", "as": "A", "time": "t", "id": "i"}
CONFIG = Pipeline.from_dict(
    {
        "version": 1,
        "sources": {
            "plain": FILE,
            "named": {**FILE, "revise": {"version": "rev"}},
            "counted": {**FILE, "revise": {"withdrawn": {"field": "gone"}}},
        },
        "patterns": {"p": {"query": "PATTERN SEQ(A a, A b) WITHIN 5 s"}},
    }
).config


def test_what_detection_has_to_know_is_which_sources_revise() -> None:
    assert {name: traits.revises for name, traits in revising(CONFIG).items()} == {
        "named": True,
        "counted": True,
    }
    assert unversioned(CONFIG) == {"counted"}


def test_those_without_a_version_are_numbered_and_no_others() -> None:
    said = [Statement("A", "x", 0, source=name, version=7) for name in ("counted", "named", "counted")]
    versions = Versions(unversioned(CONFIG), 3)
    versions.number([*said, Event("A", "y", 0, source="plain")])
    assert [s.version for s in said] == [4, 7, 5]
    assert versions.said == 5
