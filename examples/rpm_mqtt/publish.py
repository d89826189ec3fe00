"""Publishes the morning of `../monitoring` for three patients as devices do: the watch sends what it has
every three minutes, and every tenth message comes twice.

    python publish.py [mqtt://localhost:1883]
"""

from __future__ import annotations

import csv
import json
import random
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import paho.mqtt.client as paho

DATA = Path(__file__).parents[1] / "monitoring"
#: How much later each patient's morning begins.
PATIENTS = {"p1": timedelta(0), "p2": timedelta(minutes=7), "p3": timedelta(hours=2)}
#: How often the watch sends.
SYNC = 180

Message = tuple[str, dict[str, Any]]


def messages() -> list[Message]:
    """Channel and content of every message, in the order of sending."""
    sent = [s for patient, shift in PATIENTS.items() for s in _of(patient, shift)]
    chance = random.Random(8)
    # A copy comes a little later than the message itself.
    sent += [(at + chance.uniform(1, 60), *rest) for at, *rest in sent if chance.random() < 0.1]
    return [(channel, content) for _, channel, content in sorted(sent, key=lambda s: s[0])]


def _of(patient: str, shift: timedelta) -> list[tuple[float, str, dict[str, Any]]]:
    found = []
    for name in ("vest", "rooms"):
        with (DATA / f"{name}.csv").open(newline="") as file:
            for row in csv.DictReader(file):
                time = datetime.fromisoformat(row.pop("time")) + shift
                values = {key: int(v) if v.isdecimal() else v for key, v in row.items()}
                content = {"patient": patient, "time": time.isoformat(), **values}
                found.append((time.timestamp() + 0.2, f"rpm.{name}", content))
    for line in (DATA / "watch.jsonl").read_text().splitlines():
        content = json.loads(line)
        content |= {"patient": patient, "at": content["at"] + shift.total_seconds()}
        # Those of one sending keep their order.
        found.append((content["at"] // SYNC * SYNC + SYNC, "rpm.watch", content))
    return found


def main(url: str) -> None:
    """Publishes all of it, as fast as the broker takes it."""
    parts = urlsplit(url)
    client = paho.Client(paho.CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)
    client.connect(parts.hostname or "localhost", parts.port or 1883)
    client.loop_start()
    everything = messages()
    for channel, content in everything:
        client.publish(channel, json.dumps(content), qos=1).wait_for_publish(30)
    client.disconnect()
    client.loop_stop()
    print(f"{len(everything)} messages published")


if __name__ == "__main__":
    main(*sys.argv[1:] or ["mqtt://localhost:1883"])
