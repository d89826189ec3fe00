"""What this plugin brings."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl
from limecep_http.config import HttpOptions, HttpSinkOptions, HttpSinkSettings

SOURCE = ComponentSpec(
    kind="source",
    name="http",
    factory="limecep_http.source:HttpSource",
    options=HttpOptions,
    summary="What clients post to a path: JSON, JSON lines, CloudEvents, ...",
    example="""\
connectors:
  web: {type: http, listen: "127.0.0.1:8080", token: "${file:/run/secrets/token}"}
sources:
  readings: {from: web, channel: "/readings/*", as: Reading, time: ts, id: id, key: "$topic[1]"}""",
    requires=("uvicorn",),
    extra="http",
)
SINK = ComponentSpec(
    kind="sink",
    name="http",
    factory="limecep_http.sink:HttpSink",
    options=HttpSinkOptions,
    settings=HttpSinkSettings,
    summary="JSON objects posted to a webhook, each alone or some together",
    example="""\
sinks:
  alerts:
    type: http
    url: https://hooks.example.com/alerts
    headers: {Authorization: "Bearer ${file:/run/secrets/hook}"}""",
    requires=("urllib3",),
    extra="http",
    capabilities=frozenset({"encodes"}),
)


@hookimpl
def limecep_sources() -> list[ComponentSpec]:
    return [SOURCE]


@hookimpl
def limecep_sinks() -> list[ComponentSpec]:
    return [SINK]
