"""What tests do at the broker by other means than limecep."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from confluent_kafka import Consumer, KafkaError, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic

from limecep.clock import Stopwatch, SystemClock
from limecep.contracts.context import Context
from limecep.testing.bench import SilentLogger
from limecep_kafka.config import KafkaOptions, KafkaSettings
from limecep_kafka.source import KafkaSource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from conftest import Kafka

    from limecep.contracts.source import Message

#: How long anything may take that must happen, in seconds.
PATIENCE_SECONDS = 30.0


class Hands:
    """Makes topics, publishes and reads."""

    def __init__(self, address: str) -> None:
        self.admin = AdminClient({"bootstrap.servers": address})
        self._address = address
        self._failed: list[Any] = []
        # Without retries that come after what was sent later.
        self._producer = Producer({"bootstrap.servers": address, "enable.idempotence": True})

    def topic(self, partitions: int = 3, config: Mapping[str, str] | None = None, name: str = "") -> str:
        """A new topic."""
        name = name or f"t-{uuid4().hex[:12]}"
        topic = NewTopic(name, partitions, 1, config=dict(config or {}))
        self.admin.create_topics([topic])[name].result()
        return name

    def send(self, topic: str, value: bytes | None, **more: Any) -> None:
        """Sends a message off."""
        while True:
            try:
                self._producer.produce(topic, value, on_delivery=self._delivered, **more)
            except BufferError:
                self._producer.poll(0.1)
            except KafkaException as error:
                # A partition that was added a moment ago.
                if error.args[0].code() != KafkaError._UNKNOWN_PARTITION:
                    raise
                self._producer.list_topics(topic, timeout=10)
            else:
                self._producer.poll(0)
                return

    def flush(self) -> None:
        """Returns when everything that was sent is there."""
        self._producer.flush()
        assert self._failed == []

    def publish(self, topic: str, values: Sequence[bytes | None], **more: Any) -> None:
        """Publishes messages; returns when they are there."""
        for value in values:
            self.send(topic, value, **more)
        self.flush()

    def _delivered(self, error: Any, message: Any) -> None:
        if error is not None:
            self._failed.append(error)

    def read(self, topic: str, count: int = 0, seconds: float = 10.0) -> list[Any]:
        """All messages of a topic, read to its end; waits for `count` of them."""
        consumer = Consumer(
            {
                "bootstrap.servers": self._address,
                "group.id": uuid4().hex,
                "auto.offset.reset": "earliest",
                "enable.partition.eof": True,
            }
        )
        partitions = consumer.list_topics(topic, timeout=10).topics[topic].partitions
        consumer.assign([TopicPartition(topic, n, 0) for n in partitions])
        found: list[Any] = []
        ended: set[int] = set()
        watch = Stopwatch()
        while len(found) < count or len(ended) < len(partitions):
            assert watch.seconds < seconds, f"{len(found)} messages in {topic}, {count} expected"
            for message in consumer.consume(1000, 0.1):
                if message.error() is None:
                    found.append(message)
                    ended.discard(message.partition())
                elif message.error().code() == KafkaError._PARTITION_EOF:
                    ended.add(message.partition())
        consumer.close()
        return found


@pytest.fixture
def hands(kafka: Kafka) -> Hands:
    """Hands at the broker."""
    return Hands(kafka.address)


class Sources:
    """Makes sources, and closes them at the end.

    Attributes:
        logger: Takes what they log.
        counters: What they count.
        name: The name of the pipeline.
    """

    def __init__(self, address: str) -> None:
        self.logger = SilentLogger()
        self.counters: Counter[str] = Counter()
        self.name = f"p-{uuid4().hex[:12]}"
        self._address = address
        self._made: list[KafkaSource] = []
        self._early: dict[int, list[Message]] = {}

    def context(self, name: str = "") -> Context:
        """What a source of a new run is given."""
        return Context(
            label="sources.s",
            clock=SystemClock(),
            counters=self.counters,
            logger=self.logger,
            pipeline=name or self.name,
        )

    def make(
        self, channel: str, context: Context | None = None, *, dead_letter: str = "", **options: Any
    ) -> KafkaSource:
        """A source, not open yet; of a new run where there is no `context`."""
        made = KafkaSource(
            channel,
            KafkaSettings(dead_letter=dead_letter),
            KafkaOptions(**{"brokers": self._address, **options}),
            context or self.context(),
        )
        self._made.append(made)
        return made

    def open(self, channel: str, context: Context | None = None, **options: Any) -> KafkaSource:
        """A source that is connected."""
        made = self.make(channel, context, **options)
        made.open()
        self.until(lambda: made.connected, made)
        return made

    def until(self, holds: Callable[[], bool], *polled: KafkaSource) -> None:
        """Polls until something holds; `messages` gives what came."""
        watch = Stopwatch()
        while not holds():
            assert watch.seconds < PATIENCE_SECONDS, "it never happened"
            for source in polled:
                self._early.setdefault(id(source), []).extend(source.poll(1000, 0.05))

    def messages(self, source: KafkaSource, count: int, limit: int = 1000) -> list[Message]:
        """The next messages: that many."""
        came = self._early.pop(id(source), [])
        watch = Stopwatch()
        while len(came) < count:
            assert watch.seconds < PATIENCE_SECONDS, f"{len(came)} messages came, {count} expected"
            came += source.poll(min(limit, count - len(came)), 0.05)
        assert len(came) == count
        return came

    def values(self, source: KafkaSource, count: int) -> list[bytes]:
        """The values of the next messages."""
        return [m.value for m in self.messages(source, count)]

    def said(self, level: str = "warning") -> list[str]:
        """What was logged."""
        return [text for at, text, _ in self.logger.entries if at == level]

    def close(self) -> None:
        """Closes all of them."""
        for source in self._made:
            source.close()


@pytest.fixture
def sources(kafka: Kafka) -> Iterator[Sources]:
    """Makes sources at the broker."""
    made = Sources(kafka.address)
    yield made
    made.close()


@pytest.fixture
def new_sources() -> type[Sources]:
    """Makes sources at any broker, to be closed by the test."""
    return Sources


@pytest.fixture
def new_hands() -> type[Hands]:
    """Hands at any broker."""
    return Hands


class Run:
    """A pipeline that runs as a process of its own."""

    def __init__(self, folder: Path, document: dict[str, Any], *arguments: str) -> None:
        (folder / "pipeline.yaml").write_text(json.dumps(document))
        self.report_file = folder / "report.json"
        self.errors = folder / "errors"
        self.output = folder / "output"
        command = [sys.executable, "-m", "limecep", "run", str(folder / "pipeline.yaml")]
        with self.errors.open("w") as errors, self.output.open("w") as output:
            self.process = subprocess.Popen(
                [*command, "--report", str(self.report_file), *arguments], stdout=output, stderr=errors
            )

    def end(self, how: signal.Signals | None = signal.SIGTERM) -> int:
        """Ends it; gives its exit code."""
        if how is not None:
            self.process.send_signal(how)
        return self.process.wait(PATIENCE_SECONDS)

    @property
    def report(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.report_file.read_text())
        return found


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Callable[..., Run]]:
    made: list[Run] = []

    def start(document: dict[str, Any], *arguments: str) -> Run:
        made.append(Run(tmp_path, document, *arguments))
        return made[-1]

    yield start
    for each in made:
        # Shown where a test has failed.
        print(each.errors.read_text())
        if each.process.poll() is None:
            each.process.kill()
            each.process.wait()
