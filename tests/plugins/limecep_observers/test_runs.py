"""Whole runs, as those see them who look after a service."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from http.client import HTTPConnection
from threading import Event as Flag
from threading import Thread
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from limecep import Pipeline, component
from limecep.clock import Stopwatch, pause

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WAIT = 20.0
PIPELINE = """\
version: 1
sources:
  s: {type: file, channel: s.jsonl, follow: true, as: {field: type}, time: {field: t, format: epoch_s}}
patterns:
  p: {query: "PATTERN SEQ(A a, B b) WITHIN 10 s"}
sinks:
  out: {type: file, path: out.jsonl}
observers:
  service: {type: sd_notify}
"""


@component("sink")
class Stuck:
    """Takes nothing until it is let on, and asks meanwhile whether the run is to end, or does not."""

    counts_only = False
    on: ClassVar[Flag] = Flag()
    asks: ClassVar[bool] = True

    def __init__(self, channel: str, settings: Any, options: Any, context: Any) -> None:
        self._context = context

    def open(self) -> None: ...

    def send(self, records: Any) -> None:
        while not self.on.wait(0.05):
            if self.asks:
                self._context.raise_if_stopped("a record was not sent")

    def flush(self) -> None: ...

    def close(self) -> None: ...


def write(folder: Path) -> None:
    events = [{"type": kind, "id": kind, "t": n} for n, kind in enumerate("AB")]
    (folder / "s.jsonl").write_text("".join(f"{json.dumps(e)}\n" for e in events))


def test_systemd_hears_that_the_service_is_ready_alive_and_stopping(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "p.yaml").write_text(PIPELINE)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(WAIT)
        told = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "30000000"}
        process = subprocess.Popen(
            [sys.executable, "-m", "limecep", "run", "p.yaml", "--quiet"],
            cwd=tmp_path,
            env={k: v for k, v in os.environ.items() if k != "WATCHDOG_PID"} | told,
        )
        heard: list[str] = []
        try:
            while "WATCHDOG=1" not in heard:
                heard.append(systemd.recv(4096).decode())
            process.send_signal(signal.SIGTERM)
            while not heard[-1].startswith("STOPPING=1"):
                heard.append(systemd.recv(4096).decode())
            assert process.wait(WAIT) == 0
        finally:
            process.kill()
            process.wait()
    assert heard[0] == "STATUS=starting, 0 events read, 0 matches live"
    assert [text.split(", ")[0] for text in heard if text.startswith("READY=1")] == [
        "READY=1\nSTATUS=running"
    ]
    assert heard[-1] == "STOPPING=1\nSTATUS=ended, 2 events read, 1 matches live"


@pytest.mark.parametrize("asks", [True, False])
def test_one_that_waits_for_its_sink_is_alive_and_one_that_hangs_is_not(
    asks: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path)
    monkeypatch.setattr(Stuck, "on", Flag())
    monkeypatch.setattr(Stuck, "asks", asks)
    port = _free()
    observer = {"type": "prometheus", "port": port, "stuck_after": "2s", "commit_within": "1s"}
    pipeline = Pipeline.from_dict(
        {
            "version": 1,
            "sources": {
                "s": {
                    "type": "file",
                    "channel": "s.jsonl",
                    "follow": True,
                    "as": {"field": "type"},
                    "id": "id",
                    "time": {"field": "t", "format": "epoch_s"},
                }
            },
            "patterns": {"p": {"query": "PATTERN SEQ(A a, B b) WITHIN 10 s"}},
            "sinks": {"out": {"type": "stuck"}},
            "observers": {"m": observer},
        },
        root=tmp_path,
        plugins=[Stuck],
    )
    stop = Flag()
    thread = Thread(target=pipeline.run, args=(stop.is_set,))
    thread.start()
    try:
        _until(lambda: "the last commit is" in _page(port, "/ready"))
        if asks:
            pause(3.0)
            assert _status(port, "/health") == 200
        else:
            _until(lambda: _status(port, "/health") == 503)
        Stuck.on.set()
        _until(lambda: _status(port, "/ready") == 200)
        assert _status(port, "/health") == 200
    finally:
        Stuck.on.set()
        stop.set()
        thread.join(WAIT)
        pipeline.close()
    assert not thread.is_alive()
    assert _status(port, "/health") == 0


def _free() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def _status(port: int, path: str) -> int:
    """The status of a page; 0 where nobody listens."""
    return int(_page(port, path).split(" ", 1)[0])


def _page(port: int, path: str) -> str:
    """The status of a page, and the page."""
    connection = HTTPConnection("127.0.0.1", port, timeout=WAIT)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return f"{answer.status} {answer.read().decode()}"
    except ConnectionRefusedError:
        return "0 "
    finally:
        connection.close()


def _until(holds: Callable[[], bool]) -> None:
    watch = Stopwatch()
    while not holds():
        assert watch.seconds < WAIT, "it never happened"
        pause(0.05)
