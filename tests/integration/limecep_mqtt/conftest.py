"""Mosquitto for tests, and a client that stands for the devices and readers around a pipeline."""

from __future__ import annotations

import threading
from collections import defaultdict
from contextlib import ExitStack
from itertools import count
from typing import TYPE_CHECKING, Any

import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from limecep.clock import Stopwatch
from limecep.testing.mosquitto import MosquittoBroker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    Started = Callable[..., MosquittoBroker]


@pytest.fixture(scope="session")
def mosquitto(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MosquittoBroker]:
    """A broker for all tests of this process that do not harm it."""
    with MosquittoBroker(tmp_path_factory.mktemp("mosquitto")) as broker:
        yield broker


@pytest.fixture
def brokers(tmp_path: Path) -> Iterator[Started]:
    """Makes brokers of a test's own, which it may stop; they end with it."""
    folders = (tmp_path / f"mosquitto{n}" for n in count())
    with ExitStack() as stack:
        yield lambda port=None, **more: stack.enter_context(MosquittoBroker(next(folders), more, port))


class Friend:
    """A client that publishes what a test says, and collects what is published elsewhere. One with a name
    gets what was published while it could not reach the broker, too."""

    def __init__(self, port: int, name: str = "") -> None:
        self.came: dict[str, list[Any]] = defaultdict(list)
        self._changed = threading.Condition()
        self._taken = 0
        self._subscribed = threading.Event()
        self._client = client = paho.Client(
            CallbackAPIVersion.VERSION2, client_id=name, protocol=MQTTProtocolVersion.MQTTv5
        )
        client.reconnect_delay_set(1, 1)
        client.on_message = self._on_message
        client.on_publish = self._on_publish
        client.on_subscribe = lambda *_: self._subscribed.set()
        session = Properties(PacketTypes.CONNECT)
        session.SessionExpiryInterval = 3600 if name else 0
        client.connect("127.0.0.1", port, clean_start=not name, properties=session)
        client.loop_start()

    def publish(
        self,
        topic: str,
        *payloads: bytes,
        qos: int = 1,
        retain: bool = False,
        headers: Sequence[tuple[str, bytes]] = (),
        timeout: float = 30,
    ) -> None:
        """Returns when the broker has them."""
        properties = None
        if headers:
            properties = Properties(PacketTypes.PUBLISH)
            for name, value in headers:
                if name == "content-type":
                    properties.ContentType = value.decode()
                else:
                    properties.UserProperty = (name, value.decode())
        with self._changed:
            wanted = self._taken + len(payloads)
        for payload in payloads:
            self._client.publish(topic, payload, qos, retain, properties)
        watch = Stopwatch()
        with self._changed:
            while self._taken < wanted and watch.seconds < timeout:
                self._changed.wait(0.1)
            assert self._taken == wanted

    def subscribe(self, filter: str) -> None:
        """Collects what comes there from now on."""
        self._subscribed.clear()
        self._client.subscribe(filter, 1)
        assert self._subscribed.wait(10)

    def received(self, topic: str, count: int, seconds: float = 20) -> list[Any]:
        """What came at a topic; waits until there are so many."""
        watch = Stopwatch()
        with self._changed:
            while len(self.came[topic]) < count and watch.seconds < seconds:
                self._changed.wait(0.1)
            return [*self.came[topic]]

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _on_publish(self, *_: Any) -> None:
        with self._changed:
            self._taken += 1
            self._changed.notify_all()

    def _on_message(self, client: Any, data: Any, message: Any) -> None:
        with self._changed:
            self.came[message.topic].append(message)
            self._changed.notify_all()


@pytest.fixture
def friend(mosquitto: MosquittoBroker) -> Iterator[Friend]:
    """A client of the broker for all tests."""
    client = Friend(mosquitto.port)
    yield client
    client.close()


@pytest.fixture
def befriend() -> Iterator[Callable[..., Friend]]:
    """Makes clients for other brokers."""
    made: list[Friend] = []

    def make(port: int, name: str = "") -> Friend:
        made.append(Friend(port, name))
        return made[-1]

    yield make
    for client in made:
        client.close()
