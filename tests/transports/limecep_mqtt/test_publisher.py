"""The publisher knows what is acknowledged. What a broker answers is told as the client tells it."""

from __future__ import annotations

import threading
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.errors import RunFailure, Stopped
from limecep.testing.bench import SilentLogger
from limecep_mqtt import publisher
from limecep_mqtt.config import MqttSinkOptions
from limecep_mqtt.publisher import Publisher

FINE, BAD = (
    SimpleNamespace(is_failure=False),
    SimpleNamespace(is_failure=True, value=0x97, getName=lambda: "Quota exceeded"),
)


class Wire:
    """A publisher whose client writes down what it is given to publish."""

    def __init__(self, stop: bool = True, **options: Any) -> None:
        def stopped(left: str = "") -> None:
            if stop:
                raise Stopped(left)

        self.published: list[tuple[str, bytes, Any]] = []
        context = Context(
            label="sinks.out",
            clock=ManualClock(),
            counters=Counter(),
            logger=SilentLogger(),
            raise_if_stopped=stopped,
            stopping=lambda: stop,
        )
        self.publisher = Publisher(MqttSinkOptions(url="mqtt://h", **options), context)
        self.client: Any = self.publisher.link.client
        self.client.publish = self._publish
        self.closed = 0
        self.woken: list[int] = []
        self.publisher.link.wake = lambda: self.woken.append(len(self.published))  # type: ignore[method-assign]
        self.publisher.link.close = self._close  # type: ignore[method-assign]
        self.publisher.link.start = lambda: None  # type: ignore[method-assign]

    def _publish(self, topic: str, payload: bytes, *, qos: int, retain: bool, properties: Any) -> None:
        assert qos == 1
        kind = None if properties is None else properties.ContentType
        self.published.append((topic, payload, (retain, kind)))

    def _close(self) -> None:
        self.closed += 1

    def publish(self, payload: bytes = b"1") -> None:
        self.publisher.publish("t", payload, "text/plain", retain=False)

    def answer(self, code: Any = FINE) -> None:
        self.client.on_publish(None, None, 1, code, None)


@pytest.mark.parametrize(("version", "kind"), [(5, "text/plain"), ("3.1.1", None)])
def test_a_message_has_its_content_type_where_the_version_knows_any(version: Any, kind: Any) -> None:
    wire = Wire(version=version)
    wire.publish()
    assert wire.published == [("t", b"1", (False, kind))]
    # It is to be written at once.
    assert wire.woken == [1]


def test_as_many_messages_may_be_under_way_as_the_window_says() -> None:
    wire = Wire(window=2)
    wire.publish()
    wire.publish()
    with pytest.raises(Stopped, match="the broker h:1883 did not take the last 2 records"):
        wire.publish()
    wire.answer()
    wire.publish()
    assert len(wire.published) == 3


def test_the_broker_may_take_fewer_but_not_more() -> None:
    wire = Wire(window=2)
    wire.publisher.connected(False, None)
    wire.publisher.connected(False, SimpleNamespace(ReceiveMaximum=5))  # type: ignore[arg-type]
    wire.publish()
    wire.publish()
    wire.answer()
    wire.answer()
    wire.publisher.connected(False, SimpleNamespace(ReceiveMaximum=1))  # type: ignore[arg-type]
    wire.publish()
    with pytest.raises(Stopped, match="the last 1 records"):
        wire.publish()
    assert len(wire.published) == 3


def test_a_flush_waits_for_every_acknowledgement() -> None:
    wire = Wire(stop=False)
    wire.publish()
    wire.publish()
    wire.answer()
    done = threading.Event()
    waiter = threading.Thread(target=lambda: (wire.publisher.flush(), done.set()), daemon=True)
    waiter.start()
    assert not done.wait(0.15)
    wire.answer()
    wire.publisher.read()
    assert done.wait(5)
    waiter.join()


def test_every_acknowledgement_says_that_there_may_be_more_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[int] = []
    monkeypatch.setattr(publisher.Link, "received", lambda link: heard.append(1))
    wire = Wire()
    wire.publish()
    wire.answer()
    assert len(heard) == 1


def test_a_record_that_is_refused_ends_the_run() -> None:
    wire = Wire()
    for _ in range(3):
        wire.publish()
    wire.answer(BAD)
    # Also while others are still under way.
    for _ in range(2):
        with pytest.raises(RunFailure, match="the broker h:1883 refused a record for t: Quota exceeded"):
            wire.publisher.flush()
        wire.answer()
    with pytest.raises(RunFailure, match="refused a record"):
        wire.publish()
    with pytest.raises(RunFailure, match="refused a record"):
        wire.publisher.open(wire)


def test_the_connection_ends_with_the_last_sink_when_all_was_acknowledged() -> None:
    wire, first, second = Wire(), object(), object()
    publisher = wire.publisher
    publisher.open(first)
    publisher.open(second)
    assert publisher.close(first) is False
    assert publisher.close(first) is False
    assert wire.closed == 0
    wire.publish()
    with pytest.raises(Stopped):
        publisher.close(second)
    assert wire.closed == 1
    publisher.open(second)
    wire.answer()
    assert publisher.close(second) is True
    assert wire.closed == 2


def test_where_the_broker_has_refused_nothing_is_waited_for() -> None:
    wire = Wire()
    wire.publisher.open(wire)
    wire.publish()
    wire.answer(BAD)
    assert wire.publisher.close(wire) is True
    assert wire.closed == 1


def test_a_status_says_when_the_pipeline_is_there() -> None:
    wire = Wire(status="s")
    assert (wire.client._will_topic, wire.client._will_payload) == (b"s", b"offline")
    assert (wire.client._will_qos, wire.client._will_retain) == (1, True)
    wire.publisher.open(wire)
    wire.publisher.connected(False, None)
    wire.publisher.link.up = True
    wire.answer()
    wire.publisher.close(wire)
    assert wire.published == [
        ("s", b"online", (True, "text/plain")),
        ("s", b"offline", (True, "text/plain")),
    ]
    assert wire.closed == 1


def test_without_a_connection_or_a_status_nothing_is_said() -> None:
    for wire in (Wire(status="s"), Wire()):
        wire.publisher.link.up = not wire.publisher._status
        wire.publisher.open(wire)
        wire.publisher.close(wire)
        assert wire.published == []
    wire.publisher.connected(False, None)
    assert wire.published == []


@pytest.mark.parametrize(("client_id", "name"), [("k", b"k-out"), ("", b"")])
def test_its_name_is_not_that_of_the_sources(client_id: str, name: bytes) -> None:
    assert Wire(client_id=client_id).client._client_id == name


def test_opening_returns_when_the_first_try_has_an_end() -> None:
    for state in ("up", "tries"):
        wire = Wire(stop=False)
        setattr(wire.publisher.link, state, 1)
        wire.publisher.open(wire)
    wire = Wire(stop=False)
    opened = threading.Event()
    threading.Thread(target=lambda: (wire.publisher.open(wire), opened.set()), daemon=True).start()
    assert not opened.wait(0.15)
    wire.publisher.link.tries = 1
    assert opened.wait(5)
