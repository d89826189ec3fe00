"""The sink publishes a message for each record; sinks of one connector have one connection."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from limecep.clock import ManualClock
from limecep.contracts.codec import Plain
from limecep.contracts.context import Context
from limecep.testing.bench import SilentLogger
from limecep_mqtt import sink
from limecep_mqtt.config import MqttSinkOptions, MqttSinkSettings
from limecep_mqtt.sink import MqttSink

RECORD = {"op": "emit", "pattern": "p", "key": {"room": "a/b"}}


class Publisher:
    """Writes down what it is asked to do."""

    def __init__(self, options: Any, context: Context) -> None:
        self.last = False
        self.done: list[Any] = []
        made.append(self)

    def open(self, sink: Any) -> None:
        self.done.append("open")

    def publish(self, topic: str, value: bytes, content_type: str, *, retain: bool) -> None:
        self.done.append((topic, value, content_type, retain))

    def flush(self) -> None:
        self.done.append("flush")

    def close(self, sink: Any) -> bool:
        return self.last


made: list[Publisher] = []


@pytest.fixture
def context(monkeypatch: pytest.MonkeyPatch) -> Context:
    made.clear()
    monkeypatch.setattr(sink, "Publisher", Publisher)
    return Context(
        label="sinks.out", clock=ManualClock(), counters=Counter(), logger=SilentLogger(), encoder=Plain()
    )


def mqtt(context: Context, *, retain: bool = False) -> MqttSink:
    settings, options = MqttSinkSettings(retain=retain), MqttSinkOptions(url="mqtt://h")
    return MqttSink("x/{pattern}/{key.room}", settings, options, context)


@pytest.mark.parametrize("retain", [False, True])
def test_records_are_published_to_the_topic_that_they_name(retain: bool, context: Context) -> None:
    made_sink = mqtt(context, retain=retain)
    made_sink.open()
    made_sink.send([RECORD])
    made_sink.flush()
    value = Plain().encode(RECORD)
    assert made[0].done == ["open", ("x/p/a%2Fb", value, "application/json", retain), "flush"]
    assert not made_sink.counts_only


def test_sinks_of_one_connector_have_one_connection_until_the_last_is_closed(context: Context) -> None:
    first, second = mqtt(context), mqtt(context)
    [publisher] = made
    first.close()
    assert context.shared == {"mqtt-out": publisher}
    publisher.last = True
    second.close()
    assert context.shared == {}
    mqtt(context)
    # Who is closed twice does not take the connection of those that came since.
    second.close()
    assert context.shared == {"mqtt-out": made[-1]}
