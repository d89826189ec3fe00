"""Publishes a morning of two lines of four machines each, as their controllers do. Two messages are late.

python machines.py [mqtt://localhost:1883]
"""

from __future__ import annotations

import json
import os
import sys
import time
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import paho.mqtt.client as paho

START = datetime(2026, 3, 2, 6, tzinfo=UTC)
LINES = ("line1", "line2")
MACHINES = ("filler", "capper", "labeller", "packer")
#: Seconds from one machine to the next: what one does not pass on, the next one lacks.
APART = 25
#: When a line stops, in minutes after the start, and for how many minutes.
STOPS = [
    ("line1", 20, 6),
    ("line2", 23, 6),
    ("line1", 70, 1),
    ("line2", 100, 5),
    ("line1", 150, 8),
    ("line2", 154, 8),
]
#: Of two stops a message is late: at which minute, what, of which machine, and how many minutes.
LATE = {
    # The controller of the labeller has no network.
    ("line2", 23, "Stopped", "labeller"): 9,
    # The packer ran again after one minute; it was told when somebody asked.
    ("line2", 154, "Started", "packer"): 20,
}

#: When it is published, at which topic, and what.
Message = tuple[datetime, str, dict[str, Any]]


def messages() -> list[Message]:
    """All messages, in the order in which they are published."""
    found: list[Message] = []
    for line in LINES:
        for minute in range(200):
            say(found, line, "Count", "packer", START + timedelta(minutes=minute), timedelta(), count=30)
    for line, minute, lasts in STOPS:
        for number, machine in enumerate(MACHINES):
            at = START + timedelta(minutes=minute, seconds=APART * number)
            for event in ("Stopped", "Started"):
                late = LATE.get((line, minute, event, machine), 0)
                if event == "Started":
                    at += timedelta(minutes=1 if late else lasts)
                say(found, line, event, machine, at, timedelta(minutes=late))
    return sorted(found, key=lambda m: (m[0], m[1], m[2]["at"]))


def instant(content: dict[str, Any]) -> datetime:
    """When what a message says happened."""
    return datetime.fromisoformat(content["at"])


def say(
    found: list[Message],
    line: str,
    event: str,
    machine: str,
    at: datetime,
    late: timedelta,
    **more: Any,
) -> None:
    text = at.strftime("%Y-%m-%dT%H:%M:%SZ")
    content = {
        "event": event,
        "id": f"{line}/{machine}/{event}/{text}",
        "at": text,
        "machine": machine,
        **more,
    }
    found.append((at + late, f"plant/{line}/machines", content))


def main(url: str) -> None:
    """Publishes all of it, an hour in a few seconds."""
    parts = urlsplit(url)
    client = paho.Client(paho.CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)
    client.connect(parts.hostname or "localhost", parts.port or 1883)
    client.loop_start()
    before, everything = START, messages()
    for when, topic, content in everything:
        time.sleep((when - before).total_seconds() / 1000)
        before = when
        client.publish(topic, json.dumps(content), qos=1).wait_for_publish(30)
    client.disconnect()
    client.loop_stop()
    print(f"{len(everything)} messages published")


if __name__ == "__main__":
    main(*sys.argv[1:] or [os.environ.get("BROKER_URL", "mqtt://localhost:1883")])
