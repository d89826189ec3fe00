"""The suite of sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.clock import Stopwatch
from limecep.contracts.source import OPTIONAL, Connecting, Divided, Marking, Recognising, Source
from limecep.errors import RunFailure
from limecep.testing.commit_suite import CommitConformance
from limecep.testing.lines_suite import LinesConformance
from limecep.testing.messages import (
    PATIENCE_SECONDS,
    SLOW_SECONDS,
    Outgoing,
    connect,
    drain,
    in_order,
    nothing_more,
    numbered,
)
from limecep.testing.sources import parts_of
from limecep.testing.spelling import check_spelling

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.context import Context
    from limecep.contracts.source import Message


class SourceConformance(CommitConformance, LinesConformance):
    """What every source must do. What is asked of those that are told what was committed, and of those that
    have a log, it has from `CommitConformance`, what of those that cut text into lines, from
    `LinesConformance`; what it is to be told, from `Sources`."""

    # -- what comes ----------------------------------------------------------------------------------------

    def test_every_message_comes_once_and_in_the_order_of_its_key(
        self, context: Context, opened: list[Any]
    ) -> None:
        """Nothing is lost, changed, repeated or overtaken."""
        sent = numbered(500)
        source = self.start(self.make_channel(), context, opened, sent)
        in_order(drain(source, len(sent)), sent)
        nothing_more(source)

    def test_many_messages_come_in_batches(self, context: Context, opened: list[Any]) -> None:
        """A backlog is read in few calls, none of which gives more than was asked for."""
        sent = numbered(5_000)
        source = self.start(self.make_channel(), context, opened, sent)
        batches: list[Sequence[Message]] = []
        watch = Stopwatch()
        while sum(map(len, batches)) < len(sent) and watch.seconds < PATIENCE_SECONDS:
            if batch := source.poll(700, 0.1):
                batches.append(batch)
        assert max(map(len, batches)) <= 700
        in_order([m for batch in batches for m in batch], sent)
        assert len(batches) < len(sent) / 4, f"{len(batches)} batches for {len(sent)} messages"

    def test_a_message_says_where_it_stood_and_when_it_arrived(
        self, context: Context, opened: list[Any]
    ) -> None:
        """Positions differ, and name a log and a place in it."""
        channel = self.make_channel()
        begun = context.clock.now()
        messages = drain(self.start(channel, context, opened, numbered(20)), 20)
        assert len({m.position for m in messages}) == 20
        for message in messages:
            log, colon, place = message.position.rpartition(":")
            assert (bool(log), colon, place.isdecimal()) == (True, ":", True), message.position
            assert message.channel
            assert message.error == ""
            if self.live:
                assert message.t_arr is not None
                assert begun - 60_000_000 <= message.t_arr <= context.clock.now()

    def test_any_bytes_come_as_they_are(self, context: Context, opened: list[Any]) -> None:
        """Whatever no codec will read: a bad message is no reason to stop."""
        values = [b"\xff\xfe\x00odd", b'{"n": ', "ä€𝄞".encode(), b" x ", b"null"]
        sent = [Outgoing(value, b"k") for value in values]
        source = self.start(self.make_channel(), context, opened, sent)
        assert [m.value for m in drain(source, len(sent))] == values

    def test_a_large_message_comes_whole(self, context: Context, opened: list[Any]) -> None:
        """As large as transports commonly allow."""
        value = bytes(97 + n % 26 for n in range(self.largest))
        source = self.start(self.make_channel(), context, opened, [Outgoing(value, b"k")])
        (message,) = drain(source, 1)
        assert message.value == value

    def test_keys_and_headers_come_with_the_message(self, context: Context, opened: list[Any]) -> None:
        """Where the transport has them."""
        if not (self.keys or self.headers):
            pytest.skip("the transport has neither")
        sent = Outgoing(b"{}", b"k1", (("content-type", b"application/json"), ("trace", b"17")))
        (message,) = drain(self.start(self.make_channel(), context, opened, [sent]), 1)
        assert message.key == (sent.key if self.keys else None)
        assert message.headers == (sent.headers if self.headers else ())

    def test_sources_of_one_connector_bring_each_its_own(self, context: Context, opened: list[Any]) -> None:
        """They share `context.shared`."""
        channels = [self.make_channel(), self.make_channel()]
        sent = [numbered(50), numbered(70)]
        if not self.live:
            for channel, messages in zip(channels, sent, strict=True):
                self.publish(channel, messages)
        sources = [self.make_source(channel, context) for channel in channels]
        opened += sources
        for source in sources:
            source.open()
        if self.live:
            connect(*sources)
            for channel, messages in zip(channels, sent, strict=True):
                self.publish(channel, messages)
        came: list[list[Message]] = [[], []]
        watch = Stopwatch()
        while [len(c) for c in came] != [50, 70] and watch.seconds < PATIENCE_SECONDS:
            for source, batch in zip(sources, came, strict=True):
                batch += source.poll(1_000, 0.05)
        for batch, messages in zip(came, sent, strict=True):
            in_order(batch, messages)

    # -- how long it takes ---------------------------------------------------------------------------------

    def test_polling_waits_no_longer_than_it_may(self, context: Context, opened: list[Any]) -> None:
        """Where there is nothing, an empty batch comes after the timeout, at once if it is 0."""
        source = self.start(self.make_channel(), context, opened, () if self.live else numbered(1))
        drain(source, 0 if self.live else 1)
        for timeout in (0.0, 0.3):
            watch = Stopwatch()
            assert len(source.poll(10, timeout)) == 0
            assert watch.seconds < timeout + SLOW_SECONDS

    def test_polling_does_not_wait_for_a_batch_to_fill(self, context: Context, opened: list[Any]) -> None:
        """What is there comes at once."""
        source = self.start(self.make_channel(), context, opened, numbered(3))
        watch = Stopwatch()
        came: list[Message] = []
        while len(came) < 3 and watch.seconds < PATIENCE_SECONDS:
            came += source.poll(1_000, 5.0)
        assert len(came) == 3
        assert watch.seconds < 4.0

    def test_what_comes_after_a_silence_comes_soon(self, context: Context, opened: list[Any]) -> None:
        """An idle source is not asleep."""
        if not self.live:
            pytest.skip("nothing comes after a silence")
        channel = self.make_channel()
        source = self.start(channel, context, opened)
        nothing_more(source, 3.0)
        self.publish(channel, numbered(1))
        watch = Stopwatch()
        drain(source, 1)
        assert watch.seconds < 3.0

    def test_what_is_silent_does_not_hold_up_the_rest(self, context: Context, opened: list[Any]) -> None:
        """Messages of one key alone, which leave the other parts of a channel idle, come as soon as any."""
        if not self.live:
            pytest.skip("what is finite is not waited for")
        channel, sent = self.make_channel(), numbered(40)[::4]
        source = self.start(channel, context, opened)
        nothing_more(source)
        watch = Stopwatch()
        self.publish(channel, sent)
        in_order(drain(source, len(sent)), sent)
        assert watch.seconds < 3.0

    def test_it_ends_with_the_last_message_or_never(self, context: Context, opened: list[Any]) -> None:
        """Only finite input ends, and not before everything was polled."""
        source = self.start(self.make_channel(), context, opened, numbered(10))
        assert not source.ended
        came = list(source.poll(4, 1.0))
        assert not source.ended
        drain(source, 10 - len(came))
        watch = Stopwatch()
        while not self.live and not source.ended and watch.seconds < PATIENCE_SECONDS:
            assert not source.poll(10, 0.1)
        assert source.ended is not self.live

    # -- what goes wrong -----------------------------------------------------------------------------------

    def test_it_may_be_closed_twice_and_without_having_been_open(self, context: Context) -> None:
        """Whoever cleans up need not know how far it came."""
        channel = self.make_channel()
        source = self.make_source(channel, context)
        source.close()
        source.close()
        if not self.live:
            self.publish(channel, numbered(1))
        context.shared = {}
        source = self.make_source(channel, context)
        source.open()
        source.close()
        source.close()

    def test_no_optional_ability_is_misspelt(self, context: Context, opened: list[Any]) -> None:
        """The kernel would not find it, neither in the source nor in its parts."""
        source = self.make_source(self.make_channel(), context)
        check_spelling(source, Source, OPTIONAL)
        if isinstance(source, Divided):
            for part in parts_of(self.start(self.make_channel(), context, opened, numbered(1))):
                check_spelling(part, Source, OPTIONAL)

    def test_what_is_to_be_recognised_is_marked(self, context: Context, opened: list[Any]) -> None:
        """By what the kernel polls: the source, or each of its parts."""
        source = self.make_source(self.make_channel(), context)
        if not isinstance(source, Recognising):
            pytest.skip("there is no such thing")
        source = self.start(self.make_channel(), context, opened, numbered(1))
        for part in parts_of(source):
            assert isinstance(part, Marking), f"{type(part).__name__} gives no marks to recognise it by"

    def test_what_is_not_there_is_told_or_waited_for(self, context: Context, opened: list[Any]) -> None:
        """A file that is not there fails at once; a broker that cannot be reached may come back, so polling
        goes on, in time, and nothing claims to be connected."""
        source = self.make_unreachable(context)
        if source is None:
            pytest.skip("there is no such thing")
        opened.append(source)
        watch = Stopwatch()
        if not self.live:
            with pytest.raises(RunFailure):
                source.open()
            return
        source.open()
        for _ in range(5):
            assert len(source.poll(10, 0.1)) == 0
        assert isinstance(source, Connecting)
        assert not source.connected
        source.close()
        assert watch.seconds < 10

    def test_it_comes_back_when_it_was_cut_off(self, context: Context, opened: list[Any]) -> None:
        """Nothing is lost, and nobody has to do anything."""
        cut = self.disturbed()
        if cut is None:
            pytest.skip("the connection cannot be cut")
        channel = self.make_channel()
        source = self.start(channel, context, opened, numbered(20))
        came = [m.value for m in drain(source, 20)]
        with cut:
            assert len(source.poll(10, 0.2)) == 0
            self.publish(channel, numbered(40)[20:])
            assert len(source.poll(10, 1.0)) == 0
        watch = Stopwatch()
        wanted = {m.value for m in numbered(40)}
        while not wanted <= {*came} and watch.seconds < PATIENCE_SECONDS:
            came += [m.value for m in source.poll(100, 0.1)]
        assert wanted <= {*came}

    def test_it_comes_back_when_the_broker_was_restarted(self, context: Context, opened: list[Any]) -> None:
        """Nothing is lost, and nobody has to do anything."""
        channel = self.make_channel()
        source = self.start(channel, context, opened, numbered(20))
        messages = drain(source, 20)
        source.commit([m.position for m in messages])
        if not self.restarted():
            pytest.skip("the broker cannot be restarted")
        self.publish(channel, numbered(40)[20:])
        # What was committed last may come again.
        came = {m.value for m in messages}
        watch = Stopwatch()
        while len(came) < 40 and watch.seconds < PATIENCE_SECONDS:
            came |= {m.value for m in source.poll(100, 0.1)}
        assert came == {m.value for m in numbered(40)}
