"""Where partitions begin: where the run, the state or the group has come to, else where the options say."""

from __future__ import annotations

from typing import Any

import pytest
from confluent_kafka import OFFSET_END, OFFSET_INVALID, TopicPartition

from limecep.testing.bench import SilentLogger
from limecep_kafka.config import KafkaOptions
from limecep_kafka.start_offsets import ANSWER_SECONDS, Beginnings

T0, T1, U0 = ("t", 0), ("t", 1), ("u", 0)


class Group:
    """A consumer: what its group has committed, and which offsets there are, from 10 to 20."""

    def __init__(self, **committed: int) -> None:
        self.known = {(name[0], int(name[1])): offset for name, offset in committed.items()}
        self.timed = 15
        self.asked: list[int] = []
        self.commits: list[tuple[dict[tuple[str, int], int], bool]] = []

    def committed(self, places: list[Any], timeout: float) -> list[TopicPartition]:
        assert timeout == ANSWER_SECONDS
        keys = [(p.topic, p.partition) for p in places]
        return [TopicPartition(*key, self.known.get(key, OFFSET_INVALID)) for key in keys]

    def get_watermark_offsets(self, place: Any, timeout: float) -> tuple[int, int]:
        assert timeout == ANSWER_SECONDS
        return 10, 20

    def offsets_for_times(self, places: list[Any], timeout: float) -> list[TopicPartition]:
        assert timeout == ANSWER_SECONDS
        self.asked += [place.offset for place in places]
        return [TopicPartition(place.topic, place.partition, self.timed) for place in places]

    def commit(self, *, offsets: list[Any], asynchronous: bool) -> None:
        self.commits.append((offsets_of(offsets), asynchronous))


def offsets_of(places: list[Any]) -> dict[tuple[str, int], int]:
    return {(p.topic, p.partition): p.offset for p in places}


class Begun:
    """Beginnings, what they log, and what they say is lost."""

    def __init__(self, start: str = "latest") -> None:
        self.logger = SilentLogger()
        self.lost: list[tuple[str, int]] = []
        options = KafkaOptions(brokers="h:1", start=start)
        self.beginnings = Beginnings(options, self.logger, lambda topic, n: self.lost.append((topic, n)))

    def of(self, group: Any, *keys: tuple[str, int], **reached: int) -> dict[tuple[str, int], int]:
        places = [TopicPartition(*key) for key in keys]
        known = {(name[0], int(name[1])): offset for name, offset in reached.items()}
        return offsets_of(self.beginnings.of(group, places, known))


@pytest.mark.parametrize(("start", "begin"), [("earliest", 10), ("latest", 20)])
def test_the_first_time_partitions_begin_where_the_options_say(start: str, begin: int) -> None:
    made, group = Begun(start), Group()
    assert made.of(group, T0, U0) == {T0: begin, U0: begin}
    # What nothing happens in is known the next time.
    assert group.commits == [({T0: begin, U0: begin}, True)]
    assert (made.logger.entries, made.lost) == ([], [])


@pytest.mark.parametrize(("timed", "begin"), [(15, 15), (0, 0), (OFFSET_END, 20), (-1, 20)])
def test_a_start_may_be_a_time_of_which_the_brokers_know_the_offset(timed: int, begin: int) -> None:
    made, group = Begun("1970-01-01T00:00:01.0019Z"), Group()
    group.timed = timed
    assert made.of(group, T0) == {T0: begin}
    assert group.asked == [1001]


def test_no_time_is_before_that_of_the_first_record() -> None:
    group = Group()
    Begun("1969-12-31T00:00:00Z").of(group, T0)
    assert group.asked == [0]


def test_this_run_counts_before_the_state_and_the_state_before_the_group() -> None:
    made, group = Begun(), Group(t0=12, t1=12, u0=12)
    made.beginnings.tell({T0: 14, T1: 17})
    made.beginnings.tell({T0: 16, T1: 13})
    assert made.of(group, T0, T1, U0, t0=18) == {T0: 18, T1: 13, U0: 12}
    assert group.commits == []
    assert made.of(group, T0) == {T0: 14}


def test_an_offset_of_0_is_one() -> None:
    made = Begun("earliest")
    assert made.of(Group(t0=0), T0) == {T0: 10}
    assert made.lost == [("t", 10)]


def test_a_partition_that_joins_a_known_topic_is_read_from_its_beginning() -> None:
    made, group = Begun("latest"), Group(t0=12)
    assert made.of(group, T0, T1, U0) == {T0: 12, T1: 10, U0: 20}
    assert group.commits == [({T1: 10, U0: 20}, True)]


def test_a_partition_that_appears_later_is_read_from_its_beginning() -> None:
    made, group = Begun("latest"), Group()
    assert made.of(group, T0) == {T0: 20}
    assert made.of(group, U0) == {U0: 10}


def test_after_a_start_without_partitions_any_is_a_later_one() -> None:
    made, group = Begun("latest"), Group()
    assert made.of(group) == {}
    assert made.of(group, T0) == {T0: 10}


def test_a_topic_that_was_waited_for_is_read_from_its_beginning() -> None:
    made, group = Begun("latest"), Group()
    made.beginnings.awaited.add("u")
    assert made.of(group, T0, U0) == {T0: 20, U0: 10}


@pytest.mark.parametrize("offset", [10, 15, 20])
def test_an_offset_that_there_is_is_gone_on_from(offset: int) -> None:
    made = Begun()
    assert made.of(Group(t0=offset), T0) == {T0: offset}
    assert (made.logger.entries, made.lost) == ([], [])


def test_messages_that_were_deleted_before_they_were_read_are_counted_and_logged() -> None:
    made = Begun()
    assert made.of(Group(t1=7), T1) == {T1: 10}
    assert made.lost == [("t", 3)]
    said = "messages were deleted before they were read: the topic keeps too little"
    assert made.logger.entries == [("warning", said, {"partition": "t:1", "lost": 3})]


def test_a_topic_that_was_made_anew_is_read_from_its_beginning() -> None:
    made = Begun()
    assert made.of(Group(t1=21), T1) == {T1: 10}
    assert made.lost == []
    said = "the topic ends before the position to go on from: made anew? read from its beginning"
    assert made.logger.entries == [("warning", said, {"partition": "t:1", "position": 21})]
