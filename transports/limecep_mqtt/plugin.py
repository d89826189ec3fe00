"""What this plugin brings."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl
from limecep_mqtt.config import MqttObserverOptions, MqttOptions, MqttSinkOptions, MqttSinkSettings

SOURCE = ComponentSpec(
    kind="source",
    name="mqtt",
    factory="limecep_mqtt.source:MqttSource",
    options=MqttOptions,
    summary="Messages of a topic filter at an MQTT broker",
    example="""\
connectors:
  broker: {type: mqtt, url: "mqtt://localhost:1883", client_id: kitchen-1}
sources:
  gas: {from: broker, channel: home/+/gas, as: GasLeak, time: ts, id: id, key: "$topic[1]"}""",
    requires=("paho",),
    extra="mqtt",
    broker="limecep.testing.mosquitto:MosquittoBroker",
)
SINK = ComponentSpec(
    kind="sink",
    name="mqtt",
    factory="limecep_mqtt.sink:MqttSink",
    options=MqttSinkOptions,
    settings=MqttSinkSettings,
    summary="JSON objects published at an MQTT broker, QoS 1",
    example="""\
connectors:
  broker: {type: mqtt, url: "mqtt://localhost:1883", client_id: kitchen-1}
sinks:
  alerts: {to: broker, channel: "limecep/{pattern}"}""",
    requires=("paho",),
    extra="mqtt",
    capabilities=frozenset({"channel", "encodes"}),
)
OBSERVER = ComponentSpec(
    kind="observer",
    name="mqtt",
    factory="limecep_mqtt.figures:MqttObserver",
    options=MqttObserverOptions,
    summary="Publishes the figures of the pipeline now and then at an MQTT broker, as JSON",
    example="""\
observers:
  figures: {type: mqtt, url: "mqtt://localhost:1883", topic: limecep/kitchen/figures}""",
    requires=("paho",),
    extra="mqtt",
)


@hookimpl
def limecep_sources() -> list[ComponentSpec]:
    return [SOURCE]


@hookimpl
def limecep_sinks() -> list[ComponentSpec]:
    return [SINK]


@hookimpl
def limecep_observers() -> list[ComponentSpec]:
    return [OBSERVER]
