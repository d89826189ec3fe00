"""`limecep dev brokers` runs a broker until it is told otherwise."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from limecep.testing.broker import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = pytest.mark.mqtt

USUAL = 1883


@pytest.fixture
def command(tmp_path: Path) -> Iterator[Callable[[], tuple[subprocess.Popen[str], int]]]:
    """Starts the command; gives its process, and the port of the broker."""
    made: list[subprocess.Popen[str]] = []

    def start() -> tuple[subprocess.Popen[str], int]:
        arguments = [sys.executable, "-m", "limecep", "dev", "brokers", "mqtt", "--dir", str(tmp_path)]
        process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        made.append(process)
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            raise Unavailable(process.communicate()[1])
        name, address = line.split()
        host, port = address.split(":")
        assert (name, host) == ("mqtt", "127.0.0.1")
        return process, int(port)

    yield start
    for process in made:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_runs_until_it_is_interrupted(how: signal.Signals, command: Any, befriend: Any) -> None:
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            taken.bind(("127.0.0.1", USUAL))
        except OSError:
            pass  # Somebody else has it: that will do.
        else:
            taken.listen()
        process, port = command()
    assert port != USUAL
    friend = befriend(port)
    friend.subscribe("t")
    friend.publish("t", b"1")
    assert [m.payload for m in friend.received("t", 1)] == [b"1"]
    process.send_signal(how)
    assert process.wait(20) == 0
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=1)


def test_it_says_so_when_its_broker_ends(command: Any) -> None:
    process, _ = command()
    children = subprocess.check_output(["ps", "-o", "pid=", "--ppid", str(process.pid)], text=True).split()
    for child in children:
        os.kill(int(child), signal.SIGKILL)
    assert process.wait(20) == 3
    assert "limecep: mqtt has ended by itself" in process.stderr.read()
