"""Kafka: how many events a second, how soon a match, and what disorder costs.

    python benchmarks/kafka.py throughput    # against a bare consumer that decodes the same JSON
    python benchmarks/kafka.py lines         # lines.py's JSON, three patterns, matches written to a file
    python benchmarks/kafka.py latency       # from publishing to the match, at 1,000 events/s
    python benchmarks/kafka.py disorder      # what late events cost, where each concerns the pattern

Each starts a broker of its own, and prints what it measured and on what.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic
from lines import LINE_BYTES, START, documents
from machine import machine

from limecep.cli import logs
from limecep.cli.run import collect_seldom
from limecep.runtime.pipeline import Pipeline
from limecep.testing.kafka import KafkaBroker

if TYPE_CHECKING:
    from collections.abc import Callable

#: Events of a topic, its partitions, and rounds of each kind.
EVENTS = 600_000
PARTITIONS = 3
ROUNDS = 5
#: Events a second, and seconds, where it is not about the greatest rate.
RATE = 1000
SECONDS = 20
#: How long before that it goes on already: a broker that has just started translates its own code first.
WARMING = 5
PADDING = "x" * 24
#: Over eight of 26 types; every 26 events there is a match of the first two, and at times one of the third.
PATTERNS = {
    "single": "PATTERN SEQ(A a, B b) WITHIN 10 ms",
    "group": "PATTERN SEQ(C c, D+ d[], E e) WITHIN 10 ms",
    "negated": "PATTERN SEQ(F f, !I i, H h) WHERE f.value > 90 WITHIN 10 ms",
}


#: Over three of 26 types, on lines of benchmarks/lines.py.
LINES = 1_000_000
OVER_THREE = {
    "single": "PATTERN SEQ(A a, B b) WITHIN 100 ms",
    "group": "PATTERN SEQ(A a, B+ b[], C c) WITHIN 100 ms",
    "negated": "PATTERN SEQ(A a, !B b, C c) WHERE c.value > 90 WITHIN 100 ms",
}


def document(address: str, topic: str, name: str, sink: dict[str, Any], start: str) -> dict[str, Any]:
    connector = {"type": "kafka", "brokers": address, "group": name, "start": start}
    return {
        "version": 1,
        "name": name,
        "connectors": {"broker": connector},
        "sources": {
            "plant": {
                "from": "broker",
                "channel": topic,
                "as": {"field": "type"},
                "id": "id",
                "time": {"field": "time", "format": "epoch_us"},
            }
        },
        "patterns": {key: {"query": query} for key, query in PATTERNS.items()},
        "sinks": {"out": sink},
    }


def payload(number: int, at: float) -> bytes:
    return event(number, chr(65 + number % 26), int(at * 1_000_000))


def event(number: int, kind: str, when: int) -> bytes:
    text = f'{{"id":"e{number}","type":"{kind}","time":{when},"value":{number % 97},"note":"{PADDING}"}}'
    return text.encode()


def make(address: str, topic: str) -> None:
    admin = AdminClient({"bootstrap.servers": address})
    admin.create_topics([NewTopic(topic, PARTITIONS, 1)])[topic].result()


def publish(address: str, topic: str, count: int, rate: float | None = None) -> None:
    """Publishes at a rate, or as fast as it goes and as if a millisecond apart; returns when all is there."""
    producer = Producer({"bootstrap.servers": address, "linger.ms": 1 if rate else 20})
    begin = time.time()
    for n in range(count):
        if rate is not None:
            time.sleep(max(0.0, begin + n / rate - time.time()))
        at = time.time() if rate is not None else begin - (count - n) / 1000
        send(producer, topic, payload(n, at), n // 100 % PARTITIONS, int(at * 1000))
    producer.flush()


def send(producer: Producer, topic: str, value: bytes, partition: int, stamp: int) -> None:
    """Hands a message to a producer, when it has room for one."""
    while True:
        try:
            producer.produce(topic, value, partition=partition, timestamp=stamp)
            break
        except BufferError:
            producer.poll(0.1)
    producer.poll(0)


# -- throughput ----------------------------------------------------------------------------------------------


def bare(address: str, topic: str, count: int) -> tuple[float, float]:
    """Seconds, and seconds of processor time, in which a bare consumer takes messages and reads their
    JSON."""
    consumer = Consumer({"bootstrap.servers": address, "group.id": "bare"})
    decode = msgspec.json.Decoder().decode
    consumer.assign([TopicPartition(topic, n, 0) for n in range(PARTITIONS)])
    begin, used, seen = time.perf_counter(), time.process_time(), 0
    while seen < count:
        for message in consumer.consume(5000, 0.1):
            if message.error() is None:
                decode(message.value())
                seen += 1
    spent = time.perf_counter() - begin, time.process_time() - used
    consumer.close()
    return spent


def limecep(address: str, topic: str, count: int) -> tuple[float, float]:
    """Seconds, and seconds of processor time, in which a pipeline takes messages and finds matches, from when
    it has its partitions."""
    name = f"limecep-{time.time_ns()}"
    return drained(document(address, topic, name, {"type": "none"}, "earliest"), count)


def stateful(address: str, topic: str, count: int) -> tuple[float, float]:
    """The same with a new state."""
    name = f"limecep-{time.time_ns()}"
    with tempfile.TemporaryDirectory() as folder:
        pipeline = document(address, topic, name, {"type": "none"}, "earliest")
        return drained({**pipeline, "state": {"dir": folder}}, count)


def drained(pipeline_of: dict[str, Any], count: int) -> tuple[float, float]:
    logs.configure("error", sys.stderr)
    pipeline = Pipeline.from_dict(pipeline_of)
    begin, used, looked = 0.0, 0.0, time.perf_counter()

    def finished() -> bool:
        nonlocal begin, used, looked
        if not begin and all(feed.connected for feed in pipeline._feeds):
            begin, used = time.perf_counter(), time.process_time()
        if time.perf_counter() - looked < 0.05:
            return False
        looked = time.perf_counter()
        return pipeline.outcomes()["read"] >= count

    # As the command does.
    collect_seldom()
    try:
        pipeline.run(finished)
        return time.perf_counter() - begin, time.process_time() - used
    finally:
        report = pipeline.report()
        if not all(p["emitted"] for p in report["patterns"].values()):
            raise SystemExit(f"a pattern found nothing: {report['patterns']}")
        pipeline.close()


def throughput(folder: Path, broker: KafkaBroker) -> None:
    make(broker.address, "events")
    publish(broker.address, "events", EVENTS)
    work: dict[str, Callable[[str, str, int], tuple[float, float]]] = {
        "bare": bare,
        "limecep": limecep,
        "stateful": stateful,
    }
    rates: dict[str, list[float]] = {name: [] for name in work}
    efforts: dict[str, list[float]] = {name: [] for name in work}
    # Each in a process of its own, so that none has the other's garbage.
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for n in range(ROUNDS):
            for name in work if n % 2 else reversed(work):
                seconds, used = pool.apply(work[name], (broker.address, "events", EVENTS))
                rates[name].append(EVENTS / seconds)
                efforts[name].append(EVENTS / used)
    size = len(payload(0, time.time()))
    print(f"{EVENTS:,} events of {size} bytes, {PARTITIONS} partitions, {len(PATTERNS)} patterns,")
    print(f"median of {ROUNDS} rounds; per second, and per second of one processor:")
    for name in work:
        found = rates[name]
        wall, used = statistics.median(found), statistics.median(efforts[name])
        print(f"  {name:8} {wall:9,.0f}/s   {used:9,.0f}/s   ({min(found):,.0f} to {max(found):,.0f})")
    for name in ("limecep", "stateful"):
        for what, measured in (("", rates), (", of one processor", efforts)):
            ratios = [ours / theirs for ours, theirs in zip(measured[name], measured["bare"], strict=True)]
            print(f"  {name} to bare{what} {statistics.median(ratios):.2f}")


# -- lines ---------------------------------------------------------------------------------------------------


def to_file(address: str, count: int, kept: bool) -> tuple[float, float, int]:
    """Seconds, seconds of processor time, and matches in the file."""
    name = f"limecep-{time.time_ns()}"
    with tempfile.TemporaryDirectory() as folder:
        sink = {"to": "files", "channel": "matches.jsonl"}
        pipeline = document(address, "lines", name, sink, "earliest")
        pipeline["connectors"]["files"] = {"type": "file", "root": folder}
        pipeline["sources"]["plant"]["time"]["format"] = "epoch_ms"
        pipeline["patterns"] = {key: {"query": query} for key, query in OVER_THREE.items()}
        if kept:
            pipeline["state"] = {"dir": f"{folder}/state"}
        seconds, used = drained(pipeline, count)
        with (Path(folder) / "matches.jsonl").open(encoding="utf-8") as matches:
            return seconds, used, sum(1 for _ in matches)


def lines(folder: Path, broker: KafkaBroker) -> None:
    make(broker.address, "lines")
    producer = Producer({"bootstrap.servers": broker.address, "linger.ms": 20})
    for n, line in enumerate(documents(LINES)):
        send(producer, "lines", line.encode(), n // 100 % PARTITIONS, int(START.timestamp() * 1000) + n)
    producer.flush()
    print(f"{LINES:,} events of {LINE_BYTES - 1} bytes, {PARTITIONS} partitions, {len(OVER_THREE)} patterns")
    print("over 3 of 26 types, matches to a file; median of 3 rounds; per second, and per second of one")
    print("processor:")
    took: dict[bool, list[tuple[float, float, int]]] = {False: [], True: []}
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for _ in range(3):
            for kept, found in took.items():
                found.append(pool.apply(to_file, (broker.address, LINES, kept)))
    for kept, found in took.items():
        seconds, used, matches = map(statistics.median, zip(*found, strict=True))
        name = "with state" if kept else "no state"
        print(f"  {name:10} {LINES / seconds:9,.0f}/s   {LINES / used:9,.0f}/s   {matches:,.0f} matches")


# -- disorder ------------------------------------------------------------------------------------------------


def publish_late(address: str, topic: str, share: float, reach: int) -> float:
    """Publishes events of three types, a millisecond apart, of which about a share is late by up to `reach`
    milliseconds; gives the share that is."""
    chosen = random.Random(11)
    arriving = sorted(
        (n + (chosen.randrange(1, reach) if chosen.random() < share else 0), n) for n in range(EVENTS)
    )
    producer = Producer({"bootstrap.servers": address, "linger.ms": 20})
    begin = int(time.time()) * 1000 - EVENTS
    latest = late = 0
    for arrival, (_, n) in enumerate(arriving):
        late += n < latest
        latest = max(latest, n)
        value = event(n, "ABC"[n * 2654435761 % 4294967296 % 3], (begin + n) * 1000)
        send(producer, topic, value, 0, begin + arrival)
    producer.flush()
    return late / EVENTS


def over_disorder(address: str, topic: str, steps: str, within: int) -> float:
    """Seconds in which a pipeline takes messages and finds matches."""
    name = f"limecep-{time.time_ns()}"
    pipeline = document(address, topic, name, {"type": "none"}, "earliest")
    query = f"PATTERN SEQ({steps}) WITHIN {within} ms"
    pipeline["patterns"] = {"p": {"query": query, "lateness": "accept"}}
    return drained(pipeline, EVENTS)[0]


def disorder(folder: Path, broker: KafkaBroker) -> None:
    print(
        f"{EVENTS:,} events of three types, all of the pattern, late by up to the window; median of 3 rounds:"
    )
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for within in (100, 1000):
            late = {}
            for percent in (0, 20, 75):
                make(broker.address, topic := f"late-{percent}-{within}")
                late[topic] = publish_late(broker.address, topic, percent / 100, within)
            for name, steps in (("ABC", "A a, B b, C c"), ("AB+C", "A a, B+ b[], C c")):
                rates: dict[str, list[float]] = {topic: [] for topic in late}
                for _ in range(3):
                    for topic, found in rates.items():
                        arguments = (broker.address, topic, steps, within)
                        found.append(EVENTS / pool.apply(over_disorder, arguments))
                first, *_ = medians = [statistics.median(found) for found in rates.values()]
                for share, rate in zip(late.values(), medians, strict=True):
                    told = f"  {name:5} W={within:<5} {share:4.0%} late {rate:9,.0f}/s"
                    print(f"{told} ({rate / first:.2f} of in order)", flush=True)


# -- latency -------------------------------------------------------------------------------------------------


def watched(address: str, topic: str, count: int) -> list[float]:
    """How long messages take to a bare consumer, in seconds."""
    consumer = Consumer({"bootstrap.servers": address, "group.id": "bare"})
    consumer.assign([TopicPartition(topic, n, 0) for n in range(PARTITIONS)])
    delays: list[float] = []
    while len(delays) < count:
        message = consumer.poll(0.1)
        if message is not None and message.error() is None:
            delays.append(time.time() - msgspec.json.decode(message.value())["time"] / 1e6)
    consumer.close()
    return delays


def quantiles(name: str, delays: list[float]) -> None:
    delays = sorted(delays)
    found = [1000 * delays[min(int(share * len(delays)), len(delays) - 1)] for share in (0.5, 0.99, 1.0)]
    print(f"  {name:8} p50 {found[0]:7.2f} ms   p99 {found[1]:7.2f} ms   max {found[2]:7.2f} ms")


def latency(folder: Path, broker: KafkaBroker) -> None:
    make(broker.address, "events")
    sink = {"type": "stdout", "format": "json"}
    pipeline = document(broker.address, "events", "latency", sink, "latest")
    pipeline["patterns"] = {"single": {"query": PATTERNS["single"]}}
    (folder / "pipeline.yaml").write_text(json.dumps(pipeline))
    command = [sys.executable, "-m", "limecep", "run", "--quiet", str(folder / "pipeline.yaml")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=folder, env={**os.environ})
    delays: list[float] = []

    def read() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            published = json.loads(line)["events"]["b"][0]["time"]
            delays.append(time.time() - datetime.fromisoformat(published).timestamp())

    reader = threading.Thread(target=read)
    reader.start()
    time.sleep(6)
    count = RATE * (WARMING + SECONDS)
    arguments = (broker.address, "events", count, RATE)
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        control = pool.apply_async(watched, (broker.address, "events", count))
        pool.apply(publish, arguments)
        bare_delays = control.get()
    time.sleep(1)
    process.terminate()
    reader.join()
    process.wait()
    if len(delays) < count // 27:
        raise SystemExit(f"{len(delays)} matches, {count // 26} expected")
    print(f"{RATE:,} events/s for {SECONDS} s; from publishing to a bare consumer, and to the match:")
    quantiles("bare", bare_delays[WARMING * RATE :])
    quantiles("limecep", delays[WARMING * RATE // 26 :])


# ------------------------------------------------------------------------------------------------------------


def main() -> None:
    wanted = sys.argv[1] if len(sys.argv) == 2 else ""
    ways = {"throughput": throughput, "lines": lines, "latency": latency, "disorder": disorder}
    if wanted not in ways:
        raise SystemExit(__doc__)
    print(machine())
    with tempfile.TemporaryDirectory() as name, KafkaBroker(Path(name) / "kafka") as broker:
        ways[wanted](Path(name), broker)


if __name__ == "__main__":
    main()
