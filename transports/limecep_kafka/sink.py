"""The sink that publishes to topics."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from limecep_kafka.publisher import Publisher
from limecep_kafka.records import Outgoings
from limecep_kafka.transactions import TransactionalPublisher

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.context import Context
    from limecep.output.record import Record
    from limecep_kafka.config import KafkaSinkOptions, KafkaSinkSettings


class KafkaSink:
    """Publishes a JSON object for each record (`limecep.contracts.sink`). The channel is a topic, or a
    template of topics."""

    counts_only: ClassVar[bool] = False

    def __init__(
        self, channel: str, settings: KafkaSinkSettings, options: KafkaSinkOptions, context: Context
    ) -> None:
        self._outgoing = Outgoings(channel, settings, context.encoder).of
        self._publisher: Publisher = Publisher(options, context)
        if settings.transactional:
            self._publisher = transactional = TransactionalPublisher(options, context)
            self.begin = transactional.begin

    def open(self) -> None:
        """Begins to connect, and does not wait.

        Raises:
            RunFailure: The settings of the client are wrong.
        """
        self._publisher.open()

    def send(self, records: Sequence[Record]) -> None:
        """Sends records off; waits while too many are under way.

        Raises:
            RunFailure: They cannot be sent, or others before them were not accepted.
        """
        publish, outgoing = self._publisher.publish, self._outgoing
        for record in records:
            message = outgoing(record)
            if message is not None:
                publish(*message)

    def flush(self) -> None:
        """Returns when the brokers have accepted everything.

        Raises:
            RunFailure: They have not, and will not.
        """
        self._publisher.flush()

    def close(self) -> None:
        """Flushes, and lets go.

        Raises:
            RunFailure: Not everything was accepted.
        """
        self._publisher.close()
