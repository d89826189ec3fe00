"""What all sinks of a connector publish, over one connection."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from limecep_mqtt.link import Link, words

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep_mqtt.config import MqttSinkOptions

#: How often it is looked whether the run has to end, in seconds.
GLANCE_SECONDS = 0.1


class Publisher:
    """Publishes with QoS 1, and knows what the broker has acknowledged.

    What is not acknowledged when the connection is lost is published again on the next one.

    Args:
        options: The connector's options.
        context: Of the first of its sinks.
    """

    def __init__(self, options: MqttSinkOptions, context: Context) -> None:
        name = f"{options.client_id}-out" if options.client_id else ""
        self.link = Link(options, name, context, self)
        client = self.link.client
        client.on_publish = self._on_publish
        if options.status:
            client.will_set(options.status, "offline", qos=1, retain=True)
        self._five = options.version == 5
        self._status = options.status
        self._window = options.window
        self._stopping = context.stopping
        self._raise_if_stopped = context.raise_if_stopped
        self._changed = self.link.changed
        self._open: set[int] = set()
        #: Where those go that are not acknowledged: brokers do it in the order in which they came.
        self._under_way: deque[str] = deque()

    def open(self, sink: object) -> None:
        """Connects for a sink. Where the first try fails, it goes on trying, and this returns.

        Raises:
            RunFailure: The broker refuses, or cannot be reached and is not to be waited for.
        """
        self._open.add(id(sink))
        self.link.start()
        with self._changed:
            while not (self.link.up or self.link.failure or self.link.tries or self._stopping()):
                self._changed.wait(GLANCE_SECONDS)
        self.link.check()

    def publish(self, topic: str, payload: bytes, content_type: str, *, retain: bool) -> None:
        """Publishes a message, when not too many others are under way. MQTT 3.1.1 has no content types.

        Raises:
            RunFailure: The broker refuses, or cannot be reached and is not to be waited for.
        """
        self._wait(self._window - 1)
        self._send(topic, payload, content_type, retain=retain)
        self.link.wake()

    def flush(self) -> None:
        """Returns when the broker has acknowledged everything.

        Raises:
            RunFailure: The broker refuses, or cannot be reached and is not to be waited for.
        """
        self._wait(0)

    def close(self, sink: object) -> bool:
        """A sink is closed; with the last one the connection ends. Says whether it was the last one.

        Raises:
            RunFailure: Not everything was acknowledged.
        """
        if id(sink) not in self._open:
            return False
        self._open.discard(id(sink))
        try:
            if not self.link.failure:
                self.flush()
        finally:
            if not self._open:
                self._leave()
        return not self._open

    def _leave(self) -> None:
        if self._status and self.link.up:
            self._send(self._status, b"offline", "text/plain", retain=True)
        self.link.close()

    def _send(self, topic: str, payload: bytes, content_type: str, *, retain: bool) -> None:
        properties = None
        if self._five:
            properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
            properties.ContentType = content_type
        with self._changed:
            self._under_way.append(topic)
        # Not inside: the client calls back with its own lock held.
        self.link.client.publish(topic, payload, qos=1, retain=retain, properties=properties)

    def _wait(self, most: int) -> None:
        """Returns when at most so many messages are not acknowledged."""
        with self._changed:
            while (left := len(self._under_way)) > most:
                self.link.check()
                self._raise_if_stopped(f"the broker {self.link.address} did not take the last {left} records")
                self._changed.wait(GLANCE_SECONDS)
            self.link.check()

    # -- called in the link's thread -----------------------------------------------------------------------

    def connected(self, resumed: bool, properties: Properties | None) -> None:
        """Keeps to what the broker can take, and says that the pipeline is there."""
        self._window = min(self._window, getattr(properties, "ReceiveMaximum", self._window))
        if self._status:
            self._send(self._status, b"online", "text/plain", retain=True)

    def read(self) -> None:
        """Tells who waits for acknowledgements."""
        with self._changed:
            self._changed.notify_all()

    def lost(self) -> None:
        """Nothing: the client publishes again what was not acknowledged."""

    def _on_publish(self, client: Any, data: Any, number: int, code: Any, properties: Any) -> None:
        self.link.received()
        with self._changed:
            topic = self._under_way.popleft()
            if code.is_failure:
                self.link.fail(f"the broker {self.link.address} refused a record for {topic}: {words(code)}")
