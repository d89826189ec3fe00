"""Publishes the morning of `../monitoring` for three patients as devices do: the watch sends what it has
every three minutes, and every tenth message comes twice.

    python publish.py [mqtt://localhost:1883]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from urllib.parse import urlsplit

import paho.mqtt.client as paho

sys.path.append(str(Path(__file__).parents[1] / "monitoring"))
from patients import messages


def main(url: str) -> None:
    """Publishes all of it, as fast as the broker takes it."""
    parts = urlsplit(url)
    client = paho.Client(paho.CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)
    client.connect(parts.hostname or "localhost", parts.port or 1883)
    client.loop_start()
    everything = messages()
    for _, channel, content in everything:
        client.publish(channel, json.dumps(content), qos=1).wait_for_publish(30)
    client.disconnect()
    client.loop_stop()
    print(f"{len(everything)} messages published")


if __name__ == "__main__":
    main(*sys.argv[1:] or ["mqtt://localhost:1883"])
