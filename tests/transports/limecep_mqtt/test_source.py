"""The source: sources of one connector share a connection, and acknowledge what they took."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.contracts.source import Message
from limecep.testing.bench import SilentLogger
from limecep_mqtt import source
from limecep_mqtt.config import MqttOptions
from limecep_mqtt.source import MqttSource
from limecep_mqtt.subscriber import Receipt


class Subscriber:
    """Writes down what it is asked to do."""

    def __init__(self, options: Any, context: Context) -> None:
        self.up = True
        self.link = self
        self.last = False
        self.done: list[Any] = []
        self.there: list[tuple[Message, Receipt | None]] = []
        made.append(self)

    def take(self, inbox: Any, limit: int, timeout: float) -> Any:
        self.done.append(("take", inbox.filter, limit, timeout))
        return self.there

    def close(self, inbox: Any) -> bool:
        return self.last

    def __getattr__(self, name: str) -> Any:
        return lambda given: self.done.append((name, getattr(given, "filter", given)))


made: list[Any] = []


@pytest.fixture
def context(monkeypatch: pytest.MonkeyPatch) -> Context:
    made.clear()
    monkeypatch.setattr(source, "Subscriber", Subscriber)
    return Context(label="sources.s", clock=ManualClock(), counters=Counter(), logger=SilentLogger())


def mqtt(context: Context, channel: str = "t") -> Any:
    return MqttSource(channel, None, MqttOptions(url="mqtt://h"), context)


def message(position: str) -> Message:
    return Message(b"", "t", position, 1, None, (), None)


def test_sources_of_one_connector_have_one_connection_until_the_last_is_closed(context: Context) -> None:
    first, second = mqtt(context), mqtt(context, "u")
    [subscriber] = made
    first.open()
    assert subscriber.done == [("add", "t"), ("add", "u"), ("open", "t")]
    first.close()
    assert context.shared == {"mqtt": subscriber}
    subscriber.last = True
    second.close()
    assert context.shared == {}
    mqtt(context)
    # Who is closed twice does not take the connection of those that came since.
    second.close()
    assert context.shared == {"mqtt": made[-1]}


def test_what_was_taken_is_acknowledged_once(context: Context) -> None:
    made_source = mqtt(context)
    [subscriber] = made
    one, two = Receipt(1, 1), Receipt(2, 1)
    subscriber.there = [(message("t:1"), one), (message("t:2"), None), (message("t:3"), two)]
    assert [m.position for m in made_source.poll(5, 0.5)] == ["t:1", "t:2", "t:3"]
    assert subscriber.done[-1] == ("take", "t", 5, 0.5)
    made_source.commit(["t:2"])
    made_source.commit(["t:1", "t:2", "t:3", "t:4"])
    made_source.commit(["t:1"])
    assert subscriber.done[2:] == [("settle", [one, two])]


def test_it_is_connected_while_its_subscription_is_acknowledged(context: Context) -> None:
    made_source = mqtt(context)
    assert not made_source.connected
    made_source._inbox.connected = True
    assert made_source.connected
    made[0].up = False
    assert not made_source.connected
    assert not made_source.ended


def test_nothing_is_read_again(context: Context) -> None:
    assert mqtt(context).replay(1, 2) is None
