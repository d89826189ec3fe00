"""Figures of a pipeline come to whoever subscribes to their topic."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from limecep import Pipeline
from limecep.testing.observer import ObserverConformance
from limecep_mqtt.config import MqttObserverOptions
from limecep_mqtt.figures import MqttObserver

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.contracts.context import Context
    from limecep.testing.mosquitto import MosquittoBroker

pytestmark = pytest.mark.mqtt


class TestMqttObserver(ObserverConformance):
    @pytest.fixture(autouse=True)
    def _broker(self, mosquitto: MosquittoBroker) -> None:
        self.url = f"mqtt://127.0.0.1:{mosquitto.port}"

    def make_observer(self, context: Context) -> MqttObserver:
        return MqttObserver(MqttObserverOptions(url=self.url, topic="suite"), context)


def test_the_last_figures_of_a_run_are_those_of_its_end(
    friend: Any, mosquitto: MosquittoBroker, tmp_path: Path
) -> None:
    friend.subscribe("limecep/kitchen/#")
    lines = [{"type": kind, "id": str(n), "t": n} for n, kind in enumerate("ABABAB")]
    (tmp_path / "in.jsonl").write_text("\n".join(map(json.dumps, lines)))
    time = {"field": "t", "format": "epoch_s"}
    document = {
        "version": 1,
        "name": "kitchen",
        "sources": {"s": {"type": "file", "channel": "in.jsonl", "as": {"field": "type"}, "id": "id",
                          "time": time, "speed": 5}},
        "patterns": {"p": {"query": "PATTERN SEQ(A a, B b) WITHIN 10 s"}},
        "sinks": {"o": {"type": "none"}},
        "observers": {"figures": {"type": "mqtt", "url": f"mqtt://127.0.0.1:{mosquitto.port}",
                                  "topic": "limecep/kitchen/figures", "every": "1h"}},
    }  # fmt: skip
    with Pipeline.from_dict(document, root=tmp_path) as pipeline:
        pipeline.run()
    _, last = friend.received("limecep/kitchen/figures", 2)
    figures = json.loads(last.payload)
    assert (figures["pipeline"], figures["phase"], figures["failure"]) == ("kitchen", "ended", "")
    assert figures["event_time"] == "1970-01-01T00:00:05Z"
    assert figures["patterns"]["p"]["emitted"] > 0
    assert figures["sources"]["s"]["outcomes"]["in_order"] == 6
