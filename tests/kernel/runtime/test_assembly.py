"""How components are put together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import structlog

from limecep import Event, Pipeline
from limecep.clock import ManualClock
from limecep.config.loader import load_dict
from limecep.errors import ComponentFailure
from limecep.registry import Registry
from limecep.runtime.assembly import Assembly
from limecep.spec import ComponentSpec
from limecep.testing.streams import SECOND, written

if TYPE_CHECKING:
    from limecep.detection.detection import Detection
    from limecep.model.update import Update
    from limecep.patterns.detector import Refusal

PATTERN = {"query": "PATTERN SEQ(A a, !B b) WITHIN 5 s", "lateness": {"type": "bound", "within": "9s"}}

SOURCE = {
    "type": "file",
    "channel": "f.csv",
    "as": {"field": "k"},
    "time": {"field": "t", "format": "epoch_s"},
}


def assembly(installed: Registry, **more: Any) -> Assembly:
    loaded = load_dict({"version": 1, "patterns": {"p": PATTERN}, **more}, installed)
    assert loaded.config is not None, loaded.problems
    return Assembly(loaded.config, installed, ManualClock(), structlog.get_logger())


def seconds(detection: Detection) -> list[float]:
    return [e.t_gen / SECOND for e in detection.store.types["A"].events.content.events]


def test_detection_keeps_what_the_retention_of_the_configuration_says(installed: Registry) -> None:
    for retention, kept in ({"events": 20}, 20), ({"time": "9s"}, 20), ({"bytes": 1}, 1):
        detection = assembly(installed, retention=retention).detection()
        for second in range(200):
            detection.feed(written(f"a{second}"))
        assert len(seconds(detection)) <= kept, retention
        assert seconds(detection)[-1] == 199


def test_detection_gives_updates_and_what_was_refused_to_whom_it_is_told(installed: Registry) -> None:
    updates: list[Update] = []
    refused: list[Refusal] = []
    detection = assembly(installed).detection(updates.append, refused.append)
    detection.feed(written("a1 a20 a2"))
    assert [u.match.end.id for u in updates] == ["a1"]
    assert [(r.reason, r.event.id) for r in refused] == [("extremely_late", "a2")]


def test_sources_hold_time_back_where_detection_is_told_of_them(installed: Registry) -> None:
    made = assembly(installed, sources={"s": {**SOURCE, "idle_after": "3s"}, "t": SOURCE})
    for awaits, pending in (False, 0), (True, 1):
        detection = made.detection(sources=made.traits(), awaits_sources=awaits)
        detection.feed([Event("A", "a1", SECOND, SECOND, "s"), Event("A", "a9", 9 * SECOND, 9 * SECOND, "s")])
        assert detection.patterns()["p"]["pending"] == 1 + pending
    assert made.detection().time.traits("s").idle_after is None
    assert made.detection(sources=made.traits()).time.traits("s").idle_after == 3 * SECOND


def test_the_sequence_field_of_a_source_orders_what_is_stored(installed: Registry) -> None:
    for order in {}, {"order": "n"}:
        detection = assembly(installed, sources={"s": {**SOURCE, **order}}).detection()
        assert detection.store.sequenced is bool(order)


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


def test_an_engine_that_answers_other_than_its_spec_says_is_refused(installed: Registry) -> None:
    spec = ComponentSpec(
        kind="engine", name="sly", factory="limecep_nfa.engine:NfaEngine", summary="All, and does not say so"
    )
    registry = Registry([*installed.specs(), spec])
    pattern = {"query": "PATTERN SEQ(A a, B b) WITHIN 5 s", "engine": "sly"}
    with pytest.raises(
        ComponentFailure, match=r"patterns\.p: engine 'sly' gives the results 'all'.*'maximal'"
    ):
        Pipeline.from_dict({"version": 1, "patterns": {"p": pattern}}, registry=registry).feed([])
