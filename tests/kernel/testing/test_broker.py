"""Brokers of tests: started, stopped, restarted and closed, here with a plain server in place of one."""

from __future__ import annotations

import signal
import socket
import sys
from typing import TYPE_CHECKING

import pytest

from limecep.testing.broker import BrokerProcess, Unavailable, free_port

if TYPE_CHECKING:
    from pathlib import Path

SERVING = """
import socket, sys
with socket.create_server(("127.0.0.1", int(sys.argv[1]))) as server:
    while True:
        server.accept()[0].sendall(b"here")
"""


class Server(BrokerProcess):
    """Greets who connects."""

    start_seconds = 5.0

    def __init__(self, folder: Path, code: str = SERVING) -> None:
        super().__init__(folder, free_port())
        self._command = [sys.executable, "-c", code, str(self.port)]
        self.behind_proxy = self._proxy.port


def greeting(port: int) -> bytes:
    """What is said to who connects; empty where nobody answers."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2) as connection:
            return connection.recv(4)
    except OSError:
        return b""


def test_it_serves_while_it_is_open(tmp_path: Path) -> None:
    with Server(tmp_path / "new") as server:
        assert server.runs
        assert greeting(server.port) == greeting(server.behind_proxy) == b"here"
    assert not server.runs
    assert greeting(server.port) == greeting(server.behind_proxy) == b""


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_it_can_be_stopped_and_started_again_at_its_port(how: signal.Signals, tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        server.stop(how)
        assert not server.runs
        assert greeting(server.port) == b""
        server.start()
        assert greeting(server.port) == b"here"


def test_its_connections_through_the_proxy_can_be_cut(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        with server.cut():
            assert greeting(server.behind_proxy) == b""
            assert greeting(server.port) == b"here"
        assert greeting(server.behind_proxy) == b"here"


def test_one_that_ends_by_itself_is_unavailable_and_its_log_says_why(tmp_path: Path) -> None:
    with (
        pytest.raises(Unavailable, match="the broker does not start: no licence"),
        Server(tmp_path, "import sys; sys.exit('no licence')"),
    ):
        pass


def test_one_that_never_listens_is_unavailable_and_is_not_left_behind(tmp_path: Path) -> None:
    server = Server(tmp_path, "import time; time.sleep(600)")
    server.start_seconds = 0.3  # type: ignore[misc]
    with pytest.raises(Unavailable, match="does not start"):
        server.start()
    assert not server.runs
    server.close()


def test_ports_are_free_and_given_once() -> None:
    ports = [free_port() for _ in range(200)]
    assert len({*ports}) == len(ports)
    assert {greeting(port) for port in ports[:5]} == {b""}
