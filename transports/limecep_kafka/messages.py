"""Messages of what the client library brings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from confluent_kafka import TIMESTAMP_LOG_APPEND_TIME, TIMESTAMP_NOT_AVAILABLE

from limecep.contracts.source import Message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep_kafka.topics import Partition


class Messages:
    """Makes messages of what the client library brings.

    They arrived when the broker says so, if that is what the topic's time stamps are; else just now, a
    microsecond after one another, and never before what came earlier, although the clock may be set back.

    Args:
        reached: Is told, for each partition, the offset after its last message.
    """

    def __init__(self, reached: dict[Partition, int]) -> None:
        self._reached = reached
        self._arrival = 0

    def of(self, raws: Sequence[Any], now: int) -> list[Message]:
        """The messages, in order; `now` is in microseconds."""
        messages: list[Message] = []
        add = messages.append
        arrival = max(self._arrival, now - len(raws))
        topic, number, offset, prefix = "", -1, 0, ""
        # Every call of the library's messages counts here.
        for raw in raws:
            if raw.partition() != number or raw.topic() != topic:
                if prefix:
                    self._reached[topic, number] = offset + 1
                topic, number = raw.topic(), raw.partition()
                prefix = f"{topic}:{number}:"
            offset = raw.offset()
            kind, stamp = raw.timestamp()
            headers = raw.headers()
            arrival += 1
            add(
                Message(
                    raw.value() or b"",
                    topic,
                    f"{prefix}{offset}",
                    min(stamp * 1000, now) if kind == TIMESTAMP_LOG_APPEND_TIME else arrival,
                    raw.key(),
                    () if headers is None else tuple([(name, value or b"") for name, value in headers]),
                    None if kind == TIMESTAMP_NOT_AVAILABLE else stamp * 1000,
                )
            )
        if prefix:
            self._reached[topic, number] = offset + 1
        self._arrival = arrival
        return messages
