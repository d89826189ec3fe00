"""HTTP brings messages in and takes records out as every transport does."""

from __future__ import annotations

import http.client
import json
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from limecep.clock import Stopwatch, pause
from limecep.testing.broker import free_port
from limecep.testing.proxy import Proxy
from limecep.testing.proxy import cut as cut_off
from limecep.testing.transport import Outgoing, SinkConformance, SourceConformance
from limecep_http.config import HttpOptions, HttpSinkOptions, HttpSinkSettings
from limecep_http.sink import HttpSink
from limecep_http.source import HttpSource

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from limecep.contracts.context import Context
    from limecep.contracts.sink import Sink
    from limecep.contracts.source import Source
    from limecep.output.record import Record


class TestSource(SourceConformance):
    # What was not answered its client sends again.
    remembers = False

    @pytest.fixture(autouse=True)
    def _port(self) -> None:
        self.port = free_port()

    def make_channel(self) -> str:
        return f"/{uuid4().hex}"

    def make_source(self, channel: str, context: Context) -> Source:
        return HttpSource(channel, None, HttpOptions(listen=f"127.0.0.1:{self.port}"), context)

    def publish(self, channel: str, messages: Sequence[Outgoing]) -> None:
        if len(messages) > 1 and not all(m.value.startswith(b'{"key"') for m in messages):
            for message in messages:
                self.publish(channel, [message])
            return
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        headers = {"Content-Type": "application/x-ndjson"} if len(messages) > 1 else {}
        connection.request("POST", channel, b"\n".join(m.value for m in messages), headers)
        # An answer comes when the messages are done with, which most cases do not say. The server needs a
        # moment to have them.
        self.connections.append(connection)
        pause(0.05)

    @pytest.fixture(autouse=True)
    def _connections(self) -> Iterator[None]:
        self.connections: list[http.client.HTTPConnection] = []
        yield
        for connection in self.connections:
            connection.close()


class TestSink(SinkConformance):
    ordered = True
    in_process = True

    @pytest.fixture(autouse=True)
    def _hook(self, hook: Any, tmp_path: Path) -> Iterator[None]:
        self.hook = hook
        self.folder = tmp_path
        self.proxy = Proxy(hook.port, tmp_path / "cut")
        yield
        self.proxy.close()

    def make_channel(self) -> str:
        return uuid4().hex

    def make_sink(self, channel: str, context: Context) -> Sink:
        options = HttpSinkOptions(url=f"http://127.0.0.1:{self.proxy.port}")
        return HttpSink(channel, HttpSinkSettings(), options, context)

    def received(self, channel: str, count: int) -> list[Record]:
        watch, came = Stopwatch(), list[Any]()
        while watch.seconds < 5:
            came = [json.loads(p.body) for p in [*self.hook.came] if p.path == f"/{channel}"]
            if len(came) >= count:
                break
            pause(0.01)
        return came

    def disturbed(self) -> AbstractContextManager[None] | None:
        return cut_off(self.folder)
