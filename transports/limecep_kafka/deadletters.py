"""Messages that gave no event, put aside in a topic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep_kafka.config import KafkaSinkOptions
from limecep_kafka.publisher import Publisher

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.contracts.source import Message
    from limecep_kafka.config import KafkaOptions


class DeadLetters:
    """A topic for them. They come as they were, with what is wrong and where they stood in headers."""

    def __init__(self, topic: str, options: KafkaOptions, context: Context) -> None:
        self._topic = topic
        self._options = KafkaSinkOptions(brokers=options.brokers, client=options.client)
        self._context = context
        self._publisher: Publisher | None = None

    def put(self, message: Message, error: str) -> None:
        """Puts a message there.

        Raises:
            RunFailure: It cannot be put there.
        """
        if self._publisher is None:
            # Most runs need none.
            self._publisher = Publisher(self._options, self._context)
            self._publisher.open()
        headers = [
            *message.headers,
            ("limecep.error", error.encode()),
            ("limecep.position", message.position.encode()),
            ("limecep.pipeline", self._context.pipeline.encode()),
            ("limecep.source", self._context.label.removeprefix("sources.").encode()),
        ]
        self._publisher.publish(self._topic, message.value, message.key, headers)
        self._context.counters["dead_letters"] += 1

    def flush(self) -> None:
        """Returns when all of them are there.

        Raises:
            RunFailure: They cannot be put there.
        """
        if self._publisher is not None:
            self._publisher.flush()

    def close(self) -> None:
        """Flushes, and lets go."""
        if self._publisher is not None:
            self._publisher.close()
