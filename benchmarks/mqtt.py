"""MQTT: how many messages a second, with state too, how soon a match, how large an installation for the edge.

    python benchmarks/mqtt.py throughput     # against a bare client that does the same
    python benchmarks/mqtt.py latency        # from publishing to the match, at 1,000 events/s
    python benchmarks/mqtt.py edge           # installs limecep[mqtt] elsewhere; size and memory

Each starts a Mosquitto of its own, and prints what it measured and on what.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from machine import machine
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from limecep.cli.run import collect_seldom
from limecep.runtime.pipeline import Pipeline
from limecep.testing.mosquitto import MosquittoBroker

if TYPE_CHECKING:
    from collections.abc import Callable

#: Messages of a round, and rounds of each kind.
MESSAGES = 30_000
ROUNDS = 5
WINDOW = 100
#: Events a second, and seconds, where it is not about the greatest rate.
RATE = 1000
SECONDS = 20
PADDING = "x" * 24


def document(port: int, name: str, sink: dict[str, Any]) -> dict[str, Any]:
    return {
        "version": 1,
        "name": name,
        "connectors": {
            "broker": {
                "type": "mqtt",
                "url": f"mqtt://127.0.0.1:{port}",
                "client_id": name,
                "window": WINDOW,
            }
        },
        "sources": {
            "plant": {
                "from": "broker",
                "channel": "plant/#",
                "as": {"field": "type"},
                "id": "id",
                "time": {"field": "time", "format": "epoch_s"},
            }
        },
        "patterns": {"p": {"query": "PATTERN SEQ(A a, B b) WITHIN 1 s"}},
        "sinks": {"out": sink},
    }


def publisher(port: int) -> Client:
    client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
    client.max_inflight_messages_set(100)
    client.max_queued_messages_set(0)
    client.connect("127.0.0.1", port)
    client.loop_start()
    return client


def payload(number: int, at: float) -> bytes:
    kind = "AB"[number % 2]
    text = f'{{"id":"e{number}","type":"{kind}","time":{at:.6f},"value":{number % 97},"note":"{PADDING}"}}'
    return text.encode()


def publish(port: int, count: int, first: int, rate: float | None = None) -> None:
    """Publishes with QoS 1, at a rate or as fast as it goes, and returns when the broker has everything."""
    client, taken = publisher(port), [0]

    def on_publish(*_: Any) -> None:
        taken[0] += 1

    client.on_publish = on_publish
    begin = time.perf_counter()
    for n in range(count):
        if rate is not None:
            time.sleep(max(0.0, begin + n / rate - time.perf_counter()))
        while n - taken[0] > 2000:
            time.sleep(0.001)
        client.publish("plant/a", payload(first + n, time.time()), 1)
    while taken[0] < count:
        time.sleep(0.01)
    client.disconnect()
    client.loop_stop()


# -- throughput ----------------------------------------------------------------------------------------------


def bare(port: int, count: int) -> float:
    """Seconds in which a bare client takes messages, reads their JSON and acknowledges each; for a count of
    0 it only leaves its subscription."""
    done, seen = threading.Event(), [0]
    client = Client(
        CallbackAPIVersion.VERSION2, client_id="bare", protocol=MQTTProtocolVersion.MQTTv5, manual_ack=True
    )

    def on_message(client: Client, data: Any, message: Any) -> None:
        json.loads(message.payload)
        client.ack(message.mid, message.qos)
        seen[0] += 1
        if seen[0] == count:
            done.set()

    client.on_message = on_message
    client.on_subscribe = lambda *_: None if count else done.set()
    client.on_connect = lambda *_: client.subscribe("plant/#", 1)
    session = Properties(PacketTypes.CONNECT)
    session.ReceiveMaximum, session.SessionExpiryInterval = WINDOW, 3600
    begin = time.perf_counter()
    client.connect("127.0.0.1", port, clean_start=False, properties=session)
    client.loop_start()
    done.wait()
    seconds = time.perf_counter() - begin
    client.disconnect()
    client.loop_stop()
    return seconds


def limecep(port: int, count: int) -> float:
    """Seconds in which a pipeline takes messages, finds matches and acknowledges; for a count of 0 it only
    leaves its subscription."""
    return drained(document(port, "limecep", {"type": "none"}), count)


def stateful(port: int, count: int) -> float:
    """The same with a new state."""
    with tempfile.TemporaryDirectory() as folder:
        return drained({**document(port, "stateful", {"type": "none"}), "state": {"dir": folder}}, count)


def drained(pipeline_of: dict[str, Any], count: int) -> float:
    pipeline = Pipeline.from_dict(pipeline_of)
    begin = looked = time.perf_counter()

    def finished() -> bool:
        nonlocal looked
        if not count or time.perf_counter() - looked < 0.05:
            return False
        looked = time.perf_counter()
        return int(pipeline.report()["events"]["read"]) >= count

    # As the command does.
    collect_seldom()
    try:
        pipeline.run(finished, None if count else 0.5)
        return time.perf_counter() - begin
    finally:
        pipeline.close()


def throughput(folder: Path, broker: MosquittoBroker) -> None:
    """Both drain what was kept for them: the publisher is not running at the same time."""
    work: dict[str, Callable[[int, int], float]] = {"bare": bare, "limecep": limecep, "stateful": stateful}
    rates: dict[str, list[float]] = {name: [] for name in work}
    # Each in a process of its own, so that none has the other's garbage.
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for name in work:
            pool.apply(work[name], (broker.port, 0))
        for n in range(ROUNDS):
            pool.apply(publish, (broker.port, MESSAGES, n * MESSAGES))
            for name in work if n % 2 else reversed(work):
                rates[name].append(MESSAGES / pool.apply(work[name], (broker.port, MESSAGES)))
    size = len(payload(0, time.time()))
    print(f"{MESSAGES:,} messages of {size} bytes, QoS 1, window {WINDOW}, median of {ROUNDS} rounds:")
    for name, found in rates.items():
        print(f"  {name:8} {statistics.median(found):9,.0f}/s   ({min(found):,.0f} to {max(found):,.0f})")
    for name in ("limecep", "stateful"):
        ratios = [ours / theirs for ours, theirs in zip(rates[name], rates["bare"], strict=True)]
        print(f"  {name} to bare {statistics.median(ratios):.2f}")


# -- latency -------------------------------------------------------------------------------------------------


def latency(folder: Path, broker: MosquittoBroker) -> None:
    sink = {"type": "stdout", "format": "json"}
    process = run(sys.executable, folder, document(broker.port, "latency", sink))
    delays: list[float] = []

    def read() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            published = json.loads(line)["events"]["b"][0]["time"]
            delays.append(time.time() - datetime.fromisoformat(published).timestamp())

    reader = threading.Thread(target=read)
    reader.start()
    time.sleep(2)
    count = RATE * SECONDS
    sender = multiprocessing.get_context("spawn").Process(target=publish, args=(broker.port, count, 0, RATE))
    sender.start()
    sender.join()
    time.sleep(1)
    process.terminate()
    reader.join()
    process.wait()
    if len(delays) < count // 2:
        raise SystemExit(f"{len(delays)} matches, {count // 2} expected")
    delays.sort()
    print(f"{RATE:,} events/s for {SECONDS} s, {len(delays):,} matches; from publishing to the match:")
    for name, share in (("p50", 0.5), ("p99", 0.99), ("max", 1.0)):
        print(f"  {name} {1000 * delays[min(int(share * len(delays)), len(delays) - 1)]:7.2f} ms")


# -- a small machine -----------------------------------------------------------------------------------------


def edge(folder: Path, broker: MosquittoBroker) -> None:
    root = Path(__file__).parents[1]
    python = folder / "venv" / "bin" / "python"
    quiet = {"check": True, "stdout": subprocess.DEVNULL}
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], **quiet)
    pip = [sys.executable, "-m", "pip", "--python", python]
    subprocess.run([*pip, "install", "-q", "--no-compile", f"{root}[mqtt]"], **quiet)
    packages = json.loads(subprocess.check_output([*pip, "list", "--format", "json"], text=True))
    site = next((folder / "venv" / "lib").glob("python*/site-packages"))
    size = sum(f.stat().st_size for f in site.rglob("*") if f.is_file())
    names = ", ".join(sorted(p["name"] for p in packages))
    print(f"limecep[mqtt]: {size / 1e6:.1f} MB on disk, {len(packages)} packages ({names})")
    process = run(str(python), folder, document(broker.port, "edge", {"type": "none"}))
    time.sleep(5)
    resting = resident(process.pid)
    publish(broker.port, RATE * SECONDS, 0, RATE)
    working = resident(process.pid)
    process.terminate()
    process.wait()
    print(f"resident memory: {resting:.1f} MB at rest")
    print(f"                 {working:.1f} MB after {SECONDS} s of {RATE:,} events/s")


def resident(process: int) -> float:
    """Megabytes of main memory that a process has."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


# ------------------------------------------------------------------------------------------------------------


def run(python: str, folder: Path, pipeline: dict[str, Any]) -> subprocess.Popen[bytes]:
    (folder / "pipeline.yaml").write_text(json.dumps(pipeline))
    command = [python, "-m", "limecep", "run", "--quiet", str(folder / "pipeline.yaml")]
    return subprocess.Popen(command, stdout=subprocess.PIPE, cwd=folder)


def main() -> None:
    wanted = sys.argv[1] if len(sys.argv) == 2 else ""
    if wanted not in ("throughput", "latency", "edge"):
        raise SystemExit(__doc__)
    print(machine())
    with tempfile.TemporaryDirectory() as name:
        work = {"throughput": throughput, "latency": latency, "edge": edge}[wanted]
        # As the distribution's package has it, but for the window and for the length of queues.
        with MosquittoBroker(Path(name) / "mosquitto", {"max_inflight_messages": WINDOW}) as broker:
            work(Path(name), broker)


if __name__ == "__main__":
    main()
