"""Partitions are merged by the time stamps of their records, and do not hold each other up for long."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from confluent_kafka import TopicPartition
from hypothesis import given
from hypothesis import strategies as st

from limecep_kafka.partition_queues import HELD_BYTES, HELD_MESSAGES, STALLED_SECONDS, PartitionQueues


class Raw:
    """A message as the client library gives it."""

    def __init__(self, partition: int, offset: int, stamp: int, size: int = 1, topic: str = "t") -> None:
        self._head = (topic, partition, offset, stamp)
        self._size = size

    def __len__(self) -> int:
        return self._size

    def __repr__(self) -> str:
        return f"{self._head[1]}:{self._head[2]}@{self._head[3]}"

    def topic(self) -> str:
        return self._head[0]

    def partition(self) -> int:
        return self._head[1]

    def offset(self) -> int:
        return self._head[2]

    def timestamp(self) -> tuple[int, int]:
        return 1, self._head[3]


class Reader:
    """A consumer that is told what not to read on."""

    def __init__(self) -> None:
        self.paused: set[int] = set()

    def pause(self, places: list[Any]) -> None:
        self.paused |= {p.partition for p in places}

    def resume(self, places: list[Any]) -> None:
        self.paused -= {p.partition for p in places}


def queues(*partitions: int) -> PartitionQueues:
    made = PartitionQueues()
    for number in partitions:
        made.add(TopicPartition("t", number, 0), 0.0)
    return made


def raws(partition: int, *stamps: int, first: int = 0) -> list[Any]:
    return [Raw(partition, first + n, stamp) for n, stamp in enumerate(stamps)]


def stamps(taken: list[Any]) -> list[int]:
    return [raw.timestamp()[1] for raw in taken]


def test_only_what_no_partition_can_come_before_any_more_goes_on() -> None:
    made = queues(0, 1)
    made.put(raws(0, 1, 4, 7), 0.0)
    assert made.take(0.0) == []
    made.put(raws(1, 2, 5), 0.0)
    assert stamps(made.take(0.0)) == [1, 2, 4, 5]
    made.put(raws(1, 9, first=2), 0.0)
    assert stamps(made.take(0.0)) == [7]


def test_a_partition_that_was_read_to_its_end_holds_nothing_back() -> None:
    made = queues(0, 1)
    made.end(("t", 1), 0)
    made.put(raws(0, 1, 4), 0.0)
    assert stamps(made.take(0.0)) == [1, 4]
    made.put(raws(1, 2), 0.0)
    made.put(raws(0, 6, first=2), 0.0)
    assert stamps(made.take(0.0)) == [2]
    made.look(lambda place: 1 if place.partition else 3)
    assert stamps(made.take(0.0)) == [6]


def test_an_end_that_lies_before_what_was_read_since_counts_no_more() -> None:
    made = queues(0, 1)
    made.put(raws(1, 2), 0.0)
    made.end(("t", 1), 0)
    made.put(raws(0, 3), 0.0)
    assert stamps(made.take(0.0)) == [2]


def test_an_end_that_is_not_known_yet_is_none() -> None:
    made = queues(0, 1)
    made.put(raws(0, 1), 0.0)
    made.look(lambda place: -1001)
    assert made.take(0.0) == []


def test_a_partition_that_brings_nothing_although_it_should_is_waited_for_no_longer() -> None:
    made = queues(0, 1)
    made.put(raws(0, 1, 4), 0.0)
    assert made.take(STALLED_SECONDS) == []
    assert stamps(made.take(STALLED_SECONDS + 0.1)) == [1, 4]


def test_time_stamps_that_go_back_do_not_bring_a_partition_out_of_order() -> None:
    made = queues(0, 1)
    made.put(raws(0, 5, 3, 4, 6), 0.0)
    made.put(raws(1, 5, 9), 0.0)
    assert [repr(raw) for raw in made.take(0.0)] == ["0:0@5", "0:1@3", "0:2@4", "1:0@5", "0:3@6"]


def test_what_is_read_twice_or_of_a_partition_in_other_hands_is_left_out() -> None:
    made = queues(0)
    made.put(raws(0, 1, 2), 0.0)
    made.put([*raws(0, 2, 3, first=1), *raws(1, 1), Raw(0, 3, 4)], 0.0)
    assert stamps(made.take(0.0)) == [1, 2, 3, 4]
    made.put(raws(0, 5, first=4), 0.0)
    made.drop(("t", 0))
    assert made.take(0.0) == []


@pytest.mark.parametrize(("number", "size"), [(HELD_MESSAGES // 2 + 1, 1), (40, HELD_BYTES // 79)])
def test_a_partition_that_is_far_ahead_is_not_read_on_until_the_others_have_come(
    number: int, size: int
) -> None:
    made, reader = queues(0, 1), Reader()
    consumer: Any = reader
    made.put([Raw(0, n, 1000 + n, size) for n in range(number)], 0.0)
    made.balance(consumer, 0.0)
    assert reader.paused == {0}
    # It is waited for all the same, however long it is not read.
    made.end(("t", 1), 0)
    assert len(made.take(5 * STALLED_SECONDS)) == number
    made.balance(consumer, 5 * STALLED_SECONDS)
    assert reader.paused == set()
    made.put([Raw(1, 0, 100_000)], 5 * STALLED_SECONDS)
    assert made.take(5.5 * STALLED_SECONDS) == []


def test_what_is_left_after_a_part_went_on_still_counts_as_held() -> None:
    made, reader = queues(0, 1), Reader()
    consumer: Any = reader
    made.put([Raw(0, n, n, HELD_BYTES // 40) for n in range(30)], 0.0)
    made.put([Raw(1, 0, 4)], 0.0)
    made.balance(consumer, 0.0)
    assert stamps(made.take(0.0)) == [0, 1, 2, 3, 4, 4]
    made.balance(consumer, 0.0)
    assert reader.paused == {0}
    made.put([Raw(1, 1, 28)], 0.0)
    made.take(0.0)
    made.balance(consumer, 0.0)
    assert reader.paused == set()


@pytest.mark.parametrize(
    ("held", "paused"),
    [((HELD_MESSAGES // 2, 1), False), ((HELD_MESSAGES // 2 + 1, 1), True), ((32, 1_000_000), False),
     ((32, 1_000_001), True)],
)  # fmt: skip
def test_a_share_is_what_all_may_hold_by_the_number_of_partitions(
    held: tuple[int, int], paused: bool
) -> None:
    number, size = held
    made, reader = queues(0, 1), Reader()
    consumer: Any = reader
    made.put([Raw(0, n, n, size) for n in range(number)], 0.0)
    made.balance(consumer, 0.0)
    assert (reader.paused == {0}) == paused


@pytest.mark.parametrize(("number", "size"), [(1_000, 1), (10, 100_000)])
def test_a_partition_among_very_many_may_hold_something_all_the_same(number: int, size: int) -> None:
    made, reader = queues(*range(200)), Reader()
    consumer: Any = reader
    made.put([Raw(0, n, n, size) for n in range(number)], 0.0)
    made.balance(consumer, 0.0)
    assert reader.paused == set()
    made.put([Raw(0, number, number, size)], 0.0)
    made.balance(consumer, 0.0)
    assert reader.paused == {0}


@pytest.mark.parametrize(
    ("number", "size", "left", "resumed"),
    [
        (50_002, 1, 25_000, True),
        (50_002, 1, 25_001, False),
        (64, 1_000_000, 16, True),
        (64, 1_000_000, 17, False),
    ],
)
def test_a_partition_is_read_on_when_it_holds_half_its_share(
    number: int, size: int, left: int, resumed: bool
) -> None:
    made, reader = queues(0, 1), Reader()
    consumer: Any = reader
    made.put([Raw(0, n, n, size) for n in range(number)], 0.0)
    made.balance(consumer, 0.0)
    assert reader.paused == {0}
    made.put([Raw(1, 0, number - left - 1)], 0.0)
    assert len(made.take(0.0)) == number - left + 1
    made.balance(consumer, 5.0)
    assert reader.paused == (set() if resumed else {0})


def test_who_is_read_on_is_waited_for_from_then_on() -> None:
    made, reader = queues(0, 1), Reader()
    consumer: Any = reader
    made.put([Raw(0, n, n) for n in range(50_001)], 0.0)
    made.balance(consumer, 0.0)
    made.end(("t", 1))
    made.take(0.0)
    made.balance(consumer, 30.0)
    made.put([Raw(1, 0, 60_000)], 30.0)
    assert made.take(30.0 + STALLED_SECONDS) == []
    assert stamps(made.take(30.1 + STALLED_SECONDS)) == [60_000]
    # It may be paused once more.
    made.put([Raw(0, 50_001 + n, 70_000 + n) for n in range(50_001)], 40.0)
    made.balance(consumer, 40.0)
    assert reader.paused == {0}


def test_a_partition_begins_at_its_offset_and_is_known_until_it_is_dropped() -> None:
    made = PartitionQueues()
    made.add(TopicPartition("t", 0, 5), 0.0)
    made.put(raws(0, 1, 2, 3, first=3), 0.0)
    queue = made.of(("t", 0))
    assert queue is not None
    assert (queue.next, len(queue.raws), queue.size) == (6, 1, 1)
    assert made.of(("t", 1)) is None
    made.end(("t", 1))
    made.drop(("t", 1))
    made.drop(("t", 0))
    assert made.of(("t", 0)) is None


def test_topics_of_one_partition_number_are_kept_apart() -> None:
    made = PartitionQueues()
    for topic in "tu":
        made.add(TopicPartition(topic, 0, 0), 0.0)
    made.put([Raw(0, 0, 1), Raw(0, 0, 2, topic="u"), Raw(0, 1, 3)], 0.0)
    assert [repr(raw) for raw in made.take(0.0)] == ["0:0@1", "0:0@2"]


@pytest.mark.parametrize(("end", "ended"), [(0, False), (1, False), (2, True), (3, True), (None, True)])
def test_an_end_counts_from_what_was_read(end: int | None, ended: bool) -> None:
    made = queues(0)
    made.put(raws(0, 1, 2), 0.0)
    made.end(("t", 0), end)
    queue = made.of(("t", 0))
    assert queue is not None
    assert queue.ended == ended


@pytest.mark.parametrize(("end", "ended"), [(-1, False), (0, True), (1, True), (2, True), (3, False)])
def test_whether_a_partition_was_read_to_its_end_is_looked_up(end: int, ended: bool) -> None:
    made = queues(0)
    made.put(raws(0, 1, 2), 0.0)
    made.look(lambda place: end)
    queue = made.of(("t", 0))
    assert queue is not None
    assert queue.ended == ended


@given(
    st.lists(st.lists(st.integers(0, 30), max_size=12).map(sorted), min_size=1, max_size=4),
    st.lists(st.tuples(st.integers(0, 3), st.integers(1, 5)), max_size=30),
)
def test_however_it_is_read_the_stream_is_the_same_but_for_ties(
    logs: list[list[int]], reads: list[tuple[int, int]]
) -> None:
    """Nothing is lost, each partition stays in order, and time stamps never go back."""
    made = queues(*range(len(logs)))
    at = [0] * len(logs)
    taken: list[Any] = []
    clock = count()
    everything = [(n, len(log)) for n, log in enumerate(logs)]
    for number, size in [*((n % len(logs), s) for n, s in reads), *everything]:
        begin = at[number]
        at[number] = end = min(len(logs[number]), begin + size)
        made.put(raws(number, *logs[number][begin:end], first=begin), 0.0)
        made.look(lambda place: len(logs[place.partition]))
        taken += made.take(0.001 * next(clock))
    assert stamps(taken) == sorted(stamp for log in logs for stamp in log)
    for number, log in enumerate(logs):
        assert [r.offset() for r in taken if r.partition() == number] == [*range(len(log))]
