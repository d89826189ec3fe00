"""Sources bring messages in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


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
        `commit` is called only when the effects of those messages are durable: the sinks took and flushed
        what they caused. It is not called for finite input, nor for a message that a record to come is still
        to be made of.
        It reconnects by itself, with backoff, and says so in the log. A source of a broker does not wait in
        `open` for a broker that cannot be reached: it goes on trying while it is polled, and has `connected`,
        whether messages published from now on will be received (its partitions are assigned, its subscription
        is acknowledged).
        Sources of one connector are made with one `context.shared`, and polled in turn.
        `close` may be called twice, and without `open`.
        A source with a log has `seek(positions)`: told before `open` where to go on, with a position for each
        log, that of the last message that is done with. It counts more than what was committed.
        Where another log may come under the name of one (a file that is replaced), the source has
        `mark(message)`, a short text that tells the message from others; each of its parts has it, too. It
        then has `recognise(marks)`: told after `seek` the mark of each of those last messages, by the name of
        the log, which is what is before the last colon of its position.
        A source that can put bad messages aside has `reject(message, error)`: told, before the commit of that
        message, that it gave no event, and why.
        A source of several finite logs (the files of a glob) also has `parts()`: after `open`, a source for
        each, in the order that decides between messages of one arrival time. The kernel polls these, and
        merges them by arrival; polled itself, the source gives one after the other.
        A source that can pace a replay has `speed`: how many times faster than event time, None for as fast
        as possible. It does not wait itself: the kernel, which knows the times, does.
        A source all of whose records have the same fields may have `fields`, their names, after `open`: a run
        then fails where the pipeline names others.
        A finite source that knows how much it has to bring has `progress`: bytes read so far and in all, or
        None while it cannot tell.
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
