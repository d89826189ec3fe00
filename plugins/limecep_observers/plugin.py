"""What this package brings."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl
from limecep_observers.config import OtlpOptions, OtlpTracesOptions, PrometheusOptions, SystemdOptions


@hookimpl
def limecep_observers() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="observer",
            name="prometheus",
            factory="limecep_observers.prometheus:Prometheus",
            options=PrometheusOptions,
            summary="Serves metrics for Prometheus, and whether the pipeline is alive and ready, over HTTP",
            example="""\
observers:
  metrics: {type: prometheus, port: 9464}""",
            requires=("prometheus_client",),
            extra="metrics",
        ),
        ComponentSpec(
            kind="observer",
            name="otlp",
            factory="limecep_observers.otlp:Otlp",
            options=OtlpOptions,
            summary="Sends metrics to a collector of OpenTelemetry, by OTLP over HTTP as JSON",
            example="""\
observers:
  metrics: {type: otlp, endpoint: "http://collector:4318"}""",
        ),
        ComponentSpec(
            kind="observer",
            name="sd_notify",
            factory="limecep_observers.systemd:Systemd",
            options=SystemdOptions,
            summary="Tells systemd that the service is ready, alive and stopping, and how it is doing",
            example="""\
observers:
  systemd: {type: sd_notify}""",
        ),
    ]


@hookimpl
def limecep_sinks() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="sink",
            name="otlp",
            factory="limecep_observers.traces:OtlpTraces",
            options=OtlpTracesOptions,
            summary="Matches as traces for a collector of OpenTelemetry, by OTLP over HTTP as JSON",
            example="""\
sinks:
  traces: {type: otlp, endpoint: "http://collector:4318"}""",
        ),
    ]
