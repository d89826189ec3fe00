"""The suite of sinks."""

from __future__ import annotations

from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

from limecep.clock import pause
from limecep.contracts.sink import OPTIONAL, Sink, Transactional
from limecep.errors import RunFailure
from limecep.testing.channels import Channels
from limecep.testing.leaks import check_growth
from limecep.testing.messages import PATIENCE_SECONDS, records
from limecep.testing.spelling import check_spelling

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.context import Context
    from limecep.output.record import Record

#: How long a sink is cut off, in seconds.
CUT_SECONDS = 1.5


class SinkConformance(Channels):
    """What every sink must do that others read from.

    Attributes:
        ordered: Whether records of different matches stay in order, too.
        in_process: Whether what it writes stays in the memory of this process, as where something stands in
            for a broker, or a reader keeps what it has read. What a sink keeps is then not told from that.
    """

    ordered: bool = False
    in_process: bool = False

    def make_sink(self, channel: str, context: Context) -> Sink:
        """A new sink for a channel, not open yet."""
        raise NotImplementedError

    def received(self, channel: str, count: int) -> list[Record]:
        """The records that are in the channel, as somebody else reads them, in its order; waits a while for
        `count` of them."""
        raise NotImplementedError

    def start(self, channel: str, context: Context, opened: list[Any]) -> Sink:
        """A sink that is open."""
        sink = self.make_sink(channel, context)
        opened.append(sink)
        sink.open()
        return sink

    def check(self, channel: str, sent: Sequence[Record]) -> None:
        """That a channel has what was sent, in order."""
        came = self.received(channel, len(sent))
        if self.ordered:
            assert came == [*sent]
            return
        assert len(came) == len(sent)
        for match in {r["match"] for r in sent}:
            assert [r for r in came if r["match"] == match] == [r for r in sent if r["match"] == match]

    def test_records_come_whole_and_in_the_order_of_their_match(
        self, context: Context, opened: list[Any]
    ) -> None:
        """Sent at once, or one after the other."""
        channel, sent = self.make_channel(), records(100)
        sink = self.start(channel, context, opened)
        sink.send(sent[:60])
        for record in sent[60:]:
            sink.send([record])
        sink.flush()
        self.check(channel, records(100))
        assert sent == records(100), "the sink changes the records that it is sent"

    def test_a_batch_that_it_does_not_have_is_taken(self, context: Context, opened: list[Any]) -> None:
        """One that says of every batch that it has it would be sent nothing where there is a state."""
        channel, sent = self.make_channel(), records(10)
        sink = self.start(channel, context, opened)
        if not isinstance(sink, Transactional):
            pytest.skip("it has no transactions")
        for number, part in enumerate((sent[:5], sent[5:])):
            assert sink.begin(f"{context.pipeline}:{number}") is True, "it says that it has a new batch"
            sink.send(part)
            sink.flush()
        self.check(channel, sent)

    def test_what_was_flushed_is_there_for_others(self, context: Context, opened: list[Any]) -> None:
        """While the sink goes on."""
        channel, sent = self.make_channel(), records(10)
        sink = self.start(channel, context, opened)
        sink.flush()
        for n in range(0, 10, 5):
            sink.send(sent[n : n + 5])
            sink.flush()
            self.check(channel, sent[: n + 5])

    def test_closing_flushes(self, context: Context, opened: list[Any]) -> None:
        """Nobody has to think of it."""
        channel, sent = self.make_channel(), records(10)
        sink = self.start(channel, context, opened)
        sink.send(sent)
        sink.close()
        self.check(channel, sent)

    def test_what_comes_later_is_added(self, context: Context, opened: list[Any]) -> None:
        """A sink that is made again destroys nothing."""
        channel, sent = self.make_channel(), records(20)
        for part in (sent[:10], sent[10:]):
            context.shared = {}
            sink = self.start(channel, context, opened)
            sink.send(part)
            sink.close()
        self.check(channel, sent)

    def test_any_text_and_a_large_record_come_whole(self, context: Context, opened: list[Any]) -> None:
        """What stands in events is not ours to choose."""
        channel = self.make_channel()
        texts = ["ä€𝄞", "a\nb\r\n\u2028", '"\\', "", "x" * 500_000]
        sent = [{**record, "events": {"a": [text]}} for record, text in zip(records(5), texts, strict=True)]
        sink = self.start(channel, context, opened)
        sink.send(sent)
        sink.flush()
        self.check(channel, sent)

    def test_it_may_be_closed_twice_and_without_having_been_open(self, context: Context) -> None:
        """Whoever cleans up need not know how far it came."""
        sink = self.make_sink(self.make_channel(), context)
        sink.close()
        sink.close()
        context.shared = {}
        sink = self.make_sink(self.make_channel(), context)
        sink.open()
        sink.close()
        sink.close()

    def test_no_optional_ability_is_misspelt(self, context: Context) -> None:
        """The kernel would not find it."""
        check_spelling(self.make_sink(self.make_channel(), context), Sink, OPTIONAL)

    def test_nothing_is_lost_when_it_was_cut_off(self, context: Context, opened: list[Any]) -> None:
        """What is flushed is there, however long that took."""
        cut = self.disturbed()
        if cut is None:
            pytest.skip("the connection cannot be cut")
        channel, sent = self.make_channel(), records(20)
        sink = self.start(channel, context, opened)
        sink.send(sent[:10])
        sink.flush()
        with cut:
            sink.send(sent[10:])
            pause(1.0)
        sink.flush()
        self._check_all(channel, sent)

    def test_what_is_flushed_while_it_is_cut_off_is_waited_for(
        self, context: Context, opened: list[Any]
    ) -> None:
        """Or it fails: a connection that broke is not passed over, for the kernel takes what was flushed for
        durable."""
        cut = self.disturbed()
        if cut is None:
            pytest.skip("the connection cannot be cut")
        channel, sent = self.make_channel(), records(20)
        sink = self.start(channel, context, opened)
        sink.send(sent[:10])
        sink.flush()
        failures: list[BaseException] = []

        def flush() -> None:
            try:
                sink.send(sent[10:])
                sink.flush()
            except BaseException as error:
                failures.append(error)

        flushing = Thread(target=flush, daemon=True)
        with cut:
            flushing.start()
            flushing.join(CUT_SECONDS)
            if not flushing.is_alive() and not failures:
                came = {(r["match"], r["revision"]) for r in self.received(channel, len(sent))}
                assert came >= {(r["match"], r["revision"]) for r in sent}, (
                    "'flush' returns while the sink is cut off, and the records are not there: an error of "
                    "the connection was passed over"
                )
        flushing.join(PATIENCE_SECONDS)
        assert not flushing.is_alive(), f"'flush' goes on {PATIENCE_SECONDS:g} s after the connection is back"
        if not failures:
            self._check_all(channel, sent)
        elif not isinstance(failures[0], RunFailure):
            raise failures[0]

    def test_memory_is_bounded(self, context: Context, opened: list[Any]) -> None:
        """What was flushed is let go."""
        if self.in_process:
            pytest.skip("the channel is in this process")
        sink = self.start(self.make_channel(), context, opened)

        def write(n: int) -> None:
            for _ in range(n):
                sink.send(records(10))
                sink.flush()

        check_growth(write, 100, "batches of ten records")

    def test_nothing_is_lost_when_the_broker_was_restarted(self, context: Context, opened: list[Any]) -> None:
        """What was flushed was safe, what is sent later is waited for."""
        channel, sent = self.make_channel(), records(20)
        sink = self.start(channel, context, opened)
        sink.send(sent[:10])
        sink.flush()
        if not self.restarted():
            pytest.skip("the broker cannot be restarted")
        sink.send(sent[10:])
        sink.flush()
        self._check_all(channel, sent)

    def _check_all(self, channel: str, sent: Sequence[Record]) -> None:
        # At least once: what was on its way may come twice.
        came = self.received(channel, len(sent))
        assert {(r["match"], r["revision"]) for r in came} == {(r["match"], r["revision"]) for r in sent}
