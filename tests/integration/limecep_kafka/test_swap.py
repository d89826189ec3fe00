"""One pipeline over files, Kafka and MQTT: what is found does not depend on the transport."""

from __future__ import annotations

import json
import threading
from collections import Counter
from typing import TYPE_CHECKING, Any

import paho.mqtt.client as paho
import pytest
import yaml
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from limecep import Pipeline
from limecep.testing.mosquitto import MosquittoBroker
from limecep.testing.streams import disorder, stream, with_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from conftest import Hands, Kafka

pytestmark = pytest.mark.kafka

PIPELINE = """\
version: 1
name: swap
connectors:
  broker: {connector}
sources:
  events:
    from: broker
    channel: "{channel}"
    as: {{field: type}}
    id: id
    time: {{field: time, format: epoch_s}}
patterns:
  growing:
    query: PATTERN SEQ(A a, B+ b[], C c) WITHIN 4 seconds
    lateness: accept
  quiet:
    query: PATTERN SEQ(A a, !B x, C c) WITHIN 4 seconds PARTITION BY room
    lateness: accept
    slack: none
  every:
    query: PATTERN SEQ(A a, C c) WHERE c.value > a.value WITHIN 3 seconds
    select: stam
    lateness: accept
sinks:
  out: {{type: file, path: out.jsonl, events: ids}}
"""
PATTERNS = ("growing", "quiet", "every")


def recorded() -> list[dict[str, Any]]:
    """A stream with disorder and duplicates, as devices would send it."""
    events = stream(
        11,
        500,
        gap=600_000,
        ties=0.05,
        attributes={"room": lambda r: r.choice("kl"), "value": lambda r: r.randrange(5)},
    )
    events = with_duplicates(disorder(events, 12, 0.25, 5_000_000), 13, 0.1)
    return [{"id": e.id, "type": e.type, "time": f"{e.t_gen / 1e6:.6f}", **e.payload} for e in events]


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[MosquittoBroker]:
    with MosquittoBroker(tmp_path / "broker") as broker:
        yield broker


def document(connector: dict[str, Any], channel: str) -> Any:
    """The pipeline: nothing else of it may differ."""
    return yaml.safe_load(PIPELINE.format(connector=json.dumps(connector), channel=channel))


def found(folder: Path, document: Any, count: int) -> tuple[Counter[str], dict[str, int]]:
    """The net results of a run that reads so many events, and what became of these."""
    pipeline = Pipeline.from_dict(document, root=folder)
    pipeline.run(lambda: pipeline.report()["events"]["read"] >= count, 30)
    pipeline.close()
    events: dict[str, int] = pipeline.report()["events"]
    live: dict[str, str] = {}
    for line in (folder / "out.jsonl").read_text().splitlines():
        record = json.loads(line)
        if record["op"] == "retract":
            del live[record["match"]]
        else:
            live[record["match"]] = json.dumps([record["pattern"], record["key"], record["events"]])
    return Counter(live.values()), events


def publish(port: int, messages: list[tuple[str, bytes]]) -> None:
    """Publishes in order with QoS 1; returns when the broker has everything."""
    client = paho.Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
    left, taken = [len(messages)], threading.Event()

    def on_publish(*_: Any) -> None:
        left[0] -= 1
        if not left[0]:
            taken.set()

    client.on_publish = on_publish
    client.connect("127.0.0.1", port)
    client.loop_start()
    for topic, payload in messages:
        client.publish(topic, payload, 1)
    assert taken.wait(30)
    client.disconnect()
    client.loop_stop()


def test_the_net_results_are_the_same_over_every_transport(
    kafka: Kafka, hands: Hands, mosquitto: MosquittoBroker, tmp_path: Path
) -> None:
    sent = recorded()
    values = [json.dumps(message).encode() for message in sent]

    folders = {name: tmp_path / name for name in ("file", "kafka", "mqtt")}
    for folder in folders.values():
        folder.mkdir()

    (folders["file"] / "events.jsonl").write_bytes(b"\n".join(values) + b"\n")
    by_file = document({"type": "file"}, "events.jsonl")
    from_file, of_file = found(folders["file"], by_file, len(sent))

    topic = hands.topic(3)
    for n, value in enumerate(values):
        hands.send(topic, value, key=b"%d" % (n % 5))
    hands.flush()
    connector = {"type": "kafka", "brokers": kafka.address, "group": topic, "start": "earliest"}
    from_kafka, of_kafka = found(folders["kafka"], document(connector, topic), len(sent))

    connector = {"type": "mqtt", "url": f"mqtt://127.0.0.1:{mosquitto.port}", "client_id": "swap"}
    by_mqtt = document(connector, "plant/#")
    # Leaves the subscription for which the broker keeps what is published.
    first = Pipeline.from_dict(by_mqtt, root=folders["mqtt"])
    first.run(lambda: False, 0.2)
    first.close()
    publish(mosquitto.port, [(f"plant/{m['type']}", v) for m, v in zip(sent, values, strict=True)])
    from_mqtt, of_mqtt = found(folders["mqtt"], by_mqtt, len(sent))

    for name in PATTERNS:
        assert sum(json.loads(match)[0] == name for match in from_file) > 10
    assert from_kafka == from_file
    assert from_mqtt == from_file
    for events in (of_file, of_kafka, of_mqtt):
        assert events["read"] == len(sent)
        assert events["duplicate"] > 20
        assert events["out_of_order"] > 50
        assert events["invalid"] == events["extremely_late"] == events["future"] == 0
