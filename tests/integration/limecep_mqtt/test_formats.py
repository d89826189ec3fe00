"""Messages at a broker may have any format."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from limecep import Pipeline

pytestmark = pytest.mark.mqtt


def test_events_come_in_every_format(wire: Any, match_of: Any, mosquitto: Any, friend: Any) -> None:
    topic = f"formats/{uuid4().hex}"
    connector = {
        "type": "mqtt",
        "url": f"mqtt://127.0.0.1:{mosquitto.port}",
        "client_id": topic.replace("/", "-"),
    }
    first = Pipeline.from_dict(
        {
            "version": 1,
            "name": "first",
            "connectors": {"in": connector},
            "sources": {"s": {"from": "in", "channel": topic, "as": "A", "id": "id", "time": "time"}},
            "patterns": {"p": {"query": "PATTERN SEQ(A a) WITHIN 1 s"}},
        }
    )
    # Leaves the subscription for which the broker keeps what is published.
    first.run(lambda: False, 0.2)
    first.close()
    for value, given in wire.messages:
        friend.publish(topic, value, headers=[(n, v.encode()) for n, v in given.items()])
    match = match_of(wire, connector, topic)
    assert (match["start"], match["end"]) == ("1970-01-01T00:00:01.5Z", "1970-01-01T00:00:02Z")
    values = [match["events"][name][0]["payload"]["value"] for name in "ab"]
    assert values == [7, 8]
