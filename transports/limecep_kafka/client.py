"""The client library: its settings, what it logs, and what is known of the connection."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from confluent_kafka import KafkaError

from limecep.errors import RunFailure

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep_kafka.config import BrokerOptions

#: Refusals that waiting does not change.
_FOR_GOOD = {
    KafkaError.CLUSTER_AUTHORIZATION_FAILED,
    KafkaError.GROUP_AUTHORIZATION_FAILED,
    KafkaError.INCONSISTENT_GROUP_PROTOCOL,
    KafkaError.INVALID_GROUP_ID,
    KafkaError.SASL_AUTHENTICATION_FAILED,
    KafkaError.TOPIC_AUTHORIZATION_FAILED,
    KafkaError.UNSUPPORTED_SASL_MECHANISM,
}
#: Those that may pass, but not where nobody was ever let in.
_AT_FIRST = {KafkaError._AUTHENTICATION, KafkaError._SSL}


class Link:
    """What is known of the connection to the brokers. The library makes it again whenever it is lost; this
    says so, once each time, and knows what is no use trying."""

    def __init__(self, options: BrokerOptions, context: Context) -> None:
        self.brokers = options.brokers
        self._logger = context.logger
        self._failure = ""
        self._reason = ""
        self._was_up = False
        self._down = False

    def note(self, error: KafkaError) -> None:
        """Takes in what the library reports."""
        code = error.code()
        if code == KafkaError._ALL_BROKERS_DOWN:
            if not self._down:
                self._down = True
                self._logger.warning(
                    "the brokers cannot be reached; trying again", brokers=self.brokers, reason=self._reason
                )
        elif code in _FOR_GOOD or (code in _AT_FIRST and not self._was_up):
            self.fail(f"the brokers {self.brokers} refuse: {error.str()}")
        elif error.fatal() or code == KafkaError._FATAL:
            self.fail(f"the client of the brokers {self.brokers} cannot go on: {error.str()}")
        else:
            self._reason = error.str()
            self._logger.debug("client", code=error.name(), reason=self._reason)

    def up(self) -> None:
        """A broker answered."""
        self._was_up = True
        if self._down:
            self._down = False
            self._logger.info("the brokers are there again", brokers=self.brokers)

    def fail(self, why: str) -> None:
        """Nothing more can come of this; the first reason counts."""
        self._failure = self._failure or why

    def check(self) -> None:
        """Raises:
        RunFailure: The brokers refuse for good.
        """
        if self._failure:
            raise RunFailure(self._failure)


def settings(options: BrokerOptions, context: Context, link: Link, **own: Any) -> dict[str, Any]:
    """The settings of a client; in the names of `own`, `_` stands for a dot."""
    return {
        "client.id": f"limecep-{context.pipeline}",
        "error_cb": link.note,
        "logger": _logger(context),
        # Known at once is better than known in five minutes: topics that appear, partitions that are added.
        "topic.metadata.refresh.interval.ms": 30_000,
        "reconnect.backoff.max.ms": 5_000,
        **options.client,
        "bootstrap.servers": options.brokers,
        **{key.replace("_", "."): value for key, value in own.items()},
    }


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
