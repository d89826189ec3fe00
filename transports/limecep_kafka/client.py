"""The client library: its settings, what it logs, and what is known of the connection."""

from __future__ import annotations

import logging
from concurrent.futures import Future
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

from confluent_kafka import KafkaError, KafkaException

from limecep.clock import Stopwatch
from limecep.errors import RunFailure
from limecep_kafka.refusals import AT_FIRST, FOR_GOOD, Claims

if TYPE_CHECKING:
    from collections.abc import Callable

    from confluent_kafka import Consumer, Producer

    from limecep.contracts.context import Context
    from limecep_kafka.config import BrokerOptions

T = TypeVar("T")

#: How long it may be in doubt whether any broker is there, and how long one may take to show it, in seconds.
DOUBT_SECONDS = 1.0
PROBE_SECONDS = 0.4
#: How a consumer reads on, where the user says nothing else. The library looks once a second whether what it
#: holds ready has become less than it wants, 100,000 messages; they may last for half of that.
READING: dict[str, Any] = {"fetch.queue.backoff.ms": 10}


class Link:
    """What is known of the connection to the brokers. The library makes it again whenever it is lost; this
    says so, once each time, and knows what is no use trying.

    Attributes:
        client: The client, once it is made.
        claims: What the client asks of the brokers, to be named where they refuse it.
        fenced: What to say where another member has taken the place of this one.
    """

    def __init__(self, options: BrokerOptions, context: Context) -> None:
        self.brokers = options.brokers
        self.client: Consumer | Producer | None = None
        self.claims = Claims(user=str(options.client.get("sasl.username", "")))
        self.fenced = ""
        self._logger = context.logger
        self._failure = ""
        self._reason = "no connection"
        self._was_up = False
        self._down = False
        #: How long it has been in doubt whether any broker is there, since that was last looked into.
        self._doubt: Stopwatch | None = None

    def note(self, error: KafkaError, topic: str = "") -> None:
        """Takes in what the library reports, and the topic it is about where that is known."""
        code = error.code()
        if code == KafkaError._ALL_BROKERS_DOWN:
            # Where there is one broker, it says so whenever a connection is made anew.
            self._doubt = self._doubt or Stopwatch()
        elif code in FOR_GOOD or (code in AT_FIRST and not self._was_up):
            self.fail(f"the brokers {self.brokers} refuse{self.claims.refused(error, topic)}")
        elif self.fenced and "fenced" in error.str():
            self.fail(self.fenced)
        elif error.fatal() or code == KafkaError._FATAL:
            self.fail(f"the client of the brokers {self.brokers} cannot go on: {error.str()}")
        else:
            self._reason = error.str()
            self._logger.debug("client", code=error.name(), reason=self._reason)

    def up(self) -> None:
        """A broker answered."""
        self._was_up = True
        self._doubt = None
        if self._down:
            self._down = False
            self._logger.info("the brokers are there again", brokers=self.brokers)

    def fail(self, why: str) -> None:
        """Nothing more can come of this; the first reason counts."""
        self._failure = self._failure or why

    def check(self) -> None:
        """Looks into what is in doubt.

        Raises:
            RunFailure: The brokers refuse for good.
        """
        if self._failure:
            raise RunFailure(self._failure)
        if self._doubt is None or self._doubt.seconds < DOUBT_SECONDS or self.client is None:
            return
        try:
            self.client.list_topics(timeout=PROBE_SECONDS)
        except KafkaException:
            self._doubt = Stopwatch()
            if not self._down:
                self._down = True
                said = "the brokers cannot be reached; trying again"
                self._logger.warning(said, brokers=self.brokers, reason=self._reason)
        else:
            self.up()


def settings(options: BrokerOptions, context: Context, link: Link) -> dict[str, Any]:
    """The settings that clients of all kinds have in common."""
    return {
        "client.id": f"limecep-{context.pipeline}",
        "error_cb": link.note,
        "logger": _logger(context),
        # Known at once is better than known in five minutes: topics that appear, partitions that are added.
        "topic.metadata.refresh.interval.ms": 30_000,
        "reconnect.backoff.max.ms": 5_000,
        **options.client,
        "bootstrap.servers": options.brokers,
    }


def interruptible(ask: Callable[[], T]) -> T:
    """What a call gives that waits for the brokers inside the library. Signals, which the library would let
    wait, too, are handled meanwhile.

    Raises:
        KafkaException: The brokers do not answer.
    """
    answer: Future[T] = Future()

    def wait() -> None:
        try:
            answer.set_result(ask())
        except Exception as error:
            answer.set_exception(error)

    Thread(target=wait, daemon=True).start()
    return answer.result()


def fetch(consumer: Consumer, limit: int, timeout: float) -> list[Any]:
    """What the consumer has: up to `limit` messages, errors among them, after at most `timeout` seconds. The
    library itself would wait for the batch to fill."""
    raws: list[Any] = consumer.consume(limit, 0)
    if not raws and (raw := consumer.poll(timeout)) is not None:
        raws = [raw, *consumer.consume(limit - 1, 0)] if limit > 1 else [raw]
    return raws


class _Forward(logging.Handler):
    """Passes on what the library logs, as details: what matters comes as an error, too."""

    def __init__(self, logger: Any) -> None:
        super().__init__()
        self._to = logger

    def emit(self, record: logging.LogRecord) -> None:
        self._to.debug("client", said=record.getMessage())


def _logger(context: Context) -> logging.Logger:
    logger = logging.Logger("limecep.kafka")
    logger.addHandler(_Forward(context.logger))
    return logger
