"""The part of the suite of sources that is about what is done with, and about logs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import pytest

from limecep.clock import Stopwatch
from limecep.contracts.source import Log
from limecep.model.time import EARLIEST, LATEST
from limecep.testing.messages import (
    PATIENCE_SECONDS,
    Outgoing,
    connect,
    drain,
    in_order,
    nothing_more,
    numbered,
)
from limecep.testing.sources import Sources, parts_of
from limecep.testing.spelling import check_spelling

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.contracts.source import Message


#: The first and the last instant, in microseconds.
ALWAYS = (EARLIEST, LATEST)


class CommitConformance(Sources):
    """What every source must do that remembers what was committed, or has a log."""

    # -- what is done with ---------------------------------------------------------------------------------

    def test_what_was_committed_does_not_come_again(self, context: Context, opened: list[Any]) -> None:
        """After an orderly end."""
        self._needs_memory()
        channel, sent = self.make_channel(), numbered(40)
        source = self.start(channel, context, opened, sent)
        source.commit([m.position for m in drain(source, 40)])
        source.commit([])
        source.close()
        again = self.again(channel, context, opened)
        connect(again)
        nothing_more(again)
        later = [Outgoing(b"later", b"k")]
        self.publish(channel, later)
        assert [m.value for m in drain(again, 1)] == [b"later"]

    def test_what_was_not_committed_comes_again(self, context: Context, opened: list[Any]) -> None:
        """Nothing that was polled counts as done because of that."""
        self._needs_memory()
        channel, sent = self.make_channel(), numbered(40)
        source = self.start(channel, context, opened, sent)
        in_order(drain(source, 40), sent)
        source.close()
        in_order(drain(self.again(channel, context, opened), 40), sent)

    def test_what_comes_again_is_what_was_not_committed(self, context: Context, opened: list[Any]) -> None:
        """A commit covers the messages it names, and no later ones."""
        self._needs_memory()
        channel, sent = self.make_channel(), numbered(40)
        source = self.start(channel, context, opened, sent)
        messages = drain(source, 40)
        source.commit([m.position for m in messages[:10]])
        source.commit([m.position for m in messages[10:15]])
        source.close()
        again = self.again(channel, context, opened)
        in_order(drain(again, 25), [Outgoing(m.value) for m in messages[15:]])
        nothing_more(again)

    def test_a_consumer_that_was_never_closed_loses_nothing(
        self, context: Context, opened: list[Any]
    ) -> None:
        """As after a crash: what was not committed comes again, and soon."""
        self._needs_memory()
        channel, sent = self.make_channel(), numbered(40)
        source = self.start(channel, context, opened, sent)
        messages = drain(source, 40)
        source.commit([m.position for m in messages[:20]])
        watch = Stopwatch()
        again = self.again(channel, context, opened)
        wanted = {m.value for m in messages[20:]}
        came: set[bytes] = set()
        while not wanted <= came and watch.seconds < PATIENCE_SECONDS:
            came |= {m.value for m in again.poll(100, 0.1)}
        assert wanted <= came
        assert watch.seconds < 10

    # -- logs ----------------------------------------------------------------------------------------------

    def test_it_goes_on_from_the_positions_it_is_told(self, context: Context, opened: list[Any]) -> None:
        """Whatever was committed."""
        self._needs_log()
        if not self.seeks:
            pytest.skip("it cannot be told where to go on")
        channel, sent = self.make_channel(), numbered(40)
        source = self.start(channel, context, opened, sent)
        messages = drain(source, 40)
        source.commit([m.position for m in messages])
        source.close()
        logs: dict[str, list[Message]] = {}
        for message in messages:
            logs.setdefault(message.position.rpartition(":")[0], []).append(message)
        again = self.again(channel, context, opened, [log[len(log) // 3].position for log in logs.values()])
        left = [Outgoing(m.value) for log in logs.values() for m in log[len(log) // 3 + 1 :]]
        in_order(drain(again, len(left)), left)
        nothing_more(again)

    def test_replay_gives_what_was_polled_and_nothing_else(self, context: Context, opened: list[Any]) -> None:
        """It ends, and disturbs nothing."""
        self._needs_log()
        channel, sent = self.make_channel(), numbered(60)
        source = self.start(channel, context, opened, sent)
        polled: list[Message] = []
        while len(polled) < 25:
            polled += source.poll(25 - len(polled), 1.0)
        for _ in range(2):
            replayed = source.replay(*ALWAYS)
            assert replayed is not None
            assert sorted(m.position for m in replayed) == sorted(m.position for m in polled)
        abandoned = source.replay(*ALWAYS)
        assert abandoned is not None
        assert next(iter(abandoned)).position in {m.position for m in polled}
        rest = drain(source, 35)
        in_order([*polled, *rest], sent)
        times = [m.event_time for m in [*polled, *rest] if m.event_time is not None]
        if times:
            replayed = source.replay(min(times), max(times))
            assert replayed is not None
            in_order(list(replayed), sent)

    def test_a_log_that_can_be_entered_gives_what_stands_there(
        self, context: Context, opened: list[Any]
    ) -> None:
        """Wherever it is entered, and as often as it is."""
        self._needs_log()
        source = self.start(self.make_channel(), context, opened, numbered(60))
        drain(source, 60)
        for part in parts_of(source):
            if not isinstance(part.replay(*ALWAYS), Log):
                pytest.skip("there is no such thing")
            expected = [m.position for m in part.replay(*ALWAYS)]
            for step in (1, 2, 7, 30):
                log, found = part.replay(*ALWAYS), []
                while message := next(log, None):
                    found.append(message.position)
                    log.skip(step)
                assert found == expected[:: step + 1]

    def test_no_ability_of_a_log_is_misspelt(self, context: Context, opened: list[Any]) -> None:
        """Repair would read all of it each time."""
        self._needs_log()
        source = self.start(self.make_channel(), context, opened, numbered(1))
        drain(source, 1)
        for part in parts_of(source):
            log = part.replay(*ALWAYS)
            check_spelling(log, Iterable, [Log])
            assert isinstance(log, Log) or not hasattr(log, "skip"), f"{type(log).__name__} is no iterator"

    def test_what_has_no_log_says_so(self, context: Context, opened: list[Any]) -> None:
        """It is not asked to repair what memory no longer holds."""
        source = self.start(self.make_channel(), context, opened, numbered(1))
        drain(source, 1)
        has = source.replay(*ALWAYS) is not None
        assert has is self.log, f"'replay' says that it has {'a' if has else 'no'} log: set log = {has}"

    def _needs_memory(self) -> None:
        if not (self.remembers and self.live):
            pytest.skip("it does not remember what was committed")

    def _needs_log(self) -> None:
        if not self.log:
            pytest.skip("it has no log")
