"""The sink publishes a message for each record that there is to be one for."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from limecep.clock import ManualClock
from limecep.contracts.codec import Plain
from limecep.contracts.context import Context
from limecep.contracts.sink import Transactional
from limecep.testing.bench import SilentLogger
from limecep_kafka import sink
from limecep_kafka.config import KafkaSinkOptions, KafkaSinkSettings
from limecep_kafka.sink import KafkaSink

OPTIONS = KafkaSinkOptions(brokers="h:1")


class Publisher:
    """Writes down what it is asked to do."""

    def __init__(self, options: Any, context: Context) -> None:
        self.done: list[Any] = []

    def begin(self, batch: str) -> bool:
        self.done.append(f"begin {batch}")
        return False

    def publish(self, topic: str, *content: Any) -> None:
        self.done.append((topic, *content))

    def __getattr__(self, name: str) -> Any:
        return lambda: self.done.append(name)


def made(settings: KafkaSinkSettings, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, list[Any]]:
    """A sink, and what its publisher is asked to do."""
    publishers: list[Any] = []

    def publisher(options: Any, context: Context) -> Any:
        publishers.append(Publisher(options, context))
        return publishers[-1]

    for name in ("Publisher", "TransactionalPublisher"):
        monkeypatch.setattr(sink, name, publisher)
    context = Context(
        label="sinks.out", clock=ManualClock(), counters=Counter(), logger=SilentLogger(), encoder=Plain()
    )
    return KafkaSink("out.{pattern}", settings, OPTIONS, context), publishers[-1].done


def test_what_is_to_be_sent_is_published(monkeypatch: pytest.MonkeyPatch) -> None:
    kafka, done = made(KafkaSinkSettings(mode="final"), monkeypatch)
    first, last = ({"op": op, "match": "m", "pattern": "p"} for op in ("emit", "final"))
    kafka.open()
    kafka.send([first, last])
    kafka.flush()
    kafka.close()
    headers = [("content-type", b"application/json"), ("op", b"final")]
    assert done == ["open", ("out.p", Plain().encode(last), b"m", headers), "flush", "close"]
    assert not kafka.counts_only


@pytest.mark.parametrize("transactional", [False, True])
def test_only_a_transactional_sink_knows_batches(
    transactional: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    kafka, done = made(KafkaSinkSettings(transactional=transactional), monkeypatch)
    assert isinstance(kafka, Transactional) == transactional
    if transactional:
        assert kafka.begin("n:1") is False
        assert done == ["begin n:1"]
