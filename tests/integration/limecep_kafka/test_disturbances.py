"""Whatever happens to the broker and to the connection, a pipeline finds what it finds in a file."""

from __future__ import annotations

import json
import os
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from limecep.clock import Stopwatch, pause
from limecep.testing.broker import free_port
from limecep.testing.kafka import KafkaBroker
from limecep.testing.streams import disorder, stream, with_duplicates

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from conftest import Hands, Kafka, Run

pytestmark = pytest.mark.kafka

#: How long the connection is cut, in seconds; by command longer.
CUT = float(os.environ.get("LIMECEP_CUT_SECONDS", "3"))
PATIENCE_SECONDS = 30.0 + CUT


def document(connector: dict[str, Any], channel: str, sink: dict[str, Any]) -> dict[str, Any]:
    return {
        "version": 1,
        "name": "disturbed",
        "connectors": {"broker": connector},
        "sources": {
            "events": {
                "from": "broker",
                "channel": channel,
                "as": {"field": "type"},
                "id": "id",
                "time": {"field": "time", "format": "epoch_s"},
            }
        },
        "patterns": {
            "p": {
                "query": "PATTERN SEQ(A a, B+ b[], C c) WITHIN 4 seconds",
                "lateness": "accept",
                "slack": "none",
            }
        },
        "sinks": {"out": sink},
    }


def messages(count: int) -> list[bytes]:
    """A stream with disorder and duplicates, as devices would send it."""
    events = with_duplicates(disorder(stream(3, count, gap=600_000), 4, 0.2, 5_000_000), 5, 0.1)
    return [json.dumps({"id": e.id, "type": e.type, "time": f"{e.t_gen / 1e6:.6f}"}).encode() for e in events]


def net(records: Sequence[dict[str, Any]]) -> Counter[str]:
    live: dict[str, str] = {}
    for record in records:
        if record["op"] == "retract":
            del live[record["match"]]
        else:
            live[record["match"]] = json.dumps(record["events"])
    return Counter(live.values())


def expected(run: Callable[..., Run], folder: Path, sent: Sequence[bytes]) -> Counter[str]:
    (folder / "events.jsonl").write_bytes(b"\n".join(sent) + b"\n")
    sink = {"type": "stdout", "format": "json", "events": "ids"}
    from_file = run(document({"type": "file"}, "events.jsonl", sink))
    assert from_file.end(None) == 0, from_file.errors.read_text()
    found = net([json.loads(line) for line in from_file.output.read_text().splitlines()])
    assert len(found) > 20
    return found


@pytest.mark.parametrize("what", ["the broker crashes", "the connection is cut"])
def test_nothing_is_lost_nor_found_twice(
    what: str, kafka: Kafka, hands: Hands, run: Callable[..., Run], tmp_path: Path
) -> None:
    sent = messages(600)
    wanted = expected(run, tmp_path, sent)
    topic = hands.topic()
    hands.topic(1, name=f"{topic}.out")
    connector = {"type": "kafka", "brokers": kafka.proxied, "group": topic, "start": "earliest"}
    sink = {"to": "broker", "channel": f"{topic}.out", "events": "ids"}
    running = run(document(connector, topic, sink))
    third = len(sent) // 3
    hands.publish(topic, sent[:third], key=b"k")
    hands.read(f"{topic}.out", 1, PATIENCE_SECONDS)
    if what == "the broker crashes":
        kafka.restart()
        hands.publish(topic, sent[third : 2 * third], key=b"k")
    else:
        with kafka.cut():
            hands.publish(topic, sent[third : 2 * third], key=b"k")
            pause(CUT)
    hands.publish(topic, sent[2 * third :], key=b"k")
    watch, found = Stopwatch(), Counter[str]()
    while found != wanted and watch.seconds < PATIENCE_SECONDS:
        found = net([json.loads(m.value()) for m in hands.read(f"{topic}.out", 0, PATIENCE_SECONDS)])
    assert found == wanted
    assert running.end() == 0
    events = running.report["events"]
    assert events["read"] >= len(sent)
    assert events["invalid"] == events["extremely_late"] == 0


def test_a_broker_may_come_later_than_the_run(
    run: Callable[..., Run], new_hands: type[Hands], tmp_path: Path
) -> None:
    """A time to run is counted from then."""
    port = free_port()
    connector = {
        "type": "kafka",
        "brokers": f"127.0.0.1:{port}",
        "start": "earliest",
        "client": {"topic.metadata.refresh.interval.ms": 500},
    }
    running = run(document(connector, "late", {"type": "stdout", "format": "json"}), "--for", "3s")
    watch = Stopwatch()
    while "the brokers cannot be reached; trying again" not in running.errors.read_text():
        assert watch.seconds < PATIENCE_SECONDS, running.errors.read_text()
        assert running.process.poll() is None
        pause(0.1)
    with KafkaBroker(tmp_path / "broker", port=port) as broker:
        hands = new_hands(broker.address)
        hands.topic(3, name="late")
        hands.publish("late", messages(30), key=b"k")
        assert running.end(None) == 0, running.errors.read_text()
    assert running.report["events"]["read"] == len(messages(30))
    assert running.output.read_text()
