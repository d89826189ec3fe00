"""Messages that gave no event are put aside as they came, with what is wrong and where they stood."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.contracts.source import Message
from limecep.testing.bench import SilentLogger
from limecep_kafka import deadletters
from limecep_kafka.config import KafkaOptions
from limecep_kafka.deadletters import DeadLetters

MESSAGE = Message(b"{", "t", "t:0:7", 5, b"k", (("a", b"1"),), None)


class Publisher:
    """Writes down what it is asked to do."""

    def __init__(self, options: Any, context: Context) -> None:
        self.options = options
        self.done: list[Any] = []
        made.append(self)

    def open(self) -> None:
        self.done.append("open")

    def publish(self, topic: str, value: bytes, key: bytes, headers: list[tuple[str, bytes]]) -> None:
        self.done.append((topic, value, key, headers))

    def flush(self) -> None:
        self.done.append("flush")

    def close(self) -> None:
        self.done.append("close")


made: list[Publisher] = []


@pytest.fixture
def context(monkeypatch: pytest.MonkeyPatch) -> Context:
    made.clear()
    monkeypatch.setattr(deadletters, "Publisher", Publisher)
    return Context(
        label="sources.gas",
        clock=ManualClock(),
        counters=Counter(),
        logger=SilentLogger(),
        pipeline="kitchen",
    )


def test_a_message_goes_as_it_came_with_what_is_wrong_in_headers(context: Context) -> None:
    letters = DeadLetters("bad", KafkaOptions(brokers="h:1", client={"acks": 1}), context)
    letters.put(MESSAGE, "no JSON")
    letters.put(MESSAGE, "no JSON")
    letters.flush()
    letters.close()
    headers = [
        ("a", b"1"),
        ("limecep.error", b"no JSON"),
        ("limecep.position", b"t:0:7"),
        ("limecep.pipeline", b"kitchen"),
        ("limecep.source", b"gas"),
    ]
    [publisher] = made
    sent = ("bad", b"{", b"k", headers)
    assert publisher.done == ["open", sent, sent, "flush", "close"]
    assert (publisher.options.brokers, publisher.options.client) == ("h:1", {"acks": 1})
    assert context.counters == {"dead_letters": 2}


def test_without_such_messages_nothing_is_connected(context: Context) -> None:
    letters = DeadLetters("bad", KafkaOptions(brokers="h:1"), context)
    letters.flush()
    letters.close()
    assert made == []
