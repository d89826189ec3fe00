"""A web server that a sink posts to, and a client of the source."""

from __future__ import annotations

import http.client
import json
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from limecep.clock import Stopwatch, SystemClock
from limecep.contracts.context import Context
from limecep.testing.bench import SilentLogger
from limecep_http.config import HttpOptions
from limecep_http.source import HttpSource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path


class Posted(NamedTuple):
    """A request that came."""

    path: str
    headers: Mapping[str, str]
    body: bytes


class Hook:
    """A webhook that takes what is posted.

    Attributes:
        came: What it took, in order.
        answers: What it answers to the next requests instead, each a status, headers and a body.
        tries: How many requests came.
    """

    def __init__(self, port: int = 0) -> None:
        self.came: list[Posted] = []
        self.answers: list[tuple[int, dict[str, str], bytes]] = []
        self.tries = 0
        hook = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                hook.tries += 1
                length = int(self.headers["Content-Length"])
                body = self.rfile.read(length)
                if len(body) < length:
                    # The connection was cut.
                    self.close_connection = True
                    return
                status, headers, said = hook.answers.pop(0) if hook.answers else (204, {}, b"")
                if status < 300:
                    hook.came.append(Posted(self.path, dict(self.headers.items()), body))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                if status != 204:
                    self.send_header("Content-Length", str(len(said)))
                self.end_headers()
                self.wfile.write(said)

            def log_message(self, *_: Any) -> None:
                """Not on standard error."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 100

            def handle_error(self, *_: Any) -> None:
                """Of a client that has gone."""

        self._server = Server(("127.0.0.1", port), Handler)
        self.port = int(self._server.server_address[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=[0.02], daemon=True)
        self._thread.start()

    def received(self, count: int, seconds: float = 10) -> list[Posted]:
        """What came; waits until there is so much."""
        watch = Stopwatch()
        while len(self.came) < count and watch.seconds < seconds:
            threading.Event().wait(0.01)
        return [*self.came]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def hook() -> Iterator[Hook]:
    made = Hook()
    yield made
    made.close()


@pytest.fixture
def hooks() -> Iterator[Callable[[int], Hook]]:
    """Makes webhooks at a port."""
    made: list[Hook] = []

    def make(port: int) -> Hook:
        made.append(Hook(port))
        return made[-1]

    yield make
    for hook in made:
        hook.close()


@pytest.fixture
def context(tmp_path: Path) -> Context:
    return Context(
        label="http",
        clock=SystemClock(),
        counters=Counter(),
        logger=SilentLogger(),
        root=tmp_path,
        pipeline="p",
    )


class Answer(NamedTuple):
    """What a server said."""

    status: int
    headers: Mapping[str, str]
    said: Any


def _post(
    port: int,
    path: str,
    body: bytes,
    headers: Mapping[str, str] = MappingProxyType({}),
    *,
    method: str = "POST",
    timeout: float = 20,
) -> Answer:
    """Sends a request, and waits for its answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request(method, path, body, dict(headers))
        answer = connection.getresponse()
        said = answer.read()
        return Answer(answer.status, dict(answer.headers.items()), json.loads(said) if said else None)
    finally:
        connection.close()


@pytest.fixture
def post() -> Callable[..., Answer]:
    """Sends a request, and waits for its answer."""
    return _post


@pytest.fixture
def served(context: Context) -> Iterator[Callable[..., tuple[HttpSource, int]]]:
    """Opens a source, at a port that the system chooses; gives it with the port."""
    opened: list[HttpSource] = []

    def serve(channel: str = "/events", **options: Any) -> tuple[HttpSource, int]:
        made = HttpOptions(listen="127.0.0.1:0", **options)
        source = HttpSource(channel, None, made, context)
        opened.append(source)
        source.open()
        listening = [e for e in context.logger.entries if e[1] == "listening"]
        return source, int(listening[-1][2]["url"].rpartition(":")[2])

    yield serve
    for source in opened:
        source.close()
