"""Pipelines over Kafka on Spark: the same file as in one process, against a real broker."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol
from uuid import uuid4

import pytest

from limecep import Pipeline, cli
from limecep.cli.exits import Exit
from limecep.clock import Stopwatch
from limecep.testing.kafka import PASSWORD, USER, KafkaBroker
from limecep_expand.folding import live

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

pytestmark = pytest.mark.spark

PATIENCE = 120.0

PIPELINE = """\
version: 1
name: NAME
connectors:
  broker:
    type: kafka
    brokers: "BROKERS"
    start: earliest
    client:
      security.protocol: sasl_ssl
      sasl.mechanism: PLAIN
      sasl.username: USER
      sasl.password: PASSWORD
      ssl.ca.location: CERTIFICATE
      reconnect.backoff.max.ms: 1000
sources:
  events:
    from: broker
    channel: '^NAME[.]in[.].$'
    format: cloudevents
    as: {field: ce.type}
    id: ce.id
    time: {field: t, format: epoch_s}
    key: $topic[2]
patterns:
  rise:
    query: "PATTERN SEQ(A a, B+ b[], C c) WHERE b[i].v > a.v WITHIN 30 seconds PARTITION BY k"
    lateness: accept
  absent: {query: "PATTERN SEQ(C a, NOT D d, B b) WITHIN 7 seconds PARTITION BY k", lateness: accept}
sinks:
  out: {type: file, path: out, events: ids}
  late: {type: file, path: late, of: late}
  now: {to: broker, channel: "NAME.out.{pattern}", mode: upsert, events: ids, envelope: cloudevents}
  refused: {to: broker, channel: NAME.late, of: late}
"""
#: A table besides, whose rows count as they were written last, until a tombstone withdraws them.
ORDERS = """
  orders: {from: broker, channel: NAME.orders, as: Order, id: [k, n], time: {field: t, format: epoch_s},
           revise: {}}
patterns:
  ordered: {query: "PATTERN SEQ(A a, Order o) WHERE o.v > a.v WITHIN 9 seconds PARTITION BY k",
            lateness: accept}
"""
RUNNER = ("--runner", "spark", "--master", "local[2]", "--checkpoint", "checkpoint", "--partitions", "2")
COMMAND = (sys.executable, "-m", "limecep", "run", "p.yaml", "--quiet")
#: Sinks of its own, for a run in one process.
LOCAL = (
    "sinks.out.path=local.jsonl",
    "sinks.late.path=local-late.jsonl",
    "sinks.now.channel=local.now",
    "sinks.refused.channel=local.late",
)

#: A row of a table with its key; None: a tombstone.
Row = tuple[dict[str, Any], dict[str, Any] | None]


class Broker:
    """A broker, and what the tests do there by other means than limecep."""

    def __init__(self, made: KafkaBroker) -> None:
        from confluent_kafka import Producer
        from confluent_kafka.admin import AdminClient

        address = made.address
        self.address = address
        #: How a pipeline finds it, who it is there, and whom it believes.
        self.entrance = {
            "BROKERS": made.guarded,
            "USER": USER,
            "PASSWORD": PASSWORD,
            "CERTIFICATE": str(made.certificate),
        }
        self._admin = AdminClient({"bootstrap.servers": address})
        # It goes on when the broker is gone, and is not to say so at the end of the tests.
        self._producer = Producer({"bootstrap.servers": address, "enable.idempotence": True, "log_level": 0})

    def topics(self, *names: str, partitions: int = 2) -> None:
        """Makes topics."""
        from confluent_kafka.admin import NewTopic

        for made in self._admin.create_topics([NewTopic(n, partitions, 1) for n in names]).values():
            made.result()

    def publish(self, topic: str, events: Sequence[dict[str, Any] | bytes], begin: int) -> None:
        """Publishes CloudEvents, a second after one another by their time stamps: attributes in headers."""
        for n, event in enumerate(events):
            known = {} if isinstance(event, bytes) else event
            attributes = {
                "content-type": "application/json",
                "ce_specversion": "1.0",
                "ce_source": "tests",
                "ce_type": known.get("type", "A"),
                "ce_id": known.get("id", "?"),
            }
            value = event if isinstance(event, bytes) else json.dumps(event).encode()
            stamp = (begin + n) * 1000
            self._producer.produce(topic, value, str(n % 7).encode(), timestamp=stamp, headers=attributes)
            self._producer.poll(0)
        assert self._producer.flush(30) == 0

    def write(self, topic: str, rows: Sequence[Row], begin: int) -> None:
        """Publishes rows of a table, half a second after one another by their time stamps."""
        for n, (key, row) in enumerate(rows):
            value = None if row is None else json.dumps(row).encode()
            self._producer.produce(topic, value, json.dumps(key), timestamp=begin * 1000 + n * 500)
            self._producer.poll(0)
        assert self._producer.flush(30) == 0

    def read(self, topic: str) -> list[Any]:
        """All messages of a topic."""
        from confluent_kafka import Consumer, KafkaError, TopicPartition

        settings = {"group.id": uuid4().hex, "auto.offset.reset": "earliest", "enable.partition.eof": True}
        consumer = Consumer({"bootstrap.servers": self.address, **settings})
        partitions = consumer.list_topics(topic, timeout=10).topics[topic].partitions
        consumer.assign([TopicPartition(topic, n, 0) for n in partitions])
        found: list[Any] = []
        ended = 0
        while ended < len(partitions):
            for message in consumer.consume(1000, 0.1):
                if message.error() is None:
                    found.append(message)
                else:
                    assert message.error().code() == KafkaError._PARTITION_EOF
                    ended += 1
        consumer.close()
        return found


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    with KafkaBroker(tmp_path_factory.mktemp("kafka"), guarded=True) as made:
        yield Broker(made)


def events(seed: int, count: int) -> list[dict[str, Any] | bytes]:
    """Random events, disordered, with copies, and what is no event."""
    chosen = random.Random(seed)
    made: list[dict[str, Any] | bytes] = [
        {
            "type": chosen.choice("ABCD"),
            "id": str(n),
            "t": 1_700_000_000 + n // 3 + chosen.choice([0, 0, 0, 4, -9]),
            "k": chosen.choice(["x", "y", 1]),
            "v": chosen.randrange(5),
        }
        for n in range(count)
    ]
    made += [chosen.choice(made) for _ in range(count // 20)]
    for n in range(0, count, 97):
        made.insert(n, b"{")
    return made


def orders(seed: int, count: int) -> list[Row]:
    """Rows of orders, some of them written again, and deleted."""
    chosen = random.Random(seed)
    rows: list[Row] = []
    for n in range(count):
        key = {"k": chosen.choice(["x", "y", 1]), "n": chosen.randrange(count // 2)}
        row = {**key, "t": 1_700_000_000 + n // 2 + chosen.choice([0, 0, -7]), "v": chosen.randrange(5)}
        rows.append((key, None if chosen.random() < 0.2 else row))
    return rows


@pytest.fixture
def name(broker: Broker, tmp_path: Path) -> str:
    """A pipeline, with its topics, by its name."""
    name = f"p{uuid4().hex[:8]}"
    broker.topics(f"{name}.in.1", f"{name}.in.2", f"{name}.out.rise", f"{name}.out.absent", f"{name}.late")
    text = PIPELINE
    for gap, value in {"NAME": name, **broker.entrance}.items():
        text = text.replace(gap, value)
    (tmp_path / "p.yaml").write_text(text)
    return name


def publish(broker: Broker, name: str, made: Sequence[dict[str, Any] | bytes]) -> None:
    broker.publish(f"{name}.in.1", made[::2], 1_700_000_000)
    broker.publish(f"{name}.in.2", made[1::2], 1_700_000_000)


def run(folder: Path, *arguments: str) -> Any:
    """Runs the pipeline by the command, in this process; gives its report."""
    report = folder / "report.json"
    code = cli.main(["run", str(folder / "p.yaml"), "--quiet", "--report", str(report), *arguments])
    assert code == Exit.FINE
    return json.loads(report.read_text())


def run_locally(folder: Path, count: int) -> Any:
    """Runs it in this process until it has read so much; gives its report."""
    pipeline = Pipeline.from_yaml(folder / "p.yaml", overrides=LOCAL)
    try:
        pipeline.run(lambda: pipeline.report()["events"]["read"] >= count, PATIENCE)
    finally:
        pipeline.close()
    report = pipeline.report()
    assert report["events"]["read"] == count
    return report


class Start(Protocol):
    def __call__(self, *arguments: str) -> subprocess.Popen[bytes]: ...


@pytest.fixture
def start(java: dict[str, str], tmp_path: Path) -> Iterator[Start]:
    """Starts the pipeline on a Spark of its own."""
    started: list[subprocess.Popen[bytes]] = []

    def run(*arguments: str) -> subprocess.Popen[bytes]:
        command = [*COMMAND, *RUNNER, "--conf", json.dumps(java), *arguments]
        with (tmp_path / "errors").open("a") as errors:
            process = subprocess.Popen(command, cwd=tmp_path, start_new_session=True, stderr=errors)
        started.append(process)
        return process

    yield run
    # Shown where a test has failed.
    print((tmp_path / "errors").read_text())
    for process in started:
        end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    """Ends it, and its Spark, as a crash of the machine would."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def read(report: Any) -> int:
    """How many messages a run has read."""
    return int(report["spark"]["read"]["events"].get("messages", 0))


def log(*files: Path) -> list[bytes]:
    return [line for file in sorted(files) if file.exists() for line in file.read_bytes().splitlines()]


def parts(folder: Path, sink: str) -> list[Path]:
    return list((folder / sink).glob("part-*.jsonl"))


def net(lines: list[bytes]) -> dict[str, list[str]]:
    """What is live at the end, by pattern: the contents of the matches."""
    found = live(lines, "log")
    return {name: sorted(m.record["content"] for m in matches) for name, matches in found.items() if matches}


@pytest.mark.usefixtures("spark")
def test_the_file_that_runs_in_one_process_finds_the_same(broker: Broker, name: str, tmp_path: Path) -> None:
    made = events(1, 600)
    publish(broker, name, made)
    report = run(tmp_path, *RUNNER, "--trigger", "available")
    local = run_locally(tmp_path, len(made))
    found = net(log(*parts(tmp_path, "out")))
    assert set(found) == {"rise", "absent"}
    assert found == net(log(tmp_path / "local.jsonl"))
    assert report["spark"]["read"] == {"events": {"messages": len(made)}}
    assert report["events"]["invalid"] == local["events"]["invalid"] > 0
    # What gave no event is told with its place, each once.
    late = log(*parts(tmp_path, "late"))
    assert sorted(late) == sorted(log(tmp_path / "local-late.jsonl"))
    told = broker.read(f"{name}.late")
    assert sorted(m.value() for m in told) == sorted(late)
    assert {tuple(m.headers()) for m in told} == {
        (("content-type", b"application/json"), ("reason", b"invalid"))
    }
    for pattern, contents in found.items():
        messages = broker.read(f"{name}.out.{pattern}")
        # The last message of a key is the match as it is.
        standing = {m.key(): m.value() for m in messages}
        records = [json.loads(value)["data"] for value in standing.values() if value is not None]
        assert sorted(r["content"] for r in records) == contents
        for message in messages:
            headers = dict(message.headers())
            assert headers["content-type"] == b"application/cloudevents+json; charset=UTF-8"
            assert (headers["op"] == b"retract") == (message.value() is None)


@pytest.mark.usefixtures("spark")
def test_where_to_begin_may_be_a_time(broker: Broker, name: str, tmp_path: Path) -> None:
    made = events(4, 80)
    publish(broker, name, made)
    since = datetime.fromtimestamp(1_700_000_000 + 20, UTC).isoformat()
    arguments = ("--trigger", "available", "--set", f"connectors.broker.start={since}")
    # In each of the topics the twenty before were stamped earlier.
    assert read(run(tmp_path, *RUNNER, *arguments)) == len(made) - 40


@pytest.mark.usefixtures("spark", "name")
def test_brokers_that_refuse_end_the_run_with_a_word(
    broker: Broker, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "p.yaml"
    file.write_text(file.read_text().replace(f"sasl.password: {PASSWORD}", "sasl.password: wrong"))
    code = cli.main(["run", str(file), "--quiet", *RUNNER, "--trigger", "available"])
    assert code == Exit.FAILED
    said = capsys.readouterr().err
    assert "Authentication failed: Invalid username or password" in said
    assert "Traceback" not in said


def test_a_live_run_goes_on_until_it_is_told_to_stop(
    broker: Broker, start: Start, name: str, tmp_path: Path
) -> None:
    made = events(2, 300)
    process = start("--trigger", "200ms", "--report", "live.json")
    for half in (made[:150], made[150:]):
        before = len(log(*parts(tmp_path, "out")))
        publish(broker, name, half)
        watch = Stopwatch()
        while len(log(*parts(tmp_path, "out"))) == before:
            assert process.poll() is None
            assert watch.seconds < PATIENCE
            time.sleep(0.1)
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == Exit.FINE
    rest = start("--trigger", "available", "--report", "rest.json")
    assert rest.wait(PATIENCE) == Exit.FINE
    assert (tmp_path / "errors").read_text() == ""
    # What the first has read is done with; what it has not was still there.
    reports = [json.loads((tmp_path / f"{name}.json").read_text()) for name in ("live", "rest")]
    assert sum(map(read, reports)) == len(made)
    run_locally(tmp_path, len(made))
    assert net(log(*parts(tmp_path, "out"))) == net(log(tmp_path / "local.jsonl")) != {}


def test_a_driver_that_is_killed_again_and_again_does_everything_once(
    broker: Broker, start: Start, name: str, tmp_path: Path
) -> None:
    """With `LIMECEP_KILLS` as often as that."""
    kills = int(os.environ.get("LIMECEP_KILLS", "1"))
    made, rows = events(3, 400 * (kills + 1)), orders(3, 200 * (kills + 1))
    broker.topics(f"{name}.orders", f"{name}.out.ordered")
    file = tmp_path / "p.yaml"
    file.write_text(file.read_text().replace("\npatterns:\n", ORDERS.replace("NAME", name)))
    publish(broker, name, made)
    broker.write(f"{name}.orders", rows, 1_700_000_000)
    chosen = random.Random(int(os.environ.get("LIMECEP_SEED", "1")))
    killed = 0
    commits = tmp_path / "checkpoint/commits"
    for _ in range(kills):
        begun = len(list(commits.glob("*")))
        process = start("--records-per-batch", "100", "--trigger", "available")
        # Not before it is at work: its start takes most of the time.
        while process.poll() is None and len(list(commits.glob("*"))) == begun:
            time.sleep(0.05)
        time.sleep(chosen.uniform(0, 1.5))
        killed += process.poll() is None
        end(process)
    assert killed
    # What is left is one batch.
    last = start("--trigger", "available")
    assert last.wait(PATIENCE) == Exit.FINE
    run_locally(tmp_path, len(made) + len(rows))
    told = log(*parts(tmp_path, "out"))
    records = [(r["match"], r["revision"], r["op"]) for r in map(json.loads, told)]
    assert len(records) == len(set(records))
    assert net(told) == net(log(tmp_path / "local.jsonl"))
    assert set(net(told)) == {"rise", "absent", "ordered"}
    assert "retract" in {r["op"] for r in map(json.loads, told) if r["pattern"] == "ordered"}
    assert sorted(log(*parts(tmp_path, "late"))) == sorted(log(tmp_path / "local-late.jsonl"))


@pytest.mark.usefixtures("spark")
def test_topics_that_spark_reads_feed_one_process(broker: Broker, name: str, tmp_path: Path) -> None:
    made = events(7, 300)
    publish(broker, name, made)
    run_locally(tmp_path, len(made))
    lake = {
        "type": "spark",
        "format": "kafka",
        "options": {"kafka.bootstrap.servers": broker.address, "startingOffsets": "earliest"},
    }
    text = (tmp_path / "p.yaml").read_text().replace("from: broker", "from: lake")
    text = text.replace("connectors:", f"connectors:\n  lake: {json.dumps(lake)}")
    (tmp_path / "p.yaml").write_text(text.replace("key: $topic[2]", "key: $topic[2]\n    STREAM"))
    text = (tmp_path / "p.yaml").read_text()
    right, late = net(log(tmp_path / "local.jsonl")), sorted(log(tmp_path / "local-late.jsonl"))
    for n, stream in enumerate(["", f"stream: true\n    checkpoint: {tmp_path}/of-the-source"]):
        (tmp_path / "p.yaml").write_text(text.replace("STREAM", stream))
        for file in ("local.jsonl", "local-late.jsonl"):
            (tmp_path / file).unlink()
        run_locally(tmp_path, len(made))
        assert net(log(tmp_path / "local.jsonl")) == right != {}, n
        # Positions are those of Kafka.
        assert sorted(log(tmp_path / "local-late.jsonl")) == late, n
