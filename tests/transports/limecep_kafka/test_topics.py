"""Channels mean topics, and positions name places in them."""

from __future__ import annotations

import pytest

from limecep_kafka.topics import matcher, partition_of


@pytest.mark.parametrize(
    ("channel", "topics"),
    [
        ("plant.a", ["plant.a"]),
        (r"^plant\.", ["plant.a", "plant.b", "plant."]),
        (r"^plant\.a$", ["plant.a"]),
        ("^", ["plant.a", "plant.b", "plant.", "my.plant.a", ""]),
    ],
)
def test_a_channel_is_a_topic_or_an_expression_of_their_beginning(channel: str, topics: list[str]) -> None:
    matches = matcher(channel)
    assert [t for t in ("plant.a", "plant.b", "plant.", "my.plant.a", "") if matches(t)] == topics


def test_a_position_is_a_topic_a_partition_and_an_offset() -> None:
    assert partition_of("plant.a:2:17") == (("plant.a", 2), 17)
    assert partition_of("odd:name:0:5") == (("odd:name", 0), 5)
