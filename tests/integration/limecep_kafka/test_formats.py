"""Messages of a topic may have any format."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.kafka


def test_events_come_in_every_format(wire: Any, match_of: Any, kafka: Any, hands: Any) -> None:
    topic = hands.topic(1)
    for value, given in wire.messages:
        # What Kafka calls the attributes of a CloudEvent.
        prefix = "ce_" if wire.attributes else ""
        headers = [(n if n == "content-type" else f"{prefix}{n}", v.encode()) for n, v in given.items()]
        hands.send(topic, value, headers=headers)
    hands.flush()
    match = match_of(
        wire, {"type": "kafka", "brokers": kafka.address, "group": topic, "start": "earliest"}, topic
    )
    assert (match["start"], match["end"]) == ("1970-01-01T00:00:01.5Z", "1970-01-01T00:00:02Z")
    values = [match["events"][name][0]["payload"]["value"] for name in "ab"]
    assert values == [7, 8]
