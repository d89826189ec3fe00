"""Sinks are put together with what stands before them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import structlog

from limecep.clock import ManualClock
from limecep.config.loader import load_dict
from limecep.output.outlets import Outlet
from limecep.output.repeating import Repeating
from limecep.runtime.assembly import Assembly

if TYPE_CHECKING:
    from limecep.registry import Registry


def assembly(installed: Registry, sinks: dict[str, Any]) -> Assembly:
    patterns = {name: {"query": "PATTERN SEQ(A a) WITHIN 5 s"} for name in ("p", "seen")}
    loaded = load_dict({"version": 1, "patterns": patterns, "sinks": sinks}, installed)
    assert loaded.config is not None, loaded.problems
    return Assembly(loaded.config, installed, ManualClock(), structlog.get_logger())


def test_messages_of_a_sink_are_in_its_envelope_and_those_of_others_plain_json(installed: Registry) -> None:
    topic = {"type": "kafka", "brokers": "localhost", "channel": "c"}
    made = assembly(installed, {"wrapped": {**topic, "envelope": "cloudevents"}, "plain": topic})
    record = {"op": "emit", "match": "m", "revision": 1, "pattern": "p", "detected": "2026-01-01T00:00:00Z"}
    wrapped, plain = (made.sinks.encoder(sink).encode(record) for sink in made._config.sinks)
    assert json.loads(plain) == record
    assert json.loads(wrapped)["data"] == record


def test_each_sink_has_an_outlet_with_what_is_before_it(installed: Registry) -> None:
    made = assembly(
        installed,
        {
            "again": {"type": "stdout", "patterns": ["p"], "repeat": {"every": "1m", "until": "seen"}},
            "masked": {"type": "stdout", "through": [{"type": "mask", "fields": ["user"]}]},
            "late": {"type": "stdout", "of": "late"},
        },
    )
    again, masked, late = made.sinks.delivery().outlets
    assert (again.name, masked.name, late.name, type(late)) == ("again", "masked", "late", Outlet)
    assert isinstance(again.repeating, Repeating)
    assert (masked.repeating, late.repeating) == (None, None)
    assert made.sinks.through(made._config.sinks[0]) is None
    assert made.sinks.through(made._config.sinks[1]) is not None
