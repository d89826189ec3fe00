"""Sources bring messages in."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, final, overload, runtime_checkable

import msgspec

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping


class Message(msgspec.Struct, gc=False, frozen=True):
    """One raw message.

    Attributes:
        value: Its bytes.
        channel: Where it stood: a file's path, a topic.
        position: Where it stood, as text for people and for `seek`: what is before the last colon names an
            ordered log, what is after it the place in that log (`readings.csv:17`, `gas:2:1049` for offset
            1049 of partition 2).
        t_arr: When it arrived, in microseconds; None if the record itself is to say (a replay of files).
        key: The transport's key, if it has such.
        headers: The transport's headers.
        event_time: A time that the transport gives the message itself, in microseconds, if any.
        error: Why the transport could not bring it whole (a line of megabytes), in words for the user;
            `value` is then its beginning, and the codec gives an `Undecodable` with this error for it.
    """

    value: bytes
    channel: str
    position: str
    t_arr: int | None = None
    key: bytes | None = None
    headers: tuple[tuple[str, bytes], ...] = ()
    event_time: int | None = None
    error: str = ""


class Bulk(Sequence[Message]):
    """Messages that come together, each made when it is asked for: of most only the value ever is. A source
    may give them in place of a list, where none of them has an `error`. A slice of step 1 is `Bulk`, too.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def values(self) -> Sequence[bytes]:
        """Their values."""

    @property
    @abstractmethod
    def channels(self) -> Collection[str]:
        """Where they stood, each channel once."""

    @property
    @abstractmethod
    def arrivals(self) -> Sequence[int | None]:
        """As `Message.t_arr` of each."""

    @property
    @abstractmethod
    def event_times(self) -> Sequence[int | None]:
        """As `Message.event_time` of each."""

    @property
    @abstractmethod
    def positions(self) -> Sequence[str]:
        """Where each of them stood."""

    @property
    @abstractmethod
    def ends(self) -> Sequence[Message]:
        """The last message of each log."""


@final
class Lines(Bulk):
    """Lines of one log, one after the other.

    Args:
        values: The lines.
        channel: The channel of all, and the name of the log.
        first: The number of the first.
        t_arr: When all of them arrived, as in `Message`.
    """

    __slots__ = ("_t_arr", "_values", "channel", "first")

    def __init__(self, values: Sequence[bytes], channel: str, first: int, t_arr: int | None = None) -> None:
        self._values = values
        self._t_arr = t_arr
        self.channel = channel
        self.first = first

    def __len__(self) -> int:
        return len(self._values)

    @overload
    def __getitem__(self, at: int) -> Message: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Message]: ...

    def __getitem__(self, at: int | slice) -> Message | Sequence[Message]:
        numbers = range(self.first, self.first + len(self._values))
        if isinstance(at, slice):
            taken = numbers[at]
            if taken.step != 1:
                return [self[n - self.first] for n in taken]
            return Lines(self._values[at], self.channel, taken.start, self._t_arr)
        return Message(self._values[at], self.channel, f"{self.channel}:{numbers[at]}", self._t_arr)

    def __iter__(self) -> Iterator[Message]:
        name, t_arr = self.channel, self._t_arr
        return (Message(v, name, f"{name}:{n}", t_arr) for n, v in enumerate(self._values, self.first))

    @property
    def values(self) -> Sequence[bytes]:
        return self._values

    @property
    def channels(self) -> Collection[str]:
        return (self.channel,)

    @property
    def arrivals(self) -> Sequence[int | None]:
        return [self._t_arr] * len(self._values)

    @property
    def event_times(self) -> Sequence[int | None]:
        return [None] * len(self._values)

    @property
    def positions(self) -> Positions:
        return Positions(self.channel, range(self.first, self.first + len(self._values)))

    @property
    def ends(self) -> Sequence[Message]:
        return self[-1:]


@final
class Positions(Sequence[str]):
    """Positions of lines, each made when it is asked for: few ever are.

    Args:
        log: The name of their log.
        numbers: The numbers of the lines.
    """

    __slots__ = ("log", "numbers")

    def __init__(self, log: str, numbers: range) -> None:
        self.log = log
        self.numbers = numbers

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, at: int) -> str: ...

    @overload
    def __getitem__(self, at: slice) -> Positions: ...

    def __getitem__(self, at: int | slice) -> str | Positions:
        found = self.numbers[at]
        return f"{self.log}:{found}" if isinstance(found, int) else Positions(self.log, found)

    def __iter__(self) -> Iterator[str]:
        log = self.log
        return (f"{log}:{n}" for n in self.numbers)


def positions_of(messages: Sequence[Message]) -> Sequence[str]:
    """Where messages stood."""
    return messages.positions if isinstance(messages, Bulk) else [m.position for m in messages]


def channels_of(messages: Sequence[Message]) -> Collection[str]:
    """The channels of messages, each once."""
    return messages.channels if isinstance(messages, Bulk) else {m.channel for m in messages}


@runtime_checkable
class Log(Protocol):
    """What `Source.replay` may give: an iterator over all messages polled so far, whatever the range, that
    can be entered anywhere."""

    def __iter__(self) -> Iterator[Message]: ...

    def __next__(self) -> Message: ...

    def skip(self, count: int) -> None:
        """Passes over so many messages, at a fraction of the cost of reading them."""


class Source(Protocol):
    """Made once a source of the pipeline: `Factory(channel, settings, options, context)`, where `channel` is
    text, `settings` the keys of the source's YAML block that the component asked for, `options` those of its
    connector.

    Duties:
        `poll` never waits longer than `timeout`; no message is an empty batch. It never sleeps otherwise. It
        gives what is there, and does not wait for a batch to fill. It is where backpressure is: what is not
        polled is not read ahead without bound.
        `commit` is called only when the effects of those messages are durable: a state has them, or else the
        sinks took and flushed what they caused. It is not called for finite input, nor for a message that a
        record to come is still to be made of.
        It reconnects by itself, with backoff, and says so in the log. A source of a broker does not wait in
        `open` for a broker that cannot be reached: it goes on trying while it is polled, and is `Connecting`.
        Sources of one connector are made with one `context.shared`, and polled in turn.
        `close` may be called twice, and without `open`.
        Where another log may come under the name of one (a file that is replaced), the source is
        `Recognising`, and `Marking`; where it is `Divided`, each of its parts is `Marking` instead.
        What else it may do is a protocol each, in `OPTIONAL`.
    """

    def open(self) -> None:
        """Connects, and finds where to begin.

        Raises:
            RunFailure: It cannot, and waiting will not help.
        """

    def poll(self, limit: int, timeout: float) -> Sequence[Message]:
        """Up to `limit` messages, after at most `timeout` seconds."""

    @property
    def ended(self) -> bool:
        """Whether nothing will come any more (finite input)."""

    def commit(self, positions: Sequence[str]) -> None:
        """The messages at these positions, in the order they were polled, are done with: those that gave no
        event, or an invalid record, too."""

    def close(self) -> None:
        """Lets go of everything."""

    def replay(self, t_from: int, t_to: int) -> Iterable[Message] | None:
        """The messages polled so far whose event times are in a range, in microseconds, once more and in the
        order of the log, for the repair of results that memory no longer holds; None where the transport has
        no log, or no longer all of the range.

        Event times are those that records have in them: a transport that cannot tell which messages are in
        the range gives others too, such as all, never one that was not polled yet. It disturbs neither what
        is polled next nor what was committed, and ends. The empty range (0, -1) asks whether there is a log.

        A transport that can enter its log anywhere gives a `Log`. Repair then decodes the messages that it
        needs, else all of them each time.

        Raises:
            RunFailure: At once or while it is read: it cannot be had after all.
        """


@runtime_checkable
class Seeking(Protocol):
    """A source with a log, which can be entered anywhere."""

    def seek(self, positions: Sequence[str]) -> None:
        """Told before `open` where to go on, with a position for each log, that of the last message that is
        done with. It counts more than what was committed."""


@runtime_checkable
class Marking(Protocol):
    """A source, or a part of one, under whose names other logs may come."""

    def mark(self, message: Message) -> str:
        """A short text that tells the message from others."""


@runtime_checkable
class Recognising(Protocol):
    """A source that is `Marking`, or whose parts are."""

    def recognise(self, marks: Mapping[str, str]) -> None:
        """Told after `seek` the mark of each of those last messages, by the name of the log, which is what is
        before the last colon of its position."""


@runtime_checkable
class Rejecting(Protocol):
    """A source that can put bad messages aside."""

    def reject(self, message: Message, error: str) -> None:
        """Told, before the commit of that message, that it gave no event, and why."""


@runtime_checkable
class Divided(Protocol):
    """A source of several finite logs (the files of a glob)."""

    def parts(self) -> Sequence[Source]:
        """After `open`, a source for each, in the order that decides between messages of one arrival time.
        The kernel polls these, and merges them by arrival; polled itself, the source gives one after the
        other."""


@runtime_checkable
class Connecting(Protocol):
    """A source of a broker."""

    @property
    def connected(self) -> bool:
        """Whether messages published from now on will be received (its partitions are assigned, its
        subscription is acknowledged)."""


@runtime_checkable
class Pressing(Protocol):
    """A source that brings only so much before some of it is done with."""

    @property
    def pressed(self) -> bool:
        """Whether that is near, so that what it brought should be made durable soon."""


@runtime_checkable
class Paced(Protocol):
    """A source that can pace a replay. It does not wait itself: the kernel, which knows the times, does."""

    @property
    def speed(self) -> float | None:
        """How many times faster than event time; None for as fast as possible."""


@runtime_checkable
class Fielded(Protocol):
    """A source all of whose records have the same fields: a run fails where the pipeline names others."""

    @property
    def fields(self) -> Collection[str] | None:
        """Their names, after `open`; None where they are not known."""


@runtime_checkable
class Measured(Protocol):
    """A finite source that knows how much it has to bring."""

    @property
    def progress(self) -> tuple[int, int] | None:
        """Bytes read so far and in all; None while it cannot tell."""


@runtime_checkable
class Named(Protocol):
    """A part that can be told from other parts of its source."""

    @property
    def channel(self) -> str:
        """Its name."""


OPTIONAL: tuple[type, ...] = (
    Seeking, Marking, Recognising, Rejecting, Divided, Connecting, Pressing, Paced, Fielded, Measured, Named,
)  # fmt: skip
