"""A backlog is read in the order in which it came about, and no faster than it is taken."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from limecep.clock import Stopwatch
from limecep_kafka import partition_queues

if TYPE_CHECKING:
    from conftest import Hands, Sources

pytestmark = pytest.mark.kafka

BEGIN = 1_767_607_200_000


def backlog(hands: Hands, topics: list[str], count: int, size: int = 40) -> list[bytes]:
    """Messages a millisecond apart, in stretches of a few hundred to a partition."""
    random, sent, at = Random(17), [], (topics[0], 0)
    for n in range(count):
        if n % 300 == 0:
            at = random.choice(topics), random.randrange(3)
        sent.append(b"%08d" % n + b"x" * (size - 8))
        hands.send(at[0], sent[-1], partition=at[1], timestamp=BEGIN + n)
    hands.flush()
    return sent


def test_partitions_are_merged_by_their_time_stamps(hands: Hands, sources: Sources) -> None:
    topic = hands.topic()
    sent = backlog(hands, [topic], 20_000)
    source = sources.open(topic, start="earliest")
    came = sources.messages(source, len(sent), limit=700)
    assert [m.value for m in came] == sent
    arrivals = [m.t_arr or 0 for m in came]
    assert arrivals == sorted(set(arrivals))
    assert [m.event_time for m in came] == [(BEGIN + n) * 1000 for n in range(len(sent))]


def test_sources_of_one_connector_are_merged_as_well(hands: Hands, sources: Sources) -> None:
    topics = [hands.topic() for _ in range(3)]
    sent = backlog(hands, topics, 9_000)
    context = sources.context()
    made = [sources.make(topic, context, start="earliest") for topic in topics]
    for source in made:
        source.open()
    came: list[Any] = []

    def turn() -> bool:
        # What one turn brings is merged by arrival, as the kernel does.
        came.extend(sorted((m for s in made for m in s.poll(500, 0.05)), key=lambda m: m.t_arr))
        return len(came) >= len(sent)

    sources.until(turn)
    assert [m.value for m in came] == sent


def test_a_partition_that_is_ahead_waits_without_anything_lost(
    hands: Hands, sources: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(partition_queues, "HELD_MESSAGES", 3_000)
    topic = hands.topic()
    # One partition has everything of the first half, another that of the second: the second must wait.
    sent = [b"%08d" % n for n in range(30_000)]
    for n, value in enumerate(sent):
        hands.send(topic, value, partition=n // 15_000, timestamp=BEGIN + n)
    hands.flush()
    source = sources.make(topic, start="earliest", client={"fetch.message.max.bytes": 50_000})
    source.open()
    subscriber: Any = source._subscriber
    came: list[Any] = []
    held = 0
    paused = False
    while len(came) < len(sent):
        came.extend(source.poll(500, 0.05))
        each = list(subscriber._queues._queues.values())
        held = max(held, sum(len(queue.raws) for queue in each))
        paused = paused or any(queue.paused for queue in each)
    assert [m.value for m in came] == sent
    assert paused
    assert held < 10_000
    watch = Stopwatch()
    replayed = source.replay(0, 10**18)
    assert replayed is not None
    assert [m.value for m in replayed] == sent
    assert watch.seconds < partition_queues.STALLED_SECONDS


def test_the_broker_may_stamp_what_arrives(hands: Hands, sources: Sources) -> None:
    topic = hands.topic(1, {"message.timestamp.type": "LogAppendTime"})
    source = sources.open(topic)
    hands.publish(topic, [b"1"], timestamp=BEGIN)
    [message] = sources.messages(source, 1)
    assert message.t_arr is not None
    assert message.t_arr == message.event_time
    assert message.t_arr > BEGIN * 1000
