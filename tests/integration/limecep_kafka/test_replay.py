"""What was read is read once more, from shortly before a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from confluent_kafka import TopicPartition

if TYPE_CHECKING:
    from conftest import Hands, Sources

pytestmark = pytest.mark.kafka

BEGIN = 1_767_607_200_000


def test_replay_begins_shortly_before_the_time_that_is_asked_for(hands: Hands, sources: Sources) -> None:
    topic = hands.topic(1)
    hour = 3_600_000
    for n in range(10):
        hands.publish(topic, [b"%d" % n], timestamp=BEGIN + n * hour)
    source = sources.make(topic, start="earliest")
    source.open()
    sources.messages(source, 8)
    replayed = source.replay((BEGIN + 5 * hour) * 1000, (BEGIN + 6 * hour) * 1000)
    assert replayed is not None
    assert [m.value for m in replayed] == [b"5", b"6", b"7"]
    assert [m.value for m in source.poll(10, 1.0)] == [b"8", b"9"]


def test_replay_says_so_where_the_log_does_not_go_back_so_far(hands: Hands, sources: Sources) -> None:
    topic = hands.topic(1)
    for n in range(10):
        hands.publish(topic, [b"%d" % n], timestamp=BEGIN + n * 3_600_000)
    source = sources.open(topic, start="earliest")
    sources.messages(source, 10)
    gone = TopicPartition(topic, 0, 4)
    hands.admin.delete_records([gone])[gone].result()
    assert source.replay((BEGIN + 2 * 3_600_000) * 1000, 10**18) is None
    # A log it is all the same.
    assert source.replay(0, -1) is not None
    replayed = source.replay((BEGIN + 5 * 3_600_000) * 1000, 10**18)
    assert replayed is not None
    assert [m.value for m in replayed] == [b"%d" % n for n in range(5, 10)]
