"""Brokers that are away come back, and let in whom they know."""

from __future__ import annotations

import json
import signal
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest
from confluent_kafka import Producer

from limecep import Pipeline
from limecep.clock import Stopwatch
from limecep.errors import RunFailure, Stopped
from limecep.testing.kafka import PASSWORD, USER, KafkaBroker
from limecep.testing.messages import records
from limecep_kafka.config import KafkaSinkOptions, KafkaSinkSettings
from limecep_kafka.sink import KafkaSink

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from conftest import Hands, Sources

pytestmark = pytest.mark.kafka


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KafkaBroker]:
    """A broker for these tests, with an entrance that asks for a password."""
    with KafkaBroker(tmp_path_factory.mktemp("broker"), guarded=True) as broker:
        yield broker


def test_a_broker_may_have_any_id_and_its_folder_be_used_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Begins with a dash where it is written as text.
    monkeypatch.setattr("limecep.testing.kafka.uuid.uuid4", lambda: UUID("f8" * 16))
    for _ in range(2):
        KafkaBroker(tmp_path / "broker").close()


def publish(broker: KafkaBroker, topic: str, values: list[bytes]) -> None:
    producer = Producer({"bootstrap.servers": broker.address, "enable.idempotence": True})
    for value in values:
        producer.produce(topic, value)
    assert producer.flush(30) == 0


def test_a_broker_that_is_not_there_at_the_start_is_waited_for(
    tmp_path: Path, new_sources: type[Sources]
) -> None:
    broker = KafkaBroker(tmp_path / "broker")
    sources = new_sources(broker.address)
    source = sources.make("first", start="earliest", client={"topic.metadata.refresh.interval.ms": 500})
    source.open()
    sources.until(lambda: "the brokers cannot be reached; trying again" in sources.said(), source)
    assert not source.connected
    broker.start()
    publish(broker, "first", [b"1"])
    assert sources.values(source, 1) == [b"1"]
    assert "the brokers are there again" in sources.said("info")
    sources.close()
    broker.close()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_nothing_is_lost_when_the_broker_is_made_again(
    started: KafkaBroker, new_hands: type[Hands], new_sources: type[Sources], how: signal.Signals
) -> None:
    sources = new_sources(started.address)
    topic = new_hands(started.address).topic()
    source = sources.open(topic)
    sink = KafkaSink(
        f"{topic}.out", KafkaSinkSettings(), KafkaSinkOptions(brokers=started.address), sources.context()
    )
    sink.open()
    publish(started, topic, [b"%d" % n for n in range(50)])
    first = sources.messages(source, 50)
    source.commit([m.position for m in first])
    sent = records(40)
    sink.send(sent[:20])
    sink.flush()
    started.stop(how)
    assert len(source.poll(10, 0.5)) == 0
    sink.send(sent[20:])
    started.start()
    publish(started, topic, [b"%d" % n for n in range(50, 100)])
    sink.flush()
    # At least once: what was committed last may come again.
    came = {m.value for m in first}
    sources.until(lambda: came.update(m.value for m in source.poll(100, 0.1)) or len(came) == 100)
    sink.close()
    sources.close()
    found = [json.loads(m.value()) for m in new_hands(started.address).read(f"{topic}.out", 40)]
    assert {(r["match"], r["revision"]) for r in found} == {(r["match"], r["revision"]) for r in sent}


def client(broker: KafkaBroker, **changes: Any) -> dict[str, Any]:
    return {
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": "PLAIN",
        "sasl.username": USER,
        "sasl.password": PASSWORD,
        "ssl.ca.location": str(broker.certificate),
        **changes,
    }


def test_whoever_knows_the_password_is_let_in(
    started: KafkaBroker, new_hands: type[Hands], new_sources: type[Sources]
) -> None:
    sources = new_sources(started.guarded)
    topic = new_hands(started.address).topic()
    source = sources.open(topic, client=client(started))
    options = KafkaSinkOptions(brokers=started.guarded, client=client(started))
    sink = KafkaSink(topic, KafkaSinkSettings(), options, sources.context())
    sink.open()
    sink.send(records(1))
    sink.close()
    [message] = sources.messages(source, 1)
    assert json.loads(message.value) == records(1)[0]
    replayed = source.replay(0, 10**18)
    assert replayed is not None
    assert [m.position for m in replayed] == [message.position]
    sources.close()


def test_a_pipeline_may_have_its_password_in_a_file(
    started: KafkaBroker, new_hands: type[Hands], tmp_path: Path
) -> None:
    topic = new_hands(started.address).topic(1)
    publish(started, topic, [b'{"id": "1"}'])
    (tmp_path / "password").write_text(f"{PASSWORD}\n")
    settings = client(started, **{"sasl.password": "${file:password}"})
    connector = {"type": "kafka", "brokers": started.guarded, "start": "earliest", "client": settings}
    pipeline = Pipeline.from_dict(
        {
            "version": 1,
            "name": topic,
            "connectors": {"broker": connector},
            "sources": {"s": {"from": "broker", "channel": topic, "as": "A", "id": "id"}},
            "patterns": {"p": {"query": "PATTERN SEQ(A a, A b) WITHIN 1 s"}},
            "sinks": {"out": {"type": "none"}},
        },
        root=tmp_path,
    )
    pipeline.run(lambda: pipeline.report()["events"]["read"] > 0, 20)
    pipeline.close()
    assert pipeline.report()["events"]["in_order"] == 1


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"sasl.password": "guess"}, "refuse the user 'kitchen': .*[Aa]uthentication"),
        ({"ssl.ca.location": __file__}, "the settings of the client are wrong: .*ssl.ca.location"),
        ({"no.such.setting": 1}, 'the settings of the client are wrong: No such .*"no.such.setting"'),
    ],
)
def test_what_is_refused_ends_the_run_in_words(
    started: KafkaBroker, new_sources: type[Sources], changes: dict[str, Any], said: str
) -> None:
    sources = new_sources(started.guarded)
    settings = client(started, **changes)

    def read() -> None:
        sources.open("any", client=settings)

    def write() -> None:
        options = KafkaSinkOptions(brokers=started.guarded, client=settings)
        sink = KafkaSink("any", KafkaSinkSettings(), options, sources.context())
        sink.open()
        sink.send(records(1))
        sink.flush()

    for attempt in (read, write):
        with pytest.raises(RunFailure, match=said):
            attempt()
    sources.close()


def test_a_broker_that_stays_away_ends_the_run(tmp_path: Path, new_sources: type[Sources]) -> None:
    context = new_sources("").context()
    options = KafkaSinkOptions(brokers="127.0.0.1:1", delivery_timeout=1_000_000)
    sink = KafkaSink("any", KafkaSinkSettings(), options, context)
    sink.open()
    sink.send(records(3))
    with pytest.raises(RunFailure, match=r"records were not accepted by the brokers 127.0.0.1:1: 3 to any: "):
        sink.flush()


def test_a_run_that_has_to_end_does_not_wait_for_a_broker_that_is_away(new_sources: type[Sources]) -> None:
    def ended(undone: str = "") -> None:
        raise Stopped(undone)

    context = new_sources("").context()
    context.raise_if_stopped = ended
    sink = KafkaSink("any", KafkaSinkSettings(), KafkaSinkOptions(brokers="127.0.0.1:1"), context)
    sink.open()
    sink.send(records(3))
    watch = Stopwatch()
    with pytest.raises(Stopped, match=r"3 records are still on their way to the brokers 127\.0\.0\.1:1"):
        sink.close()
    assert watch.seconds < 2
