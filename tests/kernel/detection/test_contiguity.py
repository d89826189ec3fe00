"""Strict contiguity: events of every type are minded, on time or late."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep import Event, Pipeline
from limecep.host import Host
from limecep.testing.streams import written

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from limecep.model.update import Update

REGISTRY = Host.load().registry
QUERY = "SEQ(A a, B+ b[], C c) WITHIN 10 s"


def pipeline(query: str, *, engine: str = "maximal", **pattern: Any) -> Pipeline:
    block = {"query": f"PATTERN {query}", "select": "sc", "engine": engine, "slack": "none", **pattern}
    return Pipeline.from_dict({"version": 1, "name": "t", "patterns": {"p": block}}, registry=REGISTRY)


def shown(updates: Sequence[Update]) -> list[str]:
    return [f"{u.op} {' '.join(e.id for g in u.match.groups for e in g)}" for u in updates]


@pytest.mark.parametrize("engine", ["maximal", "nfa"])
@pytest.mark.parametrize(
    ("stream", "expected"),
    [("a1 b2 c3", ["emit a1 b2 c3"]),
     ("a1 b2 x2.5 c3", []),
     ("a1 b2 c3 x2.5", ["emit a1 b2 c3", "retract a1 b2 c3"]),
     ("a1 b2 c3 x0.5 x3.5", ["emit a1 b2 c3"]),
     ("a1 b2 c3 x2", ["emit a1 b2 c3"]),
     ("x2.5 a1 b2 c3", []),
     ("a1 c3 b2", ["emit a1 b2 c3"])],
    ids=["nothing between", "between", "late between", "beside", "at its time", "late before", "late itself"],
)  # fmt: skip
def test_what_stands_between_two_events_parts_them(engine: str, stream: str, expected: list[str]) -> None:
    made = pipeline(QUERY, engine=engine)
    assert shown(made.feed(written(stream)) + made.finish()) == expected


def test_a_late_event_can_part_what_was_one_run() -> None:
    made = pipeline(QUERY)
    assert shown(made.feed(written("a1 b2 b3 c4"))) == ["emit a1 b2 b3 c4"]
    assert shown(made.feed(written("a2.5"))) == ["retract a1 b2 b3 c4", "emit a2.5 b3 c4"]


def test_all_matches_of_a_run_part_with_it() -> None:
    made = pipeline("SEQ(B+ b[], C c) WITHIN 10 s", engine="nfa")
    assert shown(made.feed(written("b2 b3 c4"))) == ["emit b3 c4", "emit b2 b3 c4"]
    assert shown(made.feed(written("x2.5"))) == ["retract b2 b3 c4"]


def test_events_of_types_in_no_pattern_are_stored_and_copies_of_them_told_apart() -> None:
    made = pipeline(QUERY)
    made.feed(written("a1 x2 x2 y3 b4"))
    made.feed(written("x3.5 x3.5 x9 z9"))
    events = made.report()["events"]
    assert events == {
        "read": 9, "in_order": 6, "out_of_order": 1, "duplicate": 2,
        "irrelevant": 0, "extremely_late": 0, "future": 0, "invalid": 0, "revised": 0, "withdrawn": 0,
    }  # fmt: skip


def test_a_late_event_that_the_policy_refuses_parts_nothing() -> None:
    made = pipeline(QUERY, lateness={"type": "bound", "within": "2s"})
    assert shown(made.feed(written("a1 b2 c3 d9"))) == ["emit a1 b2 c3"]
    assert made.feed(written("x2.5")) == []
    assert made.report()["events"]["extremely_late"] == 1
    assert shown(made.feed(written("x8.5 a9.5 b10 c11"))) == ["emit a9.5 b10 c11"]


def test_only_events_of_the_same_key_part() -> None:
    made = pipeline("SEQ(A a, B b) WITHIN 10 s PARTITION BY v")
    assert shown(made.feed(written("a1=1 x2=2 x3 b4=1"))) == ["emit a1 b4"]
    assert shown(made.feed(written("x2.5=1"))) == ["retract a1 b4"]


def test_other_patterns_of_the_pipeline_do_not_mind() -> None:
    patterns = {
        "strict": {"query": "PATTERN SEQ(A a, B b) WITHIN 10 s", "select": "sc", "slack": "none"},
        "next": {"query": "PATTERN SEQ(A a, B b) WITHIN 10 s"},
        "other": {"query": "PATTERN SEQ(B b, C c) WITHIN 10 s PARTITION BY v"},
    }
    made = Pipeline.from_dict({"version": 1, "name": "t", "patterns": patterns}, registry=REGISTRY)
    updates = made.feed(written("x0 a1=1 b2=1 x2.5 c3=1")) + made.feed(written("x1.5"))
    assert [f"{u.pattern} {line}" for u, line in zip(updates, shown(updates), strict=True)] == [
        "strict emit a1 b2",
        "next emit a1 b2",
        "other emit b2 c3",
        "strict retract a1 b2",
    ]
    assert made.report()["patterns"]["other"]["without_key"] == 0


def test_files_are_read_whole(tmp_path: Path) -> None:
    """Also the payload of events whose type no pattern names: it has the key."""
    rows = [
        "type,id,time,room",
        "A,a1,1,k",
        "X,x2,2,k",
        "X,x3,3,l",
        "B,b4,4,k",
        "A,a5,5,k",
        "X,x6,6,l",
        "B,b7,7,k",
    ]
    (tmp_path / "e.csv").write_text("\n".join(rows) + "\n")
    time = {"field": "time", "format": "epoch_s"}
    source = {"from": "f", "channel": "e.csv", "as": {"field": "type"}, "id": "id", "time": time}
    document = {
        "version": 1,
        "name": "t",
        "connectors": {"f": {"type": "file"}},
        "sources": {"s": source},
        "patterns": {"p": {"query": "PATTERN SEQ(A a, B b) WITHIN 10 s PARTITION BY room", "select": "sc"}},
        "sinks": {"out": {"type": "none"}},
    }
    made = Pipeline.from_dict(document, root=tmp_path, registry=REGISTRY)
    made.run()
    made.close()
    report = made.report()
    assert report["events"]["in_order"] == 7
    assert report["patterns"]["p"]["live"] == 1


def test_time_passes_with_events_of_every_source() -> None:
    """A match waits for time: also for that of a source whose events the pattern does not name."""
    made = pipeline("SEQ(A a, B b, !C c) WITHIN 10 s")
    events = [*written("a1 b2"), Event("X", "x1", 5_000_000, 5_000_000, "other")]
    assert made.feed(events) == []
    assert made.feed([Event("A", "a30", 30_000_000, 30_000_000)]) == []
    assert shown(made.feed([Event("X", "x2", 31_000_000, 31_000_000, "other")])) == ["emit a1 b2"]
