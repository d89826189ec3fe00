"""Messages of what the client library brings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any, final, overload

from confluent_kafka import TIMESTAMP_LOG_APPEND_TIME, TIMESTAMP_NOT_AVAILABLE

from limecep.contracts.source import Bulk, Message

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from limecep_kafka.topics import Partition


@final
class Polled(Bulk):
    """Messages of any partitions. Every call of the library's messages counts here: only what is asked for
    is taken out of them.

    Args:
        raws: As the library brings them.
        arrivals: When each of them arrived, in microseconds.
    """

    __slots__ = ("_arrivals", "_last", "raws")

    def __init__(self, raws: Sequence[Any], arrivals: Sequence[int]) -> None:
        self.raws = raws
        self._arrivals = arrivals
        self._last: dict[Partition, int] | None = None

    def __len__(self) -> int:
        return len(self.raws)

    @overload
    def __getitem__(self, at: int) -> Message: ...

    @overload
    def __getitem__(self, at: slice) -> Polled: ...

    def __getitem__(self, at: int | slice) -> Message | Polled:
        if isinstance(at, slice):
            return Polled(self.raws[at], self._arrivals[at])
        return _message(self.raws[at], self._arrivals[at])

    def __iter__(self) -> Iterator[Message]:
        return map(_message, self.raws, self._arrivals)

    @property
    def values(self) -> Sequence[bytes]:
        return [raw.value() or b"" for raw in self.raws]

    @property
    def channels(self) -> Collection[str]:
        return {raw.topic() for raw in self.raws}

    @property
    def arrivals(self) -> Sequence[int]:
        return self._arrivals

    @property
    def event_times(self) -> Sequence[int | None]:
        times = [raw.timestamp() for raw in self.raws]
        return [None if kind == TIMESTAMP_NOT_AVAILABLE else stamp * 1000 for kind, stamp in times]

    @property
    def positions(self) -> Positions:
        return Positions(self)

    @property
    def ends(self) -> Sequence[Message]:
        return [self[n] for n in self.last.values()]

    @property
    def last(self) -> dict[Partition, int]:
        """The number of the last message of each partition."""
        if self._last is None:
            raws, numbers = self.raws, range(len(self.raws))
            partitions = zip([raw.topic() for raw in raws], [raw.partition() for raw in raws], strict=True)
            self._last = dict(zip(partitions, numbers, strict=True))
        return self._last

    def of(self, topics: Collection[str]) -> Polled:
        """Those of some topics."""
        chosen = [n for n, raw in enumerate(self.raws) if raw.topic() in topics]
        return Polled([self.raws[n] for n in chosen], [self._arrivals[n] for n in chosen])


@final
class Positions(Sequence[str]):
    """Where messages stood: each position is made when it is asked for."""

    __slots__ = ("_polled",)

    def __init__(self, polled: Polled) -> None:
        self._polled = polled

    def __len__(self) -> int:
        return len(self._polled)

    @overload
    def __getitem__(self, at: int) -> str: ...

    @overload
    def __getitem__(self, at: slice) -> Positions: ...

    def __getitem__(self, at: int | slice) -> str | Positions:
        if isinstance(at, slice):
            return Positions(self._polled[at])
        return _position(self._polled.raws[at])

    def __iter__(self) -> Iterator[str]:
        return map(_position, self._polled.raws)

    @property
    def ends(self) -> Sequence[str]:
        """The last position in each partition."""
        return [self[n] for n in self._polled.last.values()]


def _position(raw: Any) -> str:
    return f"{raw.topic()}:{raw.partition()}:{raw.offset()}"


def _message(raw: Any, arrival: int) -> Message:
    kind, stamp = raw.timestamp()
    headers = raw.headers()
    return Message(
        raw.value() or b"",
        raw.topic(),
        _position(raw),
        arrival,
        raw.key(),
        () if headers is None else tuple([(name, value or b"") for name, value in headers]),
        None if kind == TIMESTAMP_NOT_AVAILABLE else stamp * 1000,
    )


class Messages:
    """Makes messages of what the client library brings.

    They arrived when the broker says so, if that is what the topic's time stamps are; else just now, a
    microsecond after one another, and never before what came earlier, although the clock may be set back.
    """

    def __init__(self) -> None:
        self._arrival = 0

    def of(self, raws: Sequence[Any], now: int, *, stamped: bool) -> Polled:
        """The messages, in order.

        Args:
            raws: As the library brings them.
            now: The time, in microseconds.
            stamped: Whether brokers may have stamped some of them.
        """
        first = max(self._arrival, now - len(raws)) + 1
        self._arrival = first + len(raws) - 1
        read = range(first, first + len(raws))
        return Polled(raws, [*map(_arrival, raws, read, repeat(now))] if stamped else read)


def _arrival(raw: Any, read: int, now: int) -> int:
    kind, stamp = raw.timestamp()
    return min(stamp * 1000, now) if kind == TIMESTAMP_LOG_APPEND_TIME else read
