"""The source: sources of one connector share a consumer, and put aside what gave no event."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.contracts.source import Message
from limecep.testing.bench import SilentLogger
from limecep_kafka import source
from limecep_kafka.config import KafkaOptions, KafkaSettings
from limecep_kafka.source import KafkaSource

MESSAGE = Message(b"{", "t", "t:0:7", 5, None, (), None)


class Helper:
    """A subscriber, or what puts messages aside: writes down what it is asked to do."""

    connected = True

    def __init__(self, *made_of: Any) -> None:
        self.last = False
        made.append(self)

    def add(self, inbox: Any) -> None:
        done.append(f"add {inbox.channel}")

    def close(self, inbox: Any = None) -> bool:
        done.append("close" if inbox is None else f"leave {inbox.channel}")
        return self.last

    def __getattr__(self, name: str) -> Any:
        return lambda *given: done.append((name, *(getattr(g, "channel", g) for g in given)))


made: list[Helper] = []
done: list[Any] = []


@pytest.fixture
def context(monkeypatch: pytest.MonkeyPatch) -> Context:
    made.clear()
    done.clear()
    monkeypatch.setattr(source, "Subscriber", Helper)
    monkeypatch.setattr(source, "DeadLetters", Helper)
    return Context(label="sources.s", clock=ManualClock(), counters=Counter(), logger=SilentLogger())


def kafka(context: Context, channel: str = "t", dead_letter: str = "") -> Any:
    return KafkaSource(channel, KafkaSettings(dead_letter=dead_letter), KafkaOptions(brokers="h:1"), context)


def test_sources_of_one_connector_have_one_consumer_until_the_last_is_closed(context: Context) -> None:
    first, second = kafka(context), kafka(context, "u")
    [subscriber] = made
    assert context.shared == {"kafka": subscriber}
    assert done == ["add t", "add u"]
    first.close()
    assert context.shared == {"kafka": subscriber}
    subscriber.last = True
    second.close()
    assert context.shared == {}
    # Who is closed twice does not take the consumer of those that came since.
    third = kafka(context)
    second.close()
    assert context.shared == {"kafka": made[-1]}
    third.open()
    assert done[-1] == ("open", third._inbox.channel)


def test_what_it_is_asked_the_consumer_is_asked_for_it(context: Context) -> None:
    made_source = kafka(context)
    made_source.seek(["t:0:4"])
    made_source.open()
    made_source.poll(5, 0.5)
    made_source.reject(MESSAGE, "no")
    made_source.commit(["t:0:5"])
    assert done[1:] == [("seek", ["t:0:4"]), ("open", "t"), ("take", "t", 5, 0.5), ("commit", "t", ["t:0:5"])]
    assert (made_source.connected, made_source.ended) == (True, False)


def test_what_gave_no_event_is_put_aside_before_it_is_committed(context: Context) -> None:
    made_source = kafka(context, dead_letter="bad")
    made_source.reject(MESSAGE, "no")
    made_source.commit(["t:0:7"])
    made_source.close()
    assert done[1:] == [
        ("put", "t", "no"),
        ("flush",),
        ("commit", "t", ["t:0:7"]),
        "close",
        "leave t",
    ]


def test_of_an_empty_range_nothing_is_read_again(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "replayed", lambda subscriber, inbox, t_from: [(inbox.channel, t_from)])
    made_source = kafka(context)
    assert made_source.replay(5, 5) == [("t", 5)]
    assert made_source.replay(6, 5) == ()
