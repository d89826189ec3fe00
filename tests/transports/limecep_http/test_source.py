"""What is posted becomes events, and clients are told what became of it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

from limecep import Pipeline
from limecep.clock import Stopwatch, pause
from limecep.testing.broker import free_port

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

EVENT = {"as": {"field": "type"}, "id": "id", "time": {"field": "time", "format": "epoch_s"}}
CE = {"as": {"field": "ce.type"}, "id": ["ce.source", "ce.id"], "time": "ce.time", "format": "cloudevents"}


def document(port: int, channel: str = "/events", by: str = "", **source: Any) -> dict[str, Any]:
    return {
        "version": 1,
        "name": "posted",
        "sources": {"s": {"type": "http", "listen": f"127.0.0.1:{port}", "channel": channel, **source}},
        "patterns": {"p": {"query": f"PATTERN SEQ(A a, B b) WITHIN 10 s {by}", "slack": "none"}},
        "sinks": {"out": {"type": "file", "path": "out.jsonl"}},
    }


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Callable[..., int]]:
    """Runs a pipeline beside the test; gives its port."""
    ended = False
    begun: list[tuple[Pipeline, Thread]] = []

    def start(channel: str = "/events", by: str = "", **source: Any) -> int:
        port = free_port()
        pipeline = Pipeline.from_dict(document(port, channel, by, **source), root=tmp_path)
        thread = Thread(target=pipeline.run, args=[lambda: ended, 60])
        thread.start()
        begun.append((pipeline, thread))
        _listening(port)
        return port

    yield start
    ended = True
    for pipeline, thread in begun:
        thread.join()
        pipeline.close()


def _listening(port: int) -> None:
    import socket

    watch = Stopwatch()
    while watch.seconds < 20:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            pause(0.02)
        else:
            return
    raise AssertionError("nobody listens")


def matches(folder: Path) -> list[dict[str, list[str]]]:
    lines = (folder / "out.jsonl").read_text().splitlines()
    return [{v: [e["id"] for e in es] for v, es in json.loads(line)["events"].items()} for line in lines]


A, B = {"type": "A", "id": "1", "time": "1.50"}, {"type": "B", "id": "2", "time": 2}
LINES = b"\n".join(json.dumps(e).encode() for e in (A, B))


@pytest.mark.parametrize(
    ("bodies", "content_type"),
    [
        ([json.dumps(A).encode(), json.dumps(B).encode()], "application/json"),
        ([json.dumps([A, B]).encode()], "application/json"),
        ([LINES], "application/x-ndjson"),
        ([LINES], "application/x-www-form-urlencoded"),
    ],
)
def test_json_may_be_objects_a_list_and_lines(
    run: Any, post: Any, tmp_path: Path, bodies: list[bytes], content_type: str
) -> None:
    port = run(**EVENT)
    for body in bodies:
        assert post(port, "/events", body, {"Content-Type": content_type}).status == 204
    # Who was answered need wait for nothing.
    assert matches(tmp_path) == [{"a": ["1"], "b": ["2"]}]


def test_cloudevents_may_be_binary_structured_and_several(run: Any, post: Any, tmp_path: Path) -> None:
    port = run(**CE)
    a, b, c = (
        {"specversion": "1.0", "source": "/café", "type": kind, "id": n, "time": f"2026-01-05T10:00:0{n}Z"}
        for kind, n in (("A", "1"), ("B", "2"), ("B", "3"))
    )
    headers = {f"ce-{k}": v.replace("é", "%C3%A9") for k, v in a.items()}
    assert post(port, "/events", b"{}", {"Content-Type": "application/json", **headers}).status == 204
    structured = {"Content-Type": "application/cloudevents+json"}
    assert post(port, "/events", json.dumps(b).encode(), structured).status == 204
    batch = {"Content-Type": "application/cloudevents-batch+json"}
    # One that is known is dropped.
    assert post(port, "/events", json.dumps([b, c]).encode(), batch).status == 204
    assert matches(tmp_path) == [{"a": ["\\/café/1"], "b": ["\\/café/2"]}]


@pytest.mark.parametrize(
    ("body", "content_type", "said"),
    [
        (
            b'{"type": ',
            "application/json",
            {"error": "not JSON: it ends too early, at column 10", "invalid": 1},
        ),
        (
            b'{"type": "A", "id": "1"}',
            "application/json",
            {"error": "no time: 'time' is missing", "invalid": 1},
        ),
        (
            LINES + b"\nodd",
            "application/jsonl",
            {"error": "line 3: not JSON at column 1: invalid character", "invalid": 1},
        ),
        (
            b'[{"type": "A", "id": "1", "time": 1}, 7, 8]',
            "application/json",
            {"error": "item 2 of the list is not a JSON object", "invalid": 2},
        ),
    ],
)
def test_a_client_is_told_what_gave_no_event(
    run: Any, post: Any, body: bytes, content_type: str, said: Any
) -> None:
    answer = post(run(**EVENT), "/events", body, {"Content-Type": content_type})
    assert (answer.status, answer.said) == (400, said)


def test_levels_of_the_path_serve_as_fields(run: Any, post: Any, tmp_path: Path) -> None:
    port = run("/rooms/*", "PARTITION BY key", **EVENT, key="$topic[1]")
    assert post(port, "/rooms/caf%C3%A9", LINES, {"Content-Type": "application/jsonl"}).status == 204
    [line] = (tmp_path / "out.jsonl").read_text().splitlines()
    assert json.loads(line)["key"] == {"key": "café"}


def test_nothing_that_was_answered_is_lost_by_kills(post: Any, tmp_path: Path) -> None:
    """A client sends again what was not answered, and every event is found once."""
    port = free_port()
    given = document(port, **EVENT) | {"state": {"dir": "state"}}
    given["patterns"] = {"p": {"query": "PATTERN A a WITHIN 1 s", "slack": "none"}}
    (tmp_path / "p.yaml").write_text(json.dumps(given))
    command = [sys.executable, "-m", "limecep", "run", str(tmp_path / "p.yaml"), "--quiet"]
    running: list[Any] = []
    kills = 0

    def send(n: int) -> None:
        body = json.dumps({"type": "A", "id": f"e{n}", "time": n}).encode()
        while True:
            try:
                if post(port, "/events", body).status == 204:
                    return
            except OSError:
                pause(0.01)

    def start() -> None:
        running[:] = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)]
        _listening(port)

    try:
        start()
        with ThreadPoolExecutor(8) as pool:
            sent = [pool.submit(send, n) for n in range(300)]
            while not all(s.done() for s in sent):
                if kills < 2 and sum(s.done() for s in sent) > 80 * (kills + 1):
                    running[0].kill()
                    running[0].wait()
                    kills += 1
                    start()
                pause(0.01)
        running[0].send_signal(signal.SIGTERM)
        assert running[0].wait(20) == 0
    finally:
        running[0].kill()
        running[0].wait()
    assert kills == 2
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    found = {(r["match"], r["revision"]): r["events"]["a"][0]["id"] for r in lines}
    assert sorted(found.values()) == sorted(f"e{n}" for n in range(300))
