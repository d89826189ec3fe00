"""The sink that publishes at a broker."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from limecep.output.template import Template
from limecep_mqtt.publisher import Publisher
from limecep_mqtt.topics import escaped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.context import Context
    from limecep.output.record import Record
    from limecep_mqtt.config import MqttSinkOptions, MqttSinkSettings


class MqttSink:
    """Publishes a message for each record, with QoS 1 (`limecep.contracts.sink`). The channel is a topic, or
    a template of topics. Sinks of one connector have one connection."""

    counts_only: ClassVar[bool] = False

    def __init__(
        self, channel: str, settings: MqttSinkSettings, options: MqttSinkOptions, context: Context
    ) -> None:
        self._topic = Template(channel, escaped, "/").channel
        self._encode = context.encoder.encode
        self._content_type = context.encoder.content_type
        self._retain = settings.retain
        self._shared = context.shared
        publisher = context.shared.get("mqtt-out")
        if publisher is None:
            publisher = context.shared["mqtt-out"] = Publisher(options, context)
        self._publisher: Publisher = publisher

    def open(self) -> None:
        """Connects. Where the first try fails, it goes on trying.

        Raises:
            RunFailure: The broker refuses, or cannot be reached and is not to be waited for.
        """
        self._publisher.open(self)

    def send(self, records: Sequence[Record]) -> None:
        """Publishes the records. Waits while too many are not acknowledged.

        Raises:
            RunFailure: The broker refuses, or cannot be reached and is not to be waited for.
        """
        topic, encode, publish = self._topic, self._encode, self._publisher.publish
        for record in records:
            publish(topic(record), encode(record), self._content_type, retain=self._retain)

    def flush(self) -> None:
        """Returns when the broker has acknowledged everything.

        Raises:
            RunFailure: The broker refuses, or cannot be reached and is not to be waited for.
        """
        self._publisher.flush()

    def close(self) -> None:
        """Flushes, and ends the connection with the last sink that has it.

        Raises:
            RunFailure: Not everything was acknowledged.
        """
        if self._publisher.close(self) and self._shared.get("mqtt-out") is self._publisher:
            del self._shared["mqtt-out"]
