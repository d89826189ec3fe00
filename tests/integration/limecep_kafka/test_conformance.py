"""Kafka is a transport like any other."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from confluent_kafka import Producer

from limecep.testing.transport import SinkConformance, SourceConformance
from limecep_kafka.config import KafkaOptions, KafkaSettings, KafkaSinkOptions, KafkaSinkSettings
from limecep_kafka.sink import KafkaSink
from limecep_kafka.source import KafkaSource

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from limecep.contracts.context import Context
    from limecep.contracts.sink import Sink
    from limecep.contracts.source import Source
    from limecep.output.record import Record
    from limecep.testing.transport import Outgoing

pytestmark = pytest.mark.kafka


class TestKafkaSource(SourceConformance):
    log = True
    keys = True
    headers = True

    @pytest.fixture(autouse=True)
    def _broker(self, kafka: Any, hands: Any) -> None:
        self.kafka, self.hands = kafka, hands

    def make_channel(self) -> str:
        return str(self.hands.topic())

    def make_source(self, channel: str, context: Context) -> Source:
        options = KafkaOptions(brokers=self.kafka.proxied)
        return KafkaSource(channel, KafkaSettings(), options, context)

    def make_unreachable(self, context: Context) -> Source | None:
        return KafkaSource("nowhere", KafkaSettings(), KafkaOptions(brokers="127.0.0.1:1"), context)

    def publish(self, channel: str, messages: Sequence[Outgoing]) -> None:
        producer = Producer({"bootstrap.servers": self.kafka.address})
        for message in messages:
            producer.produce(channel, message.value, message.key, headers=list(message.headers))
        assert producer.flush(10) == 0

    def disturbed(self) -> AbstractContextManager[None] | None:
        cut: AbstractContextManager[None] = self.kafka.cut()
        return cut

    def restarted(self) -> bool:
        self.kafka.restart()
        return True


class TestKafkaSink(SinkConformance):
    @pytest.fixture(autouse=True)
    def _broker(self, kafka: Any, hands: Any) -> None:
        self.kafka, self.hands = kafka, hands

    def make_channel(self) -> str:
        return str(self.hands.topic())

    def make_sink(self, channel: str, context: Context) -> Sink:
        options = KafkaSinkOptions(brokers=self.kafka.proxied)
        return KafkaSink(channel, KafkaSinkSettings(), options, context)

    def received(self, channel: str, count: int) -> list[Record]:
        return [json.loads(m.value()) for m in self.hands.read(channel, count)]

    def disturbed(self) -> AbstractContextManager[None] | None:
        cut: AbstractContextManager[None] = self.kafka.cut()
        return cut

    def restarted(self) -> bool:
        self.kafka.restart()
        return True
