"""A stand-in for a schema registry, and definitions of messages."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.errors import Stopped
from limecep.testing.bench import SilentLogger

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

READING = {
    "type": "record",
    "name": "Reading",
    "namespace": "plant",
    "fields": [{"name": "machine", "type": "string"}, {"name": "celsius", "type": ["null", "double"]}],
}
NOT_THERE = b'{"error_code":40403,"message":"Schema not found"}'


class RegistryStandIn:
    """A stand-in for a schema registry, which answers as Confluent's and Apicurio's do; no registry.

    Attributes:
        answers: What stands at a path.
        status: What it answers in place of 200, if it does.
        leads_to: Where it sends whoever asks, if it does.
        asked: The paths asked for, each with the value of its header Authorization.
    """

    def __init__(self) -> None:
        self.answers: dict[str, Any] = {}
        self.status = 0
        self.leads_to = ""
        self.asked: list[tuple[str, str | None]] = []
        registry = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                registry.asked.append((self.path, self.headers["Authorization"]))
                answer = registry.answers.get(self.path)
                body = NOT_THERE if answer is None else answer
                self.send_response(registry.status or (404 if answer is None else 200))
                if registry.leads_to:
                    self.send_header("Location", registry.leads_to + self.path)
                self.end_headers()
                self.wfile.write(body if isinstance(body, bytes) else json.dumps(body).encode())

            def log_message(self, *_: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def register(self, number: int, schema: Any, **more: Any) -> None:
        """Has a schema by an id."""
        self.answers[f"/schemas/ids/{number}"] = {"schema": json.dumps(schema), **more}

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class Run:
    """What a codec is given, and whether the run is to end."""

    def __init__(self, root: Path) -> None:
        self.stopped = False
        self.logger = SilentLogger()
        self.context = Context(label="sources.s", clock=ManualClock(), counters=None, logger=self.logger)  # type: ignore[arg-type]
        self.context.root = root
        self.context.raise_if_stopped = self._raise_if_stopped

    def _raise_if_stopped(self, undone: str = "") -> None:
        if self.stopped:
            raise Stopped(undone)


@pytest.fixture
def registry() -> Iterator[RegistryStandIn]:
    made = RegistryStandIn()
    yield made
    made.close()


@pytest.fixture
def elsewhere() -> Iterator[RegistryStandIn]:
    """Another one."""
    made = RegistryStandIn()
    yield made
    made.close()


@pytest.fixture
def reading() -> Any:
    """A schema."""
    return READING


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path)


def definitions() -> FileDescriptorSet:
    """As protoc would write of these:

    syntax = "proto3"; package plant;
    message Alarm { message Cause { string text = 1; } Cause cause = 1; }
    enum State { OFF = 0; ON = 1; }
    message Reading { string machine = 1; double celsius = 2; optional int64 count = 3; State state = 4; }
    """
    kinds = FieldDescriptorProto
    file = FileDescriptorProto(name="plant.proto", package="plant", syntax="proto3")
    alarm = file.message_type.add(name="Alarm")
    cause = alarm.nested_type.add(name="Cause")
    cause.field.add(name="text", number=1, type=kinds.TYPE_STRING, label=kinds.LABEL_OPTIONAL)
    alarm.field.add(
        name="cause",
        number=1,
        type=kinds.TYPE_MESSAGE,
        label=kinds.LABEL_OPTIONAL,
        type_name=".plant.Alarm.Cause",
    )
    state = file.enum_type.add(name="State")
    state.value.add(name="OFF", number=0)
    state.value.add(name="ON", number=1)
    reading = file.message_type.add(name="Reading")
    one = {"label": kinds.LABEL_OPTIONAL}
    reading.field.add(name="machine", number=1, type=kinds.TYPE_STRING, **one)
    reading.field.add(name="celsius", number=2, type=kinds.TYPE_DOUBLE, **one)
    reading.oneof_decl.add(name="_count")
    reading.field.add(
        name="count", number=3, type=kinds.TYPE_INT64, proto3_optional=True, oneof_index=0, **one
    )
    reading.field.add(name="state", number=4, type=kinds.TYPE_ENUM, type_name=".plant.State", **one)
    return FileDescriptorSet(file=[file])


@pytest.fixture
def plant(tmp_path: Path) -> Path:
    """A file with those definitions."""
    path = tmp_path / "plant.pb"
    path.write_bytes(definitions().SerializeToString())
    return path
