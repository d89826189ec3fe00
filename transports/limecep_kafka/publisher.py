"""An idempotent producer that loses nothing without a word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from confluent_kafka import KafkaError, KafkaException, Producer

from limecep.errors import RunFailure
from limecep_kafka.client import Link, settings
from limecep_kafka.config import DELIVERY_US
from limecep_kafka.refusals import FOR_GOOD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.context import Context
    from limecep_kafka.config import KafkaSinkOptions

#: How long the library is waited for at a time, in seconds.
TICK_SECONDS = 0.1
#: The library looks for records that timed out once a second.
SCAN_SECONDS = 1.5


class Publisher:
    """Publishes records. The library tries again by itself, for as long as `delivery_timeout` says.

    Attributes:
        patience: That in microseconds; None for any time.
    """

    def __init__(self, options: KafkaSinkOptions, context: Context) -> None:
        self.patience = options.delivery_timeout
        if self.patience is None and not context.resumes:
            self.patience = DELIVERY_US
        self._link = Link(options, context)
        self._link.claims.operation = "WRITE"
        self._options = options
        self._context = context
        self._producer: Producer | None = None
        self._undelivered: dict[str, int] = {}

    def open(self) -> None:
        """Begins to connect, and does not wait.

        Raises:
            RunFailure: The settings of the client are wrong.
        """
        # What cannot be sent is not gathered without bound.
        defaults = {"queue.buffering.max.kbytes": 65_536}
        try:
            self._producer = Producer(
                {**defaults, **settings(self._options, self._context, self._link), **self.own_settings()}
            )
        except KafkaException as error:
            raise RunFailure(f"the settings of the client are wrong: {error.args[0].str()}") from None
        self._link.client = self._producer

    def own_settings(self) -> dict[str, Any]:
        """The settings that are not the user's."""
        return {
            "enable.idempotence": True,
            # The library takes 0 for any time.
            "message.timeout.ms": (self.patience or 0) // 1000,
        }

    def publish(
        self,
        topic: str,
        value: bytes | None,
        key: bytes | None = None,
        headers: Sequence[tuple[str, bytes]] = (),
    ) -> None:
        """Sends a record off; waits while too many are under way.

        Raises:
            RunFailure: It cannot be sent, or one before it was not accepted.
        """
        producer = self._opened()
        while True:
            try:
                producer.produce(topic, value, key, headers=[*headers], on_delivery=self._delivered)
            except BufferError:
                producer.poll(TICK_SECONDS)
                self._check()
            except KafkaException as error:
                # Of a fatal error it says only that there was one; what it was comes to the link.
                producer.poll(0)
                self._link.check()
                raise self._refused(topic, error.args[0]) from None
            else:
                producer.poll(0)
                return

    def flush(self) -> None:
        """Returns when the brokers have accepted everything.

        Raises:
            RunFailure: They have not, and will not.
        """
        if self._producer is None:
            return
        while self._producer.flush(TICK_SECONDS):
            if self._undelivered:
                # Records sent together time out together: report all of them.
                self._producer.flush(SCAN_SECONDS)
            self._check()
        self._check()

    def close(self) -> None:
        """Flushes, and lets go. May be called twice, and without `open`.

        Raises:
            RunFailure: Not everything was accepted.
        """
        try:
            self.flush()
        finally:
            self._producer = self._link.client = None

    def _opened(self) -> Producer:
        if self._producer is None:
            raise RunFailure(f"nothing can be sent to the brokers {self._link.brokers}: it is not open")
        return self._producer

    def _delivered(self, error: KafkaError | None, message: Any) -> None:
        if error is None:
            self._link.up()
        elif error.code() in FOR_GOOD:
            self._link.note(error, message.topic())
        else:
            said = f"{message.topic()}: {error.str()}{_hint(error)}"
            self._undelivered[said] = self._undelivered.get(said, 0) + 1

    def _check(self) -> None:
        self._link.check()
        if self._undelivered:
            said = "; ".join(f"{count} to {why}" for why, count in self._undelivered.items())
            raise RunFailure(f"records were not accepted by the brokers {self._link.brokers}: {said}")
        waiting = 0 if self._producer is None else len(self._producer)
        if waiting:
            self._context.raise_if_stopped(
                f"{waiting} records are still on their way to the brokers {self._link.brokers}"
            )

    def _refused(self, topic: str, error: KafkaError) -> RunFailure:
        return RunFailure(f"a record for {topic} cannot be sent: {error.str()}{_hint(error)}")


def _hint(error: KafkaError) -> str:
    """What can be done, to be put behind what is said."""
    if error.code() != KafkaError.MSG_SIZE_TOO_LARGE:
        return ""
    return (
        ". Make records smaller (events: ids), or let client, topic and brokers take larger ones "
        "(message.max.bytes); one that is in the state already stays as it is: it can also go to a file, "
        "if the sink is one for a run"
    )
