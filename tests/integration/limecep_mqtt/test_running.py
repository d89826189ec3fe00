"""Whole pipelines at a broker, run by the command: what they find is what they find in a file, whatever
happens to the broker and to the connection."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from limecep.clock import Stopwatch, pause
from limecep.testing.broker import free_port
from limecep.testing.streams import disorder, stream, with_duplicates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from limecep.testing.mosquitto import MosquittoBroker

pytestmark = pytest.mark.mqtt

#: How long the connection is cut, in seconds; by command longer.
CUT = float(os.environ.get("LIMECEP_CUT_SECONDS", "3"))

QUERY = "PATTERN SEQ(A a, B+ b[], C c) WITHIN 4 seconds"
#: Ends the stream: its match says that everything before it was worked on.
LAST = {"id": "last", "type": "Done", "time": "9999"}


def pipeline(connector: dict[str, Any], channel: str, **more: Any) -> dict[str, Any]:
    return {
        "version": 1,
        "name": "p",
        "connectors": {"in": connector},
        "sources": {
            "events": {
                "from": "in",
                "channel": channel,
                "as": {"field": "type"},
                "id": "id",
                "time": {"field": "time", "format": "epoch_s"},
            }
        },
        "patterns": {
            "p": {"query": QUERY, "lateness": "accept", "slack": "none"},
            "last": {"query": "PATTERN SEQ(Done d) WITHIN 1 second"},
        },
        "sinks": {"out": {"type": "stdout", "format": "json", "events": "ids"}},
        **more,
    }


def messages(count: int) -> list[dict[str, str]]:
    """A stream with disorder and duplicates, as devices would send it."""
    events = stream(3, count, gap=600_000)
    events = with_duplicates(disorder(events, 4, 0.2, 5_000_000), 5, 0.1)
    return [{"id": e.id, "type": e.type, "time": f"{e.t_gen / 1e6:.6f}"} for e in events]


def net(records: Sequence[dict[str, Any]]) -> Counter[str]:
    """The net results of a change log: the ids of each match. After a kill a record may come twice."""
    told: dict[tuple[Any, ...], dict[str, Any]] = {}
    for r in records:
        told.setdefault((r["match"], r["revision"], r["op"]), r)
    live: dict[str, str] = {}
    for r in told.values():
        if r["op"] == "retract":
            del live[r["match"]]
        else:
            live[r["match"]] = json.dumps(r["events"])
    return Counter(live.values())


class Running:
    """The command, running a pipeline."""

    def __init__(self, folder: Path, document: dict[str, Any], *arguments: str) -> None:
        folder.mkdir()
        self._folder = folder
        (folder / "p.yaml").write_text(json.dumps(document))
        command = [sys.executable, "-m", "limecep", "run", "p.yaml", "--report", "r.json", *arguments]
        with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
            self.process = subprocess.Popen(command, cwd=folder, stdout=out, stderr=err)

    @property
    def said(self) -> str:
        return (self._folder / "err").read_text()

    def records(self) -> list[dict[str, Any]]:
        lines = (self._folder / "out").read_text().splitlines(keepends=True)
        return [json.loads(line) for line in lines if line.endswith("\n")]

    def report(self) -> dict[str, Any]:
        report: dict[str, Any] = json.loads((self._folder / "r.json").read_text())
        return report

    def wait_for(self, what: Callable[[], object], seconds: float = 60) -> None:
        watch = Stopwatch()
        while not what():
            assert self.process.poll() is None, self.said
            assert watch.seconds < seconds, self.said
            pause(0.05)

    def connected(self, times: int = 1) -> None:
        """Returns when so many connections are there, and the broker has the source's subscription: what is
        published before that is for nobody."""
        for event, wanted in (("connected", times), ("subscribed", 1)):
            self.wait_for(lambda e=event, n=wanted: self.said.count(f'"event": "{e}"') >= n)

    def finished(self) -> None:
        """Returns when the last event was worked on."""
        self.wait_for(lambda: any(r["pattern"] == "last" for r in self.records()))

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(how)
        return self.end()

    def end(self) -> int:
        return self.process.wait(60)


class Run(Protocol):
    def __call__(self, document: dict[str, Any], *arguments: str) -> Running: ...


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    """Starts the command; what still runs at the end of the test is killed."""
    made: list[Running] = []

    def start(document: dict[str, Any], *arguments: str) -> Running:
        made.append(Running(tmp_path / f"run{len(made)}", document, *arguments))
        return made[-1]

    yield start
    for running in made:
        running.process.kill()
        running.process.wait()


def expected(run: Run, tmp_path: Path, sent: Sequence[dict[str, str]]) -> Counter[str]:
    """What a run over the same stream in a file finds."""
    path = tmp_path / "stream.jsonl"
    path.write_text("".join(json.dumps(m) + "\n" for m in sent))
    running = run(pipeline({"type": "file"}, str(path)))
    assert running.end() == 0, running.said
    return net(running.records())


def publish(friend: Any, sent: Sequence[dict[str, str]]) -> None:
    for begin in range(0, len(sent), 50):
        for message in sent[begin : begin + 50]:
            friend.publish(f"plant/{message['type']}", json.dumps(message).encode())


@pytest.mark.parametrize("version", [5, "3.1.1"])
def test_the_results_are_those_of_the_same_stream_in_a_file(
    version: Any, brokers: Any, befriend: Any, run: Run, tmp_path: Path
) -> None:
    sent = [*messages(400), LAST]
    wanted = expected(run, tmp_path, sent)
    broker = brokers()
    connector = {
        "type": "mqtt",
        "url": f"mqtt://127.0.0.1:{broker.port}",
        "client_id": "p",
        "version": version,
    }
    first = run(pipeline(connector, "plant/#"), "--for", "500ms")
    assert first.end() == 0, first.said
    friend = befriend(broker.port)
    # A part while it is away, a part while it is there.
    publish(friend, sent[:200])
    running = run(pipeline(connector, "plant/#"))
    running.connected()
    publish(friend, sent[200:])
    running.finished()
    assert running.stop() == 0
    assert net(running.records()) == wanted
    events = running.report()["events"]
    assert events["read"] == len(sent)
    assert events["duplicate"] > 10
    assert events["out_of_order"] > 10
    # Everything was acknowledged.
    again = run(pipeline(connector, "plant/#"), "--for", "1s")
    assert again.end() == 0
    assert again.report()["events"]["read"] == 0


def test_a_crash_of_the_broker_loses_nothing(brokers: Any, befriend: Any, run: Run, tmp_path: Path) -> None:
    sent = [*messages(600), LAST]
    wanted = expected(run, tmp_path, sent)
    broker: MosquittoBroker = brokers()
    connector = {"type": "mqtt", "url": f"mqtt://127.0.0.1:{broker.port}", "client_id": "p"}
    running = run(pipeline(connector, "plant/#"))
    running.connected()
    friend = befriend(broker.port, "plant")
    publish(friend, sent[:200])
    for begin in (200, 400):
        broker.crash()
        pause(0.3)
        broker.start()
        # On its way again, on both sides.
        publish(friend, sent[begin : begin + 200])
    publish(friend, sent[600:])
    running.finished()
    assert running.stop() == 0
    assert net(running.records()) == wanted
    assert running.said.count('"event": "connection lost"') >= 2
    events = running.report()["events"]
    assert events["read"] >= len(sent)
    assert events["invalid"] == events["extremely_late"] == 0


def test_a_connection_that_is_cut_loses_nothing(
    brokers: Any, befriend: Any, run: Run, tmp_path: Path
) -> None:
    sent = [*messages(600), LAST]
    wanted = expected(run, tmp_path, sent)
    broker = brokers()
    connector = {"type": "mqtt", "url": f"mqtt://127.0.0.1:{broker.proxied}", "client_id": "p"}
    running = run(pipeline(connector, "plant/#"))
    running.connected()
    friend = befriend(broker.port)
    publish(friend, sent[:200])
    with broker.cut():
        publish(friend, sent[200:400])
        pause(CUT)
    publish(friend, sent[400:])
    running.finished()
    assert running.stop() == 0
    assert net(running.records()) == wanted
    assert '"session": "resumed"' in running.said


@pytest.fixture
def two(brokers: Any) -> tuple[MosquittoBroker, MosquittoBroker, dict[str, Any]]:
    """A broker to read from, another to write to, and a pipeline between them."""
    inside, outside = brokers(), brokers()
    connector = {"type": "mqtt", "url": f"mqtt://127.0.0.1:{inside.port}", "client_id": "p"}
    out = {"type": "mqtt", "url": f"mqtt://127.0.0.1:{outside.port}", "channel": "out", "events": "ids"}
    return inside, outside, pipeline(connector, "plant/#", sinks={"out": out})


def test_a_sink_whose_broker_is_away_is_waited_for(two: Any, befriend: Any, run: Run, tmp_path: Path) -> None:
    sent = [*messages(300), LAST]
    wanted = expected(run, tmp_path, sent)
    inside, outside, document = two
    reader = befriend(outside.port, "reader")
    reader.subscribe("out")
    running = run(document)
    running.connected(2)
    outside.stop()
    publish(befriend(inside.port), sent)
    pause(1.0)
    outside.start()
    watch, records = Stopwatch(), []
    while not any(r["pattern"] == "last" for r in records):
        assert watch.seconds < 60, running.said
        records = [json.loads(m.payload) for m in reader.received("out", len(records) + 1, 1)]
    assert running.stop() == 0
    assert net(records) == wanted


def test_with_a_state_a_sink_whose_broker_is_away_keeps_nothing_else(
    two: Any, befriend: Any, run: Run, tmp_path: Path
) -> None:
    """Neither the input, nor another sink, nor the beginning of a run."""
    sent = [*messages(200), LAST]
    inside, outside, document = two
    document["state"] = {"dir": str(tmp_path / "state")}
    document["sinks"]["siren"] = {"type": "stdout", "format": "json", "events": "ids"}
    reader = befriend(outside.port, "reader")
    reader.subscribe("out")
    outside.stop()
    running = run(document)
    running.connected()
    publish(befriend(inside.port), sent)
    running.finished()
    assert running.stop() == 0
    siren, report = running.records(), running.report()
    waiting = report["sinks"]["out"]["waiting"]
    assert waiting["records"] == report["state"]["unsent"] == len(siren)
    assert report["sinks"]["siren"] == {"records": len(siren)}
    again = run(document)
    again.connected()
    outside.start()
    came = reader.received("out", len(siren), 60)
    assert [json.loads(m.payload) for m in came] == siren
    again.wait_for(lambda: again.said.count('"event": "connected"') == 2)
    assert again.stop() == 0
    assert again.report()["state"]["unsent"] == 0


def test_what_no_sink_took_is_not_acknowledged_when_the_run_is_to_end(
    two: Any, befriend: Any, run: Run
) -> None:
    inside, outside, document = two
    running = run(document)
    running.connected(2)
    outside.stop()
    publish(befriend(inside.port), [LAST])
    pause(1.0)
    assert running.stop() == 3
    assert f"the broker 127.0.0.1:{outside.port} did not take the last 1 records" in running.said
    outside.start()
    reader = befriend(outside.port)
    reader.subscribe("out")
    again = run(document)
    assert len(reader.received("out", 1)) == 1
    assert again.stop() == 0


def test_cloudevents_come_and_go(brokers: Any, befriend: Any, run: Run) -> None:
    """Binary ones, whose attributes are user properties, come; structured ones go."""
    broker = brokers()
    connector = {"type": "mqtt", "url": f"mqtt://127.0.0.1:{broker.port}", "client_id": "p"}
    out = {"to": "in", "channel": "out", "envelope": {"type": "cloudevents", "source": "/box"}}
    document = pipeline(connector, "plant/#", sinks={"out": out})
    document["sources"]["events"] |= {
        "format": "cloudevents", "as": {"field": "ce.type"}, "id": ["ce.source", "ce.id"], "time": "ce.time",
    }  # fmt: skip
    friend = befriend(broker.port)
    friend.subscribe("out")
    running = run(document)
    running.connected(2)
    attributes = {
        "specversion": "1.0",
        "id": "1",
        "source": "/s",
        "type": "Done",
        "time": "2026-01-05T10:00:00Z",
    }
    headers = (("content-type", b"application/json"), *((k, v.encode()) for k, v in attributes.items()))
    friend.publish("plant/x", b'{"v": 7}', headers=headers)
    (message,) = friend.received("out", 1)
    assert running.stop() == 0, running.said
    assert message.properties.ContentType.startswith("application/cloudevents+json")
    event = json.loads(message.payload)
    assert (event["specversion"], event["source"], event["type"]) == ("1.0", "/box", "limecep.match.emit")
    (done,) = event["data"]["events"]["d"]
    assert (done["id"], done["payload"]["v"]) == ("/s/1".replace("/s", "\\/s"), 7)


# -- brokers that are not there ------------------------------------------------------------------------------


def nowhere(port: int, **more: Any) -> dict[str, Any]:
    return pipeline({"type": "mqtt", "url": f"mqtt://127.0.0.1:{port}", "client_id": "p", **more}, "plant/#")


def test_a_broker_that_is_not_there_ends_the_run_with_3_by_choice(run: Run) -> None:
    port = free_port()
    running = run(nowhere(port, on_unavailable="fail"))
    assert running.end() == 3
    assert f"limecep: the connection to the broker 127.0.0.1:{port} cannot be had" in running.said
    assert "Traceback" not in running.said


def test_a_run_that_waits_for_its_broker_ends_in_order(run: Run) -> None:
    running = run(nowhere(free_port()))
    running.wait_for(lambda: '"event": "no connection"' in running.said)
    assert running.stop() == 0


def test_a_broker_may_come_later_than_the_run(brokers: Any, befriend: Any, run: Run) -> None:
    """A time to run is counted from then."""
    port = free_port()
    running = run(nowhere(port), "--for", "2s")
    running.wait_for(lambda: '"event": "no connection"' in running.said)
    pause(2.5)
    assert running.process.poll() is None
    brokers(port)
    running.connected()
    befriend(port).publish("plant/Done", json.dumps(LAST).encode())
    assert running.end() == 0
    assert [r["pattern"] for r in running.records()] == ["last"]


def test_what_is_older_than_memory_is_repaired_from_the_state(
    brokers: Any, befriend: Any, run: Run, tmp_path: Path
) -> None:
    """Also after the process was killed: a broker has no log to read again."""
    broker = brokers()
    connector = {"type": "mqtt", "url": f"mqtt://127.0.0.1:{broker.port}", "client_id": "p"}
    document = pipeline(
        connector, "plant/#", retention={"events": 20}, state={"dir": str(tmp_path / "state")}
    )
    first = run(document)
    first.connected()
    friend = befriend(broker.port, "plant")
    begun = [{"id": i, "type": i[0].upper(), "time": i[1:]} for i in ("a1", "b2", "c4")]
    publish(friend, begun)
    first.wait_for(lambda: len(first.records()) == 1)
    publish(friend, [{"id": f"f{n}", "type": "B", "time": f"{n}"} for n in range(100, 200)])
    publish(friend, [{**LAST, "time": "201"}])
    first.finished()
    first.stop(signal.SIGKILL)
    second = run(document)
    second.connected()
    publish(friend, [{"id": "b3", "type": "B", "time": "3"}])
    second.wait_for(lambda: any(r["op"] == "correct" for r in second.records()))
    assert second.stop() == 0
    (record,) = (r for r in second.records() if r["op"] == "correct")
    assert (record["revision"], record["events"]) == (2, {"a": ["a1"], "b": ["b2", "b3"], "c": ["c4"]})
    report = second.report()
    assert report["retrieved"]["events"] >= 3
    assert report["state"]["resumed"]
    assert report["evicted"] > 0


def test_a_message_is_acknowledged_when_it_is_in_the_state(
    brokers: Any, befriend: Any, run: Run, tmp_path: Path
) -> None:
    """One that is not comes again after a kill; one that is does not."""
    broker = brokers()
    connector = {"type": "mqtt", "url": f"mqtt://127.0.0.1:{broker.port}", "client_id": "p"}
    document = pipeline(connector, "plant/#", state={"dir": str(tmp_path / "state")})
    first = run(document)
    first.connected()
    friend = befriend(broker.port, "plant")
    sent = [*messages(300), LAST]
    publish(friend, sent)
    first.finished()
    first.stop(signal.SIGKILL)
    second = run(document, "--for", "2s")
    assert second.end() == 0, second.said
    read = second.report()["events"]
    # At most those under way.
    assert len(sent) <= read["read"] <= len(sent) + 100
    assert net([*first.records(), *second.records()]) == expected(run, tmp_path, sent)
