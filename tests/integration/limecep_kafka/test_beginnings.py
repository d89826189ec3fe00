"""Where a source begins, and what it says where that is not there any more."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from confluent_kafka import TopicPartition
from confluent_kafka.admin import NewPartitions

if TYPE_CHECKING:
    from conftest import Hands, Sources

    from limecep_kafka.source import KafkaSource

pytestmark = pytest.mark.kafka


def commit_all(sources: Sources, source: KafkaSource, count: int) -> None:
    source.commit([m.position for m in sources.messages(source, count)])
    source.close()


def test_the_first_start_is_at_the_end_or_at_the_beginning(hands: Hands, sources: Sources) -> None:
    topic = hands.topic()
    hands.publish(topic, [b"before"])
    earliest = sources.open(topic, group="e", start="earliest")
    latest = sources.open(topic, group="l")
    hands.publish(topic, [b"after"])
    assert sorted(sources.values(earliest, 2)) == [b"after", b"before"]
    assert sources.values(latest, 1) == [b"after"]


def test_the_first_start_may_be_at_a_time(hands: Hands, sources: Sources) -> None:
    topic = hands.topic()
    for n in range(6):
        hands.publish(topic, [b"%d" % n], partition=n % 2, timestamp=1_767_607_200_000 + n)
    start = datetime.fromtimestamp(1_767_607_200.003, UTC).isoformat()
    assert sources.values(sources.open(topic, start=start), 3) == [b"3", b"4", b"5"]
    late = sources.open(topic, sources.context("other"), start="2100-01-01T00:00:00Z")
    hands.publish(topic, [b"new"], partition=0)
    assert sources.values(late, 1) == [b"new"]


@pytest.mark.parametrize("start", ["latest", "earliest"])
def test_a_later_start_misses_nothing_even_where_nothing_had_happened(
    hands: Hands, sources: Sources, start: str
) -> None:
    topic = hands.topic()
    hands.publish(topic, [b"old"])
    first = sources.open(topic, start=start)
    hands.publish(topic, [b"seen"], partition=0)
    commit_all(sources, first, 1 if start == "latest" else 2)
    for partition in range(3):
        hands.publish(topic, [b"meanwhile %d" % partition], partition=partition)
    again = sources.open(topic, start="latest")
    assert sorted(sources.values(again, 3)) == [b"meanwhile 0", b"meanwhile 1", b"meanwhile 2"]


def test_partitions_added_while_it_was_away_are_read_from_their_beginning(
    hands: Hands, sources: Sources
) -> None:
    topic = hands.topic(1)
    first = sources.open(topic)
    hands.publish(topic, [b"seen"])
    commit_all(sources, first, 1)
    hands.admin.create_partitions([NewPartitions(topic, 3)])[topic].result()
    for partition in range(3):
        hands.publish(topic, [b"%d" % partition], partition=partition)
    assert sorted(sources.values(sources.open(topic), 3)) == [b"0", b"1", b"2"]
    assert "asking for partitions that are new" in sources.said("info")


def test_partitions_and_topics_that_appear_are_read_from_their_beginning(
    hands: Hands, sources: Sources
) -> None:
    name = hands.topic(1)
    options = {"client": {"topic.metadata.refresh.interval.ms": 500}}
    source = sources.open(f"^{name}", **options)
    hands.admin.create_partitions([NewPartitions(name, 2)])[name].result()
    hands.publish(name, [b"partition"], partition=1)
    hands.topic(1, name=f"{name}.more")
    hands.publish(f"{name}.more", [b"topic"])
    assert sorted(sources.values(source, 2)) == [b"partition", b"topic"]


def test_a_topic_that_is_not_there_yet_is_waited_for(hands: Hands, sources: Sources) -> None:
    name = hands.topic(1) + ".later"
    source = sources.make(
        name, client={"topic.metadata.refresh.interval.ms": 500, "allow.auto.create.topics": False}
    )
    source.open()
    sources.until(lambda: "there is no such topic yet; waiting for it" in sources.said(), source)
    hands.topic(1, name=name)
    hands.publish(name, [b"first"])
    assert sources.values(source, 1) == [b"first"]


def test_what_was_deleted_before_it_was_read_is_told_and_counted(hands: Hands, sources: Sources) -> None:
    topic = hands.topic(1)
    first = sources.open(topic)
    hands.publish(topic, [b"seen"])
    commit_all(sources, first, 1)
    hands.publish(topic, [b"%d" % n for n in range(10)])
    gone = TopicPartition(topic, 0, 5)
    hands.admin.delete_records([gone])[gone].result()
    assert sources.values(sources.open(topic), 6) == [b"4", b"5", b"6", b"7", b"8", b"9"]
    assert sources.counters["lost"] == 4
    assert "messages were deleted before they were read: the topic keeps too little" in sources.said()


def test_a_topic_made_anew_is_read_from_its_beginning(hands: Hands, sources: Sources) -> None:
    topic = hands.topic(1)
    first = sources.make(topic)
    first.seek([f"{topic}:0:17"])
    first.open()
    hands.publish(topic, [b"new"])
    assert sources.values(first, 1) == [b"new"]
    assert any(said.startswith("the topic ends before the position") for said in sources.said())
