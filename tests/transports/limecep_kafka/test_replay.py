"""What was read is read once more from shortly before a time, up to where each source has come."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from confluent_kafka import KafkaError, KafkaException

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.errors import RunFailure, Stopped
from limecep.testing.bench import SilentLogger
from limecep_kafka import partition_queues, replay
from limecep_kafka.client import Link
from limecep_kafka.config import KafkaOptions
from limecep_kafka.replay import ANSWER_SECONDS, MARGIN_US, replayed

if TYPE_CHECKING:
    from collections.abc import Sequence

MARGIN_MS = MARGIN_US // 1000


class Raw:
    """A message as the client library gives it, or an error."""

    def __init__(self, partition: int, offset: int, stamp: int = 0, error: KafkaError | None = None) -> None:
        self._partition, self._offset, self._stamp, self._error = partition, offset, stamp, error

    def __len__(self) -> int:
        return 1

    def topic(self) -> str:
        return "t"

    def partition(self) -> int:
        return self._partition

    def offset(self) -> int:
        return self._offset

    def timestamp(self) -> tuple[int, int]:
        return 1, self._stamp

    def error(self) -> KafkaError | None:
        return self._error

    def value(self) -> bytes:
        return b"%d:%d" % (self._partition, self._offset)

    def key(self) -> None:
        return None

    def headers(self) -> None:
        return None


class Brokers:
    """Partitions of the topic `t`, and a consumer of them that knows what is there.

    Attributes:
        logs: The stamps of the messages of each partition, in milliseconds.
        lows: The first offset that there still is.
        comes: What the consumer of a replay is given, a call each; None: what there is, then nothing.
    """

    def __init__(self, *logs: Sequence[int]) -> None:
        self.logs = [list(log) for log in logs]
        self.lows = [0] * len(logs)
        self.comes: list[list[Raw]] | None = None
        self.away = False
        self.settings: dict[str, Any] = {}
        self.assigned: dict[int, int] = {}
        self.unassigned: list[int] = []
        self.paused: list[int] = []
        self.closed = 0

    # -- as the consumer of the subscriber -----------------------------------------------------------------

    def offsets_for_times(self, asked: list[Any], timeout: float) -> list[Any]:
        assert timeout == ANSWER_SECONDS
        if self.away:
            raise KafkaException(KafkaError(KafkaError._TIMED_OUT, "away"))
        return [
            SimpleNamespace(topic=a.topic, partition=a.partition, offset=self._at(a.partition, a.offset))
            for a in asked
        ]

    def _at(self, partition: int, since: int) -> int:
        low = self.lows[partition]
        return next((n for n, t in enumerate(self.logs[partition]) if t >= since and n >= low), -1)

    def get_watermark_offsets(self, place: Any, timeout: float) -> tuple[int, int]:
        assert timeout == ANSWER_SECONDS
        return self.lows[place.partition], len(self.logs[place.partition])

    # -- as the consumer of a replay -----------------------------------------------------------------------

    def __call__(self, settings: dict[str, Any]) -> Brokers:
        self.settings = settings
        return self

    def incremental_assign(self, places: list[Any]) -> None:
        self.assigned |= {p.partition: p.offset for p in places}

    def incremental_unassign(self, places: list[Any]) -> None:
        self.unassigned += [p.partition for p in places]

    def consume(self, limit: int, timeout: float) -> list[Raw]:
        if self.comes is not None:
            return self.comes.pop(0) if self.comes else []
        found = [
            Raw(p, n, self.logs[p][n])
            for p, first in self.assigned.items()
            for n in range(first, len(self.logs[p]))
        ]
        self.comes = []
        return found

    def poll(self, timeout: float) -> None:
        assert timeout == 0.1

    def pause(self, places: list[Any]) -> None:
        self.paused += [p.partition for p in places]

    def resume(self, places: list[Any]) -> None:
        pass

    def close(self) -> None:
        self.closed += 1


def ends(partition: int, offset: int) -> Raw:
    return Raw(partition, offset, error=KafkaError(KafkaError._PARTITION_EOF, "end"))


def made(brokers: Brokers, reached: Sequence[int], *, resumed: bool = False, begun: int = 0) -> Any:
    """A subscriber that has dealt out so many messages of each partition."""
    context = Context(label="s", clock=ManualClock(), counters=Counter(), logger=SilentLogger(), pipeline="p")
    options = KafkaOptions(brokers="h:1")
    return SimpleNamespace(
        consumer=brokers, context=context, options=options, link=Link(options, context), group="g",
        reached={("t", n): offset for n, offset in enumerate(reached)},
        begun={("t", n): begun for n in range(len(reached))},
        resumed=resumed,
    )  # fmt: skip


def inbox(*waiting: str) -> Any:
    """One with messages that were not polled yet."""
    return SimpleNamespace(
        takes=lambda topic: topic == "t",
        messages=[SimpleNamespace(position=position) for position in waiting],
    )


def values(messages: Any) -> list[str] | None:
    return None if messages is None else [m.value.decode() for m in messages]


@pytest.fixture
def hour(monkeypatch: pytest.MonkeyPatch) -> Brokers:
    """A message a minute in each of two partitions; the second half of a minute later."""
    brokers = Brokers([n * 60_000 for n in range(60)], [n * 60_000 + 30_000 for n in range(60)])
    monkeypatch.setattr(replay, "Consumer", brokers)
    return brokers


def test_it_begins_a_while_before_the_time_and_ends_where_the_source_is(hour: Brokers) -> None:
    subscriber = made(hour, [12, 11])
    found = values(replayed(subscriber, inbox(), (9 * 60_000 + MARGIN_MS) * 1000))
    assert found == ["0:9", "1:9", "0:10", "1:10", "0:11"]
    assert hour.assigned == {0: 9, 1: 9}
    assert sorted(hour.unassigned) == [0, 1]
    assert hour.closed == 1


def test_its_consumer_changes_nothing_in_the_group(hour: Brokers) -> None:
    assert values(replayed(made(hour, [2, 2]), inbox(), 0)) == ["0:0", "1:0", "0:1", "1:1"]
    named = ("group.id", "enable.auto.commit", "enable.auto.offset.store", "auto.offset.reset")
    assert [hour.settings[name] for name in named] == ["g", False, False, "error"]
    assert (hour.settings["enable.partition.eof"], hour.settings["bootstrap.servers"]) == (True, "h:1")


def test_what_the_source_has_not_polled_comes_later_anyway(hour: Brokers) -> None:
    waiting = inbox("t:0:1", "t:1:1", "t:0:2")
    assert values(replayed(made(hour, [3, 2]), waiting, 0)) == ["0:0", "1:0"]


def test_topics_of_other_sources_are_not_read(hour: Brokers) -> None:
    subscriber = made(hour, [1, 1])
    subscriber.reached["u", 0] = 9
    assert values(replayed(subscriber, inbox(), 0)) == ["0:0", "1:0"]


def test_partitions_without_anything_of_that_time_are_left_out(hour: Brokers) -> None:
    hour.logs[1] = hour.logs[1][:3]
    found = replayed(made(hour, [60, 3]), inbox(), (58 * 60_000 + MARGIN_MS) * 1000)
    assert values(found) == ["0:58", "0:59"]
    assert hour.assigned == {0: 58}
    # Nor is one that begins where the source is.
    assert values(replayed(made(hour, [58, 3]), inbox(), (58 * 60_000 + MARGIN_MS) * 1000)) == []


def test_where_nothing_was_read_nothing_is_asked(hour: Brokers) -> None:
    hour.away = True
    assert values(replayed(made(hour, []), inbox(), 0)) == []
    assert hour.closed == 0


def test_without_a_connection_there_is_no_log(hour: Brokers) -> None:
    subscriber = made(hour, [5, 5])
    subscriber.consumer = None
    assert replayed(subscriber, inbox(), 0) is None


@pytest.mark.parametrize(
    ("low", "since", "begun", "resumed", "there"),
    [
        (4, 5, 0, False, True),
        # The first that there is may not be the first there was.
        (4, 4, 0, False, False),
        (4, 3, 0, False, False),
        # This run began no earlier.
        (4, 3, 4, False, True),
        (4, 3, 3, False, False),
        # An earlier one may have.
        (4, 3, 4, True, False),
        (0, 0, 0, True, True),
    ],
)
def test_where_some_of_it_is_gone_there_is_none(
    low: int, since: int, begun: int, resumed: bool, there: bool, hour: Brokers
) -> None:
    hour.lows = [low, 0]
    subscriber = made(hour, [8, 0], begun=begun, resumed=resumed)
    found = replayed(subscriber, inbox(), (since * 60_000 + MARGIN_MS) * 1000)
    assert (found is not None) == there


def test_what_this_run_did_not_read_is_not_read_once_more(hour: Brokers) -> None:
    assert values(replayed(made(hour, [8, 0], begun=6), inbox(), 0)) == ["0:6", "0:7"]


def test_brokers_that_do_not_say_where_to_begin_end_the_run(hour: Brokers) -> None:
    hour.away = True
    with pytest.raises(RunFailure) as caught:
        replayed(made(hour, [1, 1]), inbox(), 0)
    assert str(caught.value) == "the brokers h:1 do not say where to read once more: away"


def test_a_partition_whose_last_messages_are_gone_ends_where_it_ends(hour: Brokers) -> None:
    hour.comes = [[Raw(0, 0), Raw(0, 1)], [], [ends(0, 2)]]
    assert values(replayed(made(hour, [9, 0]), inbox(), 0)) == ["0:0", "0:1"]
    assert hour.unassigned == [0]


def test_what_comes_one_by_one_is_read_to_the_last(hour: Brokers) -> None:
    hour.comes = [[Raw(0, n)] for n in range(3)]
    assert values(replayed(made(hour, [3, 0]), inbox(), 0)) == ["0:0", "0:1", "0:2"]


def test_a_partition_that_is_far_ahead_is_not_read_on(hour: Brokers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partition_queues, "HELD_MESSAGES", 2_000)
    hour.comes = [[Raw(0, n, 9) for n in range(1_001)], [Raw(1, 0)], [ends(0, 1_001)]]
    assert len(values(replayed(made(hour, [1_002, 1]), inbox(), 0)) or ()) == 1_002
    assert hour.paused == [0]


def test_an_error_ends_the_run(hour: Brokers) -> None:
    hour.comes = [[Raw(0, 0), Raw(0, 1, error=KafkaError(KafkaError._TRANSPORT, "gone"))]]
    with pytest.raises(RunFailure, match=r"^what was read cannot be read once more: gone$"):
        values(replayed(made(hour, [9, 0]), inbox(), 0))
    assert hour.closed == 1


def test_brokers_that_are_silent_end_the_run(hour: Brokers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "SILENCE_SECONDS", -1.0)
    hour.comes = [[Raw(0, 0)]]
    found = replayed(made(hour, [9, 0]), inbox(), 0)
    assert found is not None
    with pytest.raises(RunFailure, match="once more: the brokers h:1 are silent"):
        values(found)


def test_a_run_that_is_to_end_reads_no_more(hour: Brokers) -> None:
    subscriber = made(hour, [9, 0])

    def stopped() -> None:
        raise Stopped

    subscriber.context.raise_if_stopped = stopped
    with pytest.raises(Stopped):
        values(replayed(subscriber, inbox(), 0))
    assert hour.closed == 1
