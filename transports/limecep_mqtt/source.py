"""The source of messages at a broker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep_mqtt.subscriber import Inbox, Receipt, Subscriber

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.context import Context
    from limecep.contracts.source import Message
    from limecep_mqtt.config import MqttOptions


class MqttSource:
    """The messages of a topic filter (`limecep.contracts.source`).

    Sources of one connector have one connection. Positions are `topic:number`, the numbers counting what the
    connection has brought since the start; a broker has no log that they would be places in.
    """

    ended = False

    def __init__(self, channel: str, settings: Any, options: MqttOptions, context: Context) -> None:
        self._inbox = Inbox(channel, context)
        self._shared = context.shared
        subscriber = context.shared.get("mqtt")
        if subscriber is None:
            subscriber = context.shared["mqtt"] = Subscriber(options, context)
        self._subscriber: Subscriber = subscriber
        subscriber.add(self._inbox)
        self._taken: dict[str, Receipt] = {}

    def open(self) -> None:
        """Begins to connect, and does not wait.

        Raises:
            RunFailure: The certificates cannot be used.
        """
        self._subscriber.open(self._inbox)

    @property
    def connected(self) -> bool:
        """Whether the broker has acknowledged the subscription."""
        return self._subscriber.link.up and self._inbox.connected

    @property
    def pressed(self) -> bool:
        """Whether the broker will soon send nothing more before something is acknowledged."""
        return self._subscriber.pressed

    def poll(self, limit: int, timeout: float) -> Sequence[Message]:
        """Up to `limit` messages: what is there, after at most `timeout` seconds.

        Raises:
            RunFailure: The broker refuses for good, or cannot be reached and is not to be waited for.
        """
        messages = []
        for message, receipt in self._subscriber.take(self._inbox, limit, timeout):
            messages.append(message)
            if receipt is not None:
                self._taken[message.position] = receipt
        return messages

    def commit(self, positions: Sequence[str]) -> None:
        """Acknowledges these messages; not those of a connection that was lost since, which come again."""
        receipts = [r for p in positions if (r := self._taken.pop(p, None)) is not None]
        if receipts:
            self._subscriber.settle(receipts)

    def close(self) -> None:
        """Ends the connection with the last source that has it."""
        if self._subscriber.close(self._inbox) and self._shared.get("mqtt") is self._subscriber:
            del self._shared["mqtt"]

    def replay(self, t_from: int, t_to: int) -> None:
        """None: a broker keeps no log."""
