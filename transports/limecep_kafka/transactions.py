"""A producer that publishes the records of a batch in one transaction, and knows which it published last."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from confluent_kafka import (
    Consumer,
    ConsumerGroupTopicPartitions,
    KafkaError,
    KafkaException,
    TopicPartition,
)
from confluent_kafka.admin import AdminClient

from limecep.clock import Stopwatch, pause
from limecep.errors import RunFailure
from limecep_kafka.client import settings
from limecep_kafka.publisher import TICK_SECONDS, Publisher
from limecep_kafka.refusals import FOR_GOOD

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.contracts.context import Context
    from limecep_kafka.config import KafkaSinkOptions

#: How long a transaction may take, in milliseconds: brokers allow no more.
LONGEST_MS = 900_000
#: How long one try at a step of a transaction may take, in seconds.
STEP_SECONDS = 1.0


_FENCED = (KafkaError._FENCED, KafkaError.PRODUCER_FENCED, KafkaError.INVALID_PRODUCER_EPOCH)


class TransactionalPublisher(Publisher):
    """As `Publisher`, but who reads what is committed sees all that is published up to a `flush` at once, or
    none of it.

    What the last batch is called is kept where consumers keep how far they have read: as the metadata of an
    offset that is committed in the same transaction, to a group of this sink's own.

    Args:
        options: The connector's options.
        context: Of the sink.
    """

    def __init__(self, options: KafkaSinkOptions, context: Context) -> None:
        super().__init__(options, context)
        # Another run of the pipeline with this name shuts the first one out.
        self._name = f"{context.pipeline}.{context.label}"
        claims = self._link.claims
        claims.group = claims.transactional_id = self._name
        self._batch = ""
        self._first = True
        self._ready = False
        #: The topics of the transaction that has begun, in the order in which they came.
        self._topics: dict[str, None] = {}
        self._consumer: Consumer | None = None

    def own_settings(self) -> dict[str, Any]:
        timeout = LONGEST_MS if self.patience is None else min(self.patience // 1000, LONGEST_MS)
        return {
            **super().own_settings(),
            "transactional.id": self._name,
            "message.timeout.ms": timeout,
            "transaction.timeout.ms": timeout,
        }

    def begin(self, batch: str) -> bool:
        """A batch is about to be published; says whether it was not yet, which only the first one may have
        been.

        Raises:
            RunFailure: The brokers do not say.
        """
        self._batch = batch
        # Brokers let only readers of a topic commit offsets in it.
        self._link.claims.operation = "READ and WRITE"
        first, self._first = self._first, False
        if not first:
            return True
        # What a process that died had under way is ended with that, one way or the other.
        self._prepare()
        return batch not in self._committed()

    def publish(
        self,
        topic: str,
        value: bytes | None,
        key: bytes | None = None,
        headers: Sequence[tuple[str, bytes]] = (),
    ) -> None:
        if not self._topics:
            self._prepare()
            self._step(self._opened().begin_transaction)
        self._topics[topic] = None
        super().publish(topic, value, key, headers)

    def flush(self) -> None:
        """Returns when the transaction is committed.

        Raises:
            RunFailure: It is not, and will not be.
        """
        if not self._topics:
            return
        super().flush()
        producer = self._opened()
        if self._batch:
            place = TopicPartition(next(iter(self._topics)), 0, 0, self._batch)
            group = self._group().consumer_group_metadata()
            self._step(lambda: producer.send_offsets_to_transaction([place], group, STEP_SECONDS))
        self._step(lambda: producer.commit_transaction(STEP_SECONDS))
        self._topics.clear()

    def _delivered(self, error: KafkaError | None, message: Any) -> None:
        # Records of a transaction that cannot be committed are purged; the commit says why it cannot.
        if error is None or error.code() != KafkaError._PURGE_QUEUE:
            super()._delivered(error, message)

    def close(self) -> None:
        try:
            super().close()
        finally:
            consumer, self._consumer = self._consumer, None
            if consumer is not None:
                consumer.close()

    def _prepare(self) -> None:
        if not self._ready:
            producer = self._opened()
            self._step(lambda: producer.init_transactions(STEP_SECONDS))
            self._ready = True

    def _group(self) -> Consumer:
        if self._consumer is None:
            base = settings(self._options, self._context, self._link)
            self._consumer = Consumer({**base, "group.id": self._name, "enable.auto.commit": False})
        return self._consumer

    def _committed(self) -> set[str]:
        """What the batches are called that were published last to any topic."""
        admin = AdminClient(settings(self._options, self._context, self._link))
        asked = [ConsumerGroupTopicPartitions(self._name)]
        found: set[str] = set()

        def ask() -> None:
            (answer,) = admin.list_consumer_group_offsets(asked, request_timeout=STEP_SECONDS).values()
            places = answer.result().topic_partitions or ()
            found.update(place.metadata for place in places if place.metadata)

        self._step(ask)
        return found

    def _step(self, act: Callable[[], object]) -> None:
        """Does one step of a transaction, again and again while that may help.

        Raises:
            RunFailure: It does not.
        """
        waiting = Stopwatch()
        while True:
            try:
                act()
                self._link.up()
                return
            except KafkaException as error:
                problem: KafkaError = error.args[0]
                if problem.code() in FOR_GOOD:
                    # Of several topics it does not say which.
                    self._link.note(problem, "".join(self._topics) if len(self._topics) == 1 else "")
                self._link.check()
                tried = self.patience is not None and waiting.seconds > self.patience / 1_000_000
                if problem.fatal() or problem.txn_requires_abort() or tried:
                    raise self._lost(problem) from None
                self._context.raise_if_stopped(str(self._lost(problem)))
                pause(TICK_SECONDS)

    def _lost(self, problem: KafkaError) -> RunFailure:
        why = problem.str()
        if problem.code() in _FENCED:
            why = "another run of this pipeline publishes instead"
        return RunFailure(f"a transaction with the brokers {self._link.brokers} has failed: {why}")
