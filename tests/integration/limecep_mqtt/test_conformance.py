"""MQTT brings messages in and takes records out as every transport does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal
from uuid import uuid4

import pytest

from limecep.clock import Stopwatch
from limecep.testing.broker import free_port
from limecep.testing.transport import SinkConformance, SourceConformance
from limecep_mqtt.config import MqttOptions, MqttSinkOptions, MqttSinkSettings
from limecep_mqtt.sink import MqttSink
from limecep_mqtt.source import MqttSource

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from limecep.contracts.context import Context
    from limecep.contracts.sink import Sink
    from limecep.contracts.source import Source
    from limecep.output.record import Record
    from limecep.testing.mosquitto import MosquittoBroker
    from limecep.testing.transport import Outgoing

pytestmark = pytest.mark.mqtt


class TestSource(SourceConformance):
    headers = True
    version: Literal[5, "3.1.1"] = 5

    @pytest.fixture(autouse=True)
    def _broker(self, mosquitto: MosquittoBroker, friend: Any) -> None:
        self.broker = mosquitto
        self.friend = friend

    def make_channel(self) -> str:
        return f"conformance/{uuid4().hex}"

    def make_source(self, channel: str, context: Context, port: int | None = None) -> Source:
        options = MqttOptions(
            url=f"mqtt://127.0.0.1:{port or self.broker.proxied}",
            client_id=context.pipeline,
            version=self.version,
            # Some cases poll more than a pipeline would before it commits.
            window=10_000,
        )
        return MqttSource(channel, None, options, context)

    def make_unreachable(self, context: Context) -> Source | None:
        return self.make_source("nowhere", context, free_port())

    def publish(self, channel: str, messages: Sequence[Outgoing]) -> None:
        plain = [m.value for m in messages if not m.headers]
        if len(plain) == len(messages):
            self.friend.publish(channel, *plain)
            return
        for m in messages:
            self.friend.publish(channel, m.value, headers=m.headers)

    def disturbed(self) -> AbstractContextManager[None] | None:
        return self.broker.cut()

    def restarted(self) -> bool:
        self.broker.stop()
        self.broker.start()
        return True


class TestSourceWithMqtt311(TestSource):
    headers = False
    version: Literal[5, "3.1.1"] = "3.1.1"


class TestSink(SinkConformance):
    # The reader of these tests keeps what has come.
    in_process = True
    ordered = True
    version: Literal[5, "3.1.1"] = 5

    @pytest.fixture(autouse=True)
    def _broker(self, mosquitto: MosquittoBroker, befriend: Any) -> None:
        self.broker = mosquitto
        # One whose subscriptions outlast a restart of the broker.
        self.friend = befriend(mosquitto.port, f"reader-{uuid4().hex[:12]}")

    def make_channel(self) -> str:
        channel = f"conformance/{uuid4().hex}"
        self.friend.subscribe(channel)
        return channel

    def make_sink(self, channel: str, context: Context) -> Sink:
        options = MqttSinkOptions(
            url=f"mqtt://127.0.0.1:{self.broker.proxied}", client_id=context.pipeline, version=self.version
        )
        return MqttSink(channel, MqttSinkSettings(), options, context)

    def received(self, channel: str, count: int) -> list[Record]:
        # What was on its way when the connection was cut comes twice, and does not count.
        watch, came = Stopwatch(), []
        while len({str(r) for r in came}) < count and watch.seconds < 20:
            came = [json.loads(m.payload) for m in self.friend.received(channel, len(came) + 1, 0.5)]
        return came

    def disturbed(self) -> AbstractContextManager[None] | None:
        return self.broker.cut()

    def restarted(self) -> bool:
        self.broker.stop()
        self.broker.start()
        return True


class TestSinkWithMqtt311(TestSink):
    version: Literal[5, "3.1.1"] = "3.1.1"
