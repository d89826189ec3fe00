"""The source of messages of topics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep_kafka.deadletters import DeadLetters
from limecep_kafka.replay import replayed
from limecep_kafka.subscriber import Inbox, Subscriber

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from limecep.contracts.context import Context
    from limecep.contracts.source import Message
    from limecep_kafka.config import KafkaOptions, KafkaSettings


class KafkaSource:
    """The messages of a topic, or of all topics that a regular expression matches
    (`limecep.contracts.source`).

    Sources of one connector have one consumer. Positions are `topic:partition:offset`.
    """

    ended = False

    def __init__(
        self, channel: str, settings: KafkaSettings, options: KafkaOptions, context: Context
    ) -> None:
        self._inbox = Inbox(channel, context.counters)
        self._shared = context.shared
        subscriber = context.shared.get("kafka")
        if subscriber is None:
            subscriber = context.shared["kafka"] = Subscriber(options, context)
        self._subscriber: Subscriber = subscriber
        subscriber.add(self._inbox)
        self._dead = DeadLetters(settings.dead_letter, options, context) if settings.dead_letter else None

    def seek(self, positions: Sequence[str]) -> None:
        """Goes on after these positions, whatever was committed. Before `open`."""
        self._subscriber.seek(positions)

    def open(self) -> None:
        """Begins to connect, and does not wait.

        Raises:
            RunFailure: The settings of the client are wrong.
        """
        self._subscriber.open(self._inbox)

    @property
    def connected(self) -> bool:
        """Whether there are partitions to read."""
        return self._subscriber.connected

    def poll(self, limit: int, timeout: float) -> Sequence[Message]:
        """Up to `limit` messages: what is there, after at most `timeout` seconds.

        Raises:
            RunFailure: The brokers refuse for good, or partitions are in other hands.
        """
        return self._subscriber.take(self._inbox, limit, timeout)

    def reject(self, message: Message, error: str) -> None:
        """Puts a message that gave no event into the topic for such, if there is one.

        Raises:
            RunFailure: It cannot be put there.
        """
        if self._dead is not None:
            self._dead.put(message, error)

    def commit(self, positions: Sequence[str]) -> None:
        """These messages are done with: the group is told within a second, and when the source is closed.

        Raises:
            RunFailure: What was rejected cannot be put aside.
        """
        if self._dead is not None:
            self._dead.flush()
        self._subscriber.commit(self._inbox, positions)

    def close(self) -> None:
        """Tells the group what is done with, and leaves with the last source of the connector."""
        try:
            if self._dead is not None:
                self._dead.close()
        finally:
            if self._subscriber.close(self._inbox) and self._shared.get("kafka") is self._subscriber:
                del self._shared["kafka"]

    def replay(self, t_from: int, t_to: int) -> Iterable[Message] | None:
        """The messages that this run has dealt out (or a run before it, whose state it goes on from), once
        more, in the order of their time stamps: from those stamped shortly before `t_from` on, whatever is
        behind them, for events come late. None where the topics do not go back so far any more. Of an empty
        range, nothing.

        Raises:
            RunFailure: The brokers do not answer.
        """
        return replayed(self._subscriber, self._inbox, t_from) if t_from <= t_to else ()
