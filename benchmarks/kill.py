"""A pipeline with state is killed again and again: what it tells must be what an undisturbed run tells.

    python benchmarks/kill.py --transport file|kafka|mqtt --kills N [--workers N] [--transactional] [--seed S]

A kill is SIGKILL at a random moment, while events come, after records have arrived since the start. At the
end the records that a consumer has who takes those of one match, revision and operation for one must be those
of an undisturbed run over the same events, read from a file; and records of one match and revision must never
say two things. With `--transactional` (Kafka) the consumer reads what is committed, and sees nothing twice.

With `--workers` the run divides the keys, and what is killed is by chance the process that was started, one
of its workers, or all of them at once.

For Kafka and MQTT it starts a broker of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from machine import machine

from limecep.runtime.pipeline import Pipeline

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PATTERNS = {
    "grows": {"query": "PATTERN SEQ(A a, B+ b[]) WHERE b[i+1].v > b[i].v WITHIN 2 seconds PARTITION BY k"},
    "closed": {
        "query": "PATTERN SEQ(A a, B b, C c) WHERE c.v > a.v WITHIN 2 seconds PARTITION BY k",
        "results": {"type": "corrected", "final": True},
    },
    "absent": {"query": "PATTERN SEQ(B b, C c, !D d) WITHIN 1 second PARTITION BY k"},
}
for _pattern in PATTERNS.values():
    _pattern |= {"lateness": {"type": "accept", "within": "30s"}, "slack": "none"}

#: Events a second that are published, and how many there are for each kill; files are read faster.
RATE = 4000
EACH = 4000
EACH_OF_FILE = 15_000
#: How long anything may take, in seconds.
PATIENCE_SECONDS = 120.0

SOURCE = {
    "as": {"field": "type"},
    "id": "id",
    "time": {"field": "t", "format": "epoch_us"},
    "max_future_skew": "off",
    "idle_after": "off",
}
LAST = "last"


def stream(count: int, chosen: random.Random) -> list[bytes]:
    """Events, some late, some twice; the last ones say that time has passed."""
    begin = 1_750_000_000_000_000
    events = []
    for n in range(count):
        at = begin + n * 50_000 + chosen.randrange(40_000)
        late = chosen.randrange(8_000_000) if chosen.random() < 0.1 else 0
        kind = "ABCD"[min(3, chosen.randrange(9) // 3 + (chosen.random() < 0.03))]
        event = {"id": f"e{n}", "type": kind, "t": at, "v": chosen.randrange(50), "k": chosen.randrange(3)}
        events.append((at + late, event))
        if chosen.random() < 0.05:
            events.append((at + late + chosen.randrange(3_000_000), event))
    events.sort(key=lambda pair: pair[0])
    end = begin + count * 50_000 + 60_000_000
    ending = [("A", 0), ("B", 1), ("C", 2), ("Z", 90)]
    events += [
        (0, {"id": f"{LAST}{kind}", "type": kind, "t": end + s * 1_000_000 // 4, "v": s, "k": LAST})
        for kind, s in ending
    ]
    events += [(0, {"id": f"{LAST}Y", "type": "Z", "t": end + 600_000_000, "v": 0, "k": LAST})]
    return [json.dumps(event, separators=(",", ":")).encode() for _, event in events]


class Gate:
    """Lets events come: as many as there were kills for, and not faster than they are to.

    Attributes:
        allowed: How many may have come by now.
        over: Whether no more need to come.
    """

    def __init__(self) -> None:
        self.allowed = EACH
        self.over = threading.Event()

    def passed(self, number: int, due: float) -> bool:
        """Waits until an event may come; says whether it may."""
        while not self.over.is_set() and (number >= self.allowed or time.monotonic() < due):
            self.over.wait(0.05 if number >= self.allowed else due - time.monotonic())
        return not self.over.is_set()


class Files:
    """Events in a file, records in another."""

    def __init__(self, folder: Path, options: argparse.Namespace) -> None:
        self._folder = folder
        self._out = folder / "out.jsonl"
        self._torn = 0

    def document(self) -> dict[str, Any]:
        return {
            "connectors": {"log": {"type": "file"}},
            "sources": {"s": {"from": "log", "channel": "events.jsonl"}},
            "sinks": {"out": {"type": "file", "path": "out.jsonl"}},
        }

    def publish(self, events: Sequence[bytes], gate: Gate) -> None:
        (self._folder / "events.jsonl").write_bytes(b"".join(e + b"\n" for e in events))

    def killed(self) -> None:
        self._torn += self._out.exists() and self._out.read_bytes()[-1:] not in (b"", b"\n")

    @property
    def count(self) -> int:
        return self._out.stat().st_size if self._out.exists() else 0

    @property
    def records(self) -> list[dict[str, Any]]:
        lines = self._out.read_bytes().split(b"\n")
        return [json.loads(line) for line in lines[:-1]]

    @property
    def remark(self) -> str:
        return f"; {self._torn} times a kill left half a line"

    def close(self) -> None:
        """Nothing."""


class Kafka:
    """Topics of a broker."""

    remark = ""

    def __init__(self, folder: Path, options: argparse.Namespace) -> None:
        from confluent_kafka import Consumer, Producer, TopicPartition
        from confluent_kafka.admin import AdminClient, NewTopic

        from limecep.testing.kafka import KafkaBroker

        self._broker = KafkaBroker(folder / "kafka")
        self._broker.start()
        self._transactional = options.transactional
        servers = {"bootstrap.servers": self._broker.address}
        admin = AdminClient(servers)
        made = admin.create_topics([NewTopic(name, 1, 1) for name in ("events", "out")])
        for topic in made.values():
            topic.result()
        self._producer = Producer({**servers, "linger.ms": 5})
        self._consumer = Consumer({**servers, "group.id": "campaign", "isolation.level": "read_committed"})
        self._consumer.assign([TopicPartition("out", 0, 0)])
        self._records: list[dict[str, Any]] = []

    def document(self) -> dict[str, Any]:
        connector = {"type": "kafka", "brokers": self._broker.address, "start": "earliest"}
        out = {"to": "broker", "channel": "out"}
        if self._transactional:
            out["transactional"] = True
        return {
            "connectors": {"broker": connector},
            "sources": {"s": {"from": "broker", "channel": "events"}},
            "sinks": {"out": out},
        }

    def publish(self, events: Sequence[bytes], gate: Gate) -> None:
        begin = time.monotonic()
        for n, event in enumerate(events):
            if not gate.passed(n, begin + n / RATE):
                return
            self._producer.produce("events", event)
            self._producer.poll(0)
        self._producer.flush()

    def killed(self) -> None:
        """Nothing."""

    @property
    def count(self) -> int:
        return len(self.records)

    @property
    def records(self) -> list[dict[str, Any]]:
        while messages := self._consumer.consume(1000, 0.05):
            self._records += [json.loads(m.value()) for m in messages if m.error() is None]
        return self._records

    def close(self) -> None:
        self._consumer.close()
        self._broker.close()


class Mqtt:
    """Topics of a broker."""

    remark = ""

    def __init__(self, folder: Path, options: argparse.Namespace) -> None:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

        from limecep.testing.mosquitto import MosquittoBroker

        # It is not the broker that crashes here: it need not save what it has all the time.
        self._broker = MosquittoBroker(folder / "mosquitto", {"autosave_on_changes": "false"})
        self._broker.start()
        self.records: list[dict[str, Any]] = []
        self._client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
        self._client.max_queued_messages_set(0)
        self._client.max_inflight_messages_set(500)
        self._published = 0
        self._client.on_publish = self._on_publish
        self._client.on_message = lambda c, d, message: self.records.append(json.loads(message.payload))
        subscribed = threading.Event()
        self._client.on_subscribe = lambda *_: subscribed.set()
        self._client.on_connect = lambda *_: self._client.subscribe("out", 1)
        self._client.connect("127.0.0.1", self._broker.port)
        self._client.loop_start()
        subscribed.wait(PATIENCE_SECONDS)

    def _on_publish(self, *_: Any) -> None:
        self._published += 1

    def document(self) -> dict[str, Any]:
        url = f"mqtt://127.0.0.1:{self._broker.port}"
        return {
            "connectors": {"broker": {"type": "mqtt", "url": url, "client_id": "campaign"}},
            "sources": {"s": {"from": "broker", "channel": "events"}},
            "sinks": {"out": {"to": "broker", "channel": "out"}},
        }

    def publish(self, events: Sequence[bytes], gate: Gate) -> None:
        begin = time.monotonic()
        for n, event in enumerate(events):
            if not gate.passed(n, begin + n / RATE):
                return
            while n - self._published > 1000 and not gate.over.is_set():
                time.sleep(0.002)
            self._client.publish("events", event, 1)

    def killed(self) -> None:
        """Nothing."""

    @property
    def count(self) -> int:
        return len(self.records)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()
        self._broker.close()


TRANSPORTS: dict[str, Any] = {"file": Files, "kafka": Kafka, "mqtt": Mqtt}


# -- the campaign --------------------------------------------------------------------------------------------


class Run:
    """The command, running in a folder of its own."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self._log = (folder / "log").open("ab")
        command = [sys.executable, "-m", "limecep", "run", "pipeline.yaml", *arguments]
        self.process = subprocess.Popen(command, cwd=folder, stdout=self._log, stderr=self._log)

    def kill(self, chosen: random.Random) -> None:
        """Kills it, one of its workers, or all of them."""
        pid = self.process.pid
        workers = [int(w) for w in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        one = [[chosen.choice(workers)], [pid, *workers]] if workers else []
        for victim in chosen.choice([[pid], *one]):
            with suppress(ProcessLookupError):
                os.kill(victim, signal.SIGKILL)
        self.process.wait(PATIENCE_SECONDS)
        self._log.close()

    def end(self, how: signal.Signals) -> int:
        self.process.send_signal(how)
        code = self.process.wait(PATIENCE_SECONDS)
        self._log.close()
        return code


def until(holds: Callable[[], bool], run: Run, folder: Path, count: Callable[[], int]) -> bool:
    """Waits until something holds; says whether it does, or the run has ended by itself.

    Raises:
        SystemExit: Neither, and for too long `count` has not grown.
    """
    begin, last = time.monotonic(), count()
    while not holds():
        if (code := run.process.poll()) is not None:
            if code:
                raise SystemExit(f"the run has failed ({code}):\n{(folder / 'log').read_text()[-2000:]}")
            return False
        if (now := count()) > last:
            begin, last = time.monotonic(), now
        if time.monotonic() - begin > PATIENCE_SECONDS:
            raise SystemExit(f"nothing comes any more:\n{(folder / 'log').read_text()[-2000:]}")
        time.sleep(0.005)
    return True


def document(parts: dict[str, Any]) -> dict[str, Any]:
    sources = {name: {**source, **SOURCE} for name, source in parts["sources"].items()}
    return {"version": 1, "name": "campaign", "patterns": PATTERNS, **parts, "sources": sources}


def told(records: Sequence[dict[str, Any]]) -> dict[tuple[Any, ...], dict[str, Any]]:
    """What somebody knows who takes records of one match, revision and operation for one.

    Raises:
        SystemExit: Two of them say different things.
    """
    seen: dict[tuple[Any, ...], dict[str, Any]] = {}
    for record in records:
        name = (record["match"], record["revision"], record["op"])
        if seen.setdefault(name, record) != record:
            raise SystemExit(f"{name} says two things:\n{seen[name]}\n{record}")
    return seen


def undisturbed(events: Sequence[bytes], folder: Path) -> list[dict[str, Any]]:
    """The records of a run that nothing disturbs, over the same events from a file."""
    folder.mkdir()
    files = Files(folder, argparse.Namespace())
    files.publish(events, Gate())
    pipeline = Pipeline.from_dict(document(files.document()), root=folder)
    pipeline.run()
    pipeline.close()
    return files.records


def campaign(options: argparse.Namespace, folder: Path) -> str:
    """Kills, and compares; gives what it found.

    Raises:
        SystemExit: Something is not as it must be.
    """
    chosen = random.Random(options.seed)
    each = EACH_OF_FILE if options.transport == "file" else EACH
    events = stream(each * options.kills, chosen)
    right = told(undisturbed(events, folder / "undisturbed"))
    own = folder / "killed"
    own.mkdir()
    transport = TRANSPORTS[options.transport](own, options)
    gate = Gate()
    publisher = threading.Thread(target=transport.publish, args=(events, gate))
    run: Run | None = None
    try:
        pipeline = {**document(transport.document()), "state": {"dir": "state"}}
        if options.workers > 1:
            pipeline["runner"] = {"type": "local", "workers": options.workers}
        (own / "pipeline.yaml").write_text(json.dumps(pipeline))
        if options.transport == "file":
            transport.publish(events, gate)
        if options.transport == "mqtt":
            # The broker keeps nothing for who was never there.
            Run(own, "--for", "200ms").process.wait(PATIENCE_SECONDS)
        kills = 0

        def so_far() -> int:
            return int(transport.count)

        def more(than: int) -> bool:
            return so_far() > than

        while kills < options.kills:
            before, run = transport.count, Run(own)
            if not publisher.ident and options.transport != "file":
                publisher.start()
            if not until(partial(more, before), run, own, so_far):
                raise SystemExit(f"the input was over after {kills} kills")
            time.sleep(chosen.random() * 0.2)
            run.kill(chosen)
            transport.killed()
            kills += 1
            gate.allowed += EACH
        gate.allowed = len(events)
        run = Run(own)

        looked = 0

        def complete() -> bool:
            nonlocal looked
            if options.transport == "file":
                return False
            came = transport.records[looked:]
            looked += len(came)
            return any(r["pattern"] == "absent" and (r["key"] or {}).get("k") == LAST for r in came)

        if until(complete, run, own, lambda: transport.count) and (code := run.end(signal.SIGTERM)):
            raise SystemExit(f"the last run has failed ({code}):\n{(own / 'log').read_text()[-2000:]}")
        records = transport.records
    finally:
        gate.over.set()
        if run is not None and run.process.poll() is None:
            run.process.kill()
            run.process.wait()
        if publisher.ident:
            publisher.join()
        transport.close()
    got = told(records)
    again = len(records) - len(got)
    if options.transactional and again:
        raise SystemExit(f"{again} records came twice to a consumer of what is committed")
    missing = [n for n in right if n not in got]
    surplus = [n for n in got if n not in right]
    other = [n for n in got if n in right and got[n]["content"] != right[n]["content"]]
    if missing or surplus or other:
        raise SystemExit(
            f"not what an undisturbed run tells: {len(missing)} of {len(right)} records missing, "
            f"{len(surplus)} too many, {len(other)} others; such as {(missing + surplus + other)[:3]}"
        )
    return (
        f"{kills} kills over {options.transport}: {len(events):,} events, {len(got):,} records as in an "
        f"undisturbed run, {again} of them sent again{transport.remark}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--transport", choices=sorted(TRANSPORTS), default="file")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--transactional", action="store_true")
    parser.add_argument("--seed", type=int, default=None)
    options = parser.parse_args()
    if options.seed is None:
        options.seed = random.randrange(2**32)
    print(machine())
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        print(campaign(options, Path(name)))


if __name__ == "__main__":
    main()
