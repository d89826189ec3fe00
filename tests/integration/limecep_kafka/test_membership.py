"""A pipeline has its group for itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from confluent_kafka import Consumer

from limecep.clock import Stopwatch
from limecep.errors import RunFailure

if TYPE_CHECKING:
    from conftest import Hands, Kafka, Sources

    from limecep.contracts.source import Message
    from limecep_kafka.source import KafkaSource

pytestmark = pytest.mark.kafka


def failure(source: KafkaSource, stranger: Consumer | None = None) -> str:
    """What ends the run."""
    watch = Stopwatch()
    while watch.seconds < 30:
        if stranger is not None:
            stranger.poll(0.05)
        try:
            source.poll(10, 0.05)
        except RunFailure as error:
            return str(error)
    return "nothing"


def test_a_second_run_takes_over_and_the_first_one_ends(hands: Hands, sources: Sources) -> None:
    topic = hands.topic()
    first = sources.open(topic)
    watch = Stopwatch()
    second = sources.open(topic)
    assert watch.seconds < 5
    assert "another run of this pipeline has taken over the partitions of group" in failure(first)
    hands.publish(topic, [b"1"])
    assert sources.values(second, 1) == [b"1"]


def test_another_pipeline_in_the_group_waits_until_the_first_is_gone(hands: Hands, sources: Sources) -> None:
    topic = hands.topic()
    timeout = {"session.timeout.ms": 6000, "heartbeat.interval.ms": 500}
    first = sources.open(topic, sources.context("a"), group=sources.name, client=timeout)
    other = sources.make(topic, sources.context("b"), group=sources.name)
    other.open()
    sources.until(lambda: bool(sources.said()), first, other)
    assert sources.said() == ["the consumer group is in use: waiting until its members are gone"]
    hands.publish(topic, [b"1"])
    assert sources.values(first, 1) == [b"1"]
    assert not other.connected
    first.close()
    sources.until(lambda: other.connected, other)
    hands.publish(topic, [b"2"])
    assert b"2" in sources.values(other, 2)


def test_losing_partitions_to_another_member_ends_the_run(
    hands: Hands, sources: Sources, kafka: Kafka
) -> None:
    topic = hands.topic()
    first = sources.open(topic)
    stranger = Consumer(
        {
            "bootstrap.servers": kafka.address,
            "group.id": sources.name,
            "partition.assignment.strategy": "cooperative-sticky",
        }
    )
    stranger.subscribe([topic])
    said = failure(first, stranger)
    stranger.close()
    assert f"another member of the group '{sources.name}' has taken {topic}:" in said
    assert "give it a group of its own" in said


def test_closing_does_not_wait_for_brokers_that_are_away(
    hands: Hands, kafka: Kafka, new_sources: type[Sources]
) -> None:
    sources = new_sources(kafka.proxied)
    topic = hands.topic()
    source = sources.open(topic)
    hands.publish(topic, [b"1"])
    messages = sources.messages(source, 1)
    with kafka.cut():
        source.poll(1, 0.5)
        source.commit([m.position for m in messages])
        watch = Stopwatch()
        source.close()
        assert watch.seconds < 10
    [said] = [text for text in sources.said() if text.startswith("the brokers do not answer")]
    assert "come again" in said


def test_two_sources_may_read_one_topic(hands: Hands, sources: Sources) -> None:
    topic = hands.topic()
    context = sources.context()
    both = [sources.make(channel, context) for channel in (topic, f"^{topic}$")]
    for source in both:
        source.open()
    sources.until(lambda: all(s.connected for s in both), *both)
    hands.publish(topic, [b"1", b"2"])
    came: list[list[Message]] = [[], []]
    watch = Stopwatch()
    while [len(c) for c in came] != [2, 2] and watch.seconds < 30:
        for source, messages in zip(both, came, strict=True):
            messages += source.poll(5, 0.05)
    assert [sorted(m.value for m in messages) for messages in came] == [[b"1", b"2"]] * 2
    both[0].commit([m.position for m in came[0]])
    for source in both:
        source.close()
    # What one of them is not done with comes again.
    assert sorted(sources.values(sources.open(topic), 2)) == [b"1", b"2"]
