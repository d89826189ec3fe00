"""Topics that Spark reads for the kernel of one process, of a real broker."""

from __future__ import annotations

import json
import random
from collections import Counter
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from limecep import Pipeline
from limecep.clock import Stopwatch, SystemClock
from limecep.contracts.context import Context
from limecep.testing.kafka import KafkaBroker
from limecep.testing.proxy import Proxy
from limecep_spark.config import SparkSettings, SparkSourceOptions
from limecep_spark.source import SparkSource

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("spark")]

PATIENCE_SECONDS = 120.0


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with KafkaBroker(tmp_path_factory.mktemp("kafka")) as broker:
        yield broker.address


@pytest.fixture
def topic(address: str) -> str:
    """A topic with 300 messages, some of them none of JSON."""
    from confluent_kafka import Producer
    from confluent_kafka.admin import AdminClient, NewTopic

    name, chosen = f"in.{uuid4().hex[:8]}", random.Random(1)
    admin = AdminClient({"bootstrap.servers": address})
    admin.create_topics([NewTopic(name, 2, 1)])[name].result()
    producer = Producer({"bootstrap.servers": address})
    for n in range(300):
        event = {"type": chosen.choice("AB"), "id": n, "t": 1_700_000_000 + n // 3 + chosen.choice([0, -9])}
        value = json.dumps({**event, "k": n % 7, "v": chosen.randrange(5)}) if n % 97 else "{"
        producer.produce(name, value.encode(), str(n % 7).encode(), headers={"ce": "x"})
    assert producer.flush(30) == 0
    return name


def found(folder: Path, connector: dict[str, Any], source: dict[str, Any]) -> tuple[list[str], list[Any]]:
    """What is live at the end of 300 messages, by content; and where what was none stood."""
    folder.mkdir()
    query = "PATTERN SEQ(A a, B+ b[]) WHERE b[i].v > a.v WITHIN 30 seconds PARTITION BY k"
    time = {"field": "t", "format": "epoch_s"}
    read = {"from": "broker", "as": {"field": "type"}, "id": ["$topic[0]", "id"], "time": time}
    pipeline = Pipeline.from_dict(
        {
            "version": 1,
            "name": uuid4().hex,
            "connectors": {"broker": connector},
            "sources": {"events": {**read, **source}},
            "patterns": {"rise": {"query": query, "lateness": "accept"}},
            "sinks": {
                "out": {"type": "file", "path": "out.jsonl"},
                "late": {"type": "file", "path": "late.jsonl", "of": "late"},
            },
        },
        root=folder,
    )
    try:
        pipeline.run(lambda: pipeline.report()["events"]["read"] >= 300, PATIENCE_SECONDS)
    finally:
        pipeline.close()
    live: dict[str, str] = {}
    for line in (folder / "out.jsonl").read_text().splitlines():
        record = json.loads(line)
        live[record["match"]] = record["content"]
        if record["op"] == "retract":
            del live[record["match"]]
    late = [json.loads(line)["position"] for line in (folder / "late.jsonl").read_text().splitlines()]
    return sorted(live.values()), sorted(late)


@pytest.mark.parametrize("stream", [False, True])
def test_spark_reads_a_topic_as_the_client_does(
    stream: bool, address: str, topic: str, tmp_path: Path
) -> None:
    kafka = {"type": "kafka", "brokers": address, "start": "earliest"}
    right = found(tmp_path / "kafka", kafka, {"channel": topic})
    options = {"kafka.bootstrap.servers": address, "startingOffsets": "earliest"}
    spark = {"type": "spark", "format": "kafka", "options": options}
    settings = {"stream": True, "checkpoint": "checkpoint"} if stream else {}
    # A regular expression means what it means there.
    assert found(tmp_path / "spark", spark, {"channel": f"^{topic[:-1]}", **settings}) == right
    assert len(right[0]) > 20
    assert len(right[1]) == 4


def test_brokers_that_do_not_answer_are_waited_for(address: str, topic: str, tmp_path: Path) -> None:
    cut = tmp_path / "cut"
    cut.touch()
    proxy = Proxy(int(address.rpartition(":")[2]), cut)
    told: list[str] = []
    context = Context(
        label="sources.events",
        clock=SystemClock(),
        counters=Counter(),
        logger=SimpleNamespace(warning=told.append),
        root=tmp_path,
    )
    options = {
        "kafka.bootstrap.servers": f"127.0.0.1:{proxy.port}",
        "kafka.request.timeout.ms": 1000,
        "kafka.default.api.timeout.ms": 1500,
        "fetchOffset.numRetries": 1,
        "startingOffsets": "earliest",
    }
    settings = SparkSettings(stream=True, checkpoint="checkpoint")
    source = SparkSource(topic, settings, SparkSourceOptions(format="kafka", options=options), context)
    try:
        source.open()
        watch = Stopwatch()
        while not told and watch.seconds < PATIENCE_SECONDS:
            assert not source.poll(10, 0.1)
            assert not source.connected
        assert "Timeout" in told[0]
        assert "trying again in 1 s" in told[0]
        cut.unlink()
        came = []
        while len(came) < 300 and watch.seconds < PATIENCE_SECONDS:
            came += source.poll(100, 0.1)
        assert len({m.position for m in came}) == len(came) == 300
        assert {(m.channel, m.headers) for m in came} == {(topic, (("ce", b"x"),))}
        assert {m.key for m in came} == {str(n).encode() for n in range(7)}
        assert all(m.event_time is not None for m in came)
    finally:
        source.close()
        proxy.close()
