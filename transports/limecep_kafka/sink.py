"""The sink that publishes to topics."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from limecep.output.template import Template
from limecep_kafka.publisher import Publisher
from limecep_kafka.transactions import TransactionalPublisher

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.context import Context
    from limecep.output.record import Record
    from limecep_kafka.config import KafkaSinkOptions, KafkaSinkSettings

#: What no topic may have in its name.
_FOREIGN = re.compile(r"[^a-zA-Z0-9._-]")


class KafkaSink:
    """Publishes a JSON object for each record (`limecep.contracts.sink`). The channel is a topic, or a
    template of topics. The key is the match, so that its records stay in order; what happened to it also
    stands in the header `op`."""

    counts_only: ClassVar[bool] = False

    def __init__(
        self, channel: str, settings: KafkaSinkSettings, options: KafkaSinkOptions, context: Context
    ) -> None:
        self._topic = Template(channel, lambda value: _FOREIGN.sub("_", value), ".").channel
        self._mode = settings.mode
        self._encode = context.encoder.encode
        self._headers = [("content-type", context.encoder.content_type.encode())]
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
        publish, encode, mode = self._publisher.publish, self._encode, self._mode
        for record in records:
            op = record.get("op")
            if op is None:
                # The late output: events that belong to no match.
                headers = [*self._headers, ("reason", record["reason"].encode())]
                publish(self._topic(record), encode(record), None, headers)
                continue
            if mode == "final" and op != "final" and not record.get("final"):
                continue
            value = None if mode == "upsert" and op == "retract" else encode(record)
            headers = [*self._headers, ("op", op.encode())]
            publish(self._topic(record), value, record["match"].encode(), headers)

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
