"""What this plugin brings."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl
from limecep_kafka.config import KafkaOptions, KafkaSettings, KafkaSinkOptions, KafkaSinkSettings

SOURCE = ComponentSpec(
    kind="source",
    name="kafka",
    factory="limecep_kafka.source:KafkaSource",
    options=KafkaOptions,
    settings=KafkaSettings,
    summary="Messages of Kafka topics: one, or all that a regular expression (^...) matches",
    example="""\
connectors:
  broker: {type: kafka, brokers: "localhost:9092", group: kitchen, start: earliest}
sources:
  gas: {from: broker, channel: gas, as: GasLeak, time: ts, id: id}""",
    requires=("confluent_kafka",),
    extra="kafka",
    broker="limecep.testing.kafka:KafkaBroker",
    levels=".",
)
SINK = ComponentSpec(
    kind="sink",
    name="kafka",
    factory="limecep_kafka.sink:KafkaSink",
    options=KafkaSinkOptions,
    settings=KafkaSinkSettings,
    summary="JSON objects published to Kafka topics, keyed by match",
    example="""\
connectors:
  broker: {type: kafka, brokers: "localhost:9092"}
sinks:
  alerts: {to: broker, channel: "limecep.{pattern}", mode: upsert}""",
    requires=("confluent_kafka",),
    extra="kafka",
    capabilities=frozenset({"channel", "encodes"}),
)


@hookimpl
def limecep_sources() -> list[ComponentSpec]:
    return [SOURCE]


@hookimpl
def limecep_sinks() -> list[ComponentSpec]:
    return [SINK]
