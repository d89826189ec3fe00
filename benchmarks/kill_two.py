"""Kills two pipelines again and again, of which one reads what the other finds.

    python benchmarks/kill_two.py --transport kafka|mqtt [--rounds R] [--kills N] [--seed S]

The first pipeline reads events and writes its change log to a topic. A relay copies that to another topic:
one record in ten comes twice, and one in seven late. The second pipeline reads the copy with the codec
`changelog`, and the events. Both keep a state. A kill is SIGKILL of one of them, or of both, at a random
moment while records come. Some events are late, some come twice.

In the end the net results of both must be those of one pipeline with `derive` that nothing disturbs. It reads
the same events in their order from a file. Matches are compared by the ids of the events that they stand on.
Records of one match and revision must never say two things.

It starts a broker of its own.
"""

from __future__ import annotations

import argparse
import heapq
import json
import random
import signal
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kill import LAST, PATIENCE_SECONDS, RATE, SOURCE, Gate, Run, stream, told
from machine import machine

from limecep.runtime.pipeline import Pipeline

if TYPE_CHECKING:
    from collections.abc import Sequence

FIRST = {
    "rise": {
        "query": "PATTERN SEQ(A a, B+ b[]) WHERE b[i+1].v > b[i].v AND b[i].v > a.v WITHIN 2 seconds "
        "PARTITION BY k RETURN a.id AS first, collect(b.id) AS rest, last(b).v AS v"
    }
}
SECOND = {
    "again": {
        "query": "PATTERN SEQ(Rise r, C c, Rise s) WHERE s.v > r.v WITHIN 1500 ms PARTITION BY k "
        "RETURN r.first AS r, r.rest AS rs, c.id AS c, s.first AS s, s.rest AS ss",
        # Which one `stnm` takes of several at once is a matter of their ids, which differ here and there.
        "select": "stam",
    },
    "calm": {
        "query": "PATTERN SEQ(C c, !Rise r, D d) WITHIN 3 seconds PARTITION BY k RETURN c.id AS c, d.id AS d"
    },
    "last": {
        "query": "PATTERN SEQ(Rise r, !D d) WITHIN 1 second PARTITION BY k RETURN r.first AS r, r.rest AS rs"
    },
}
for _pattern in (FIRST | SECOND).values():
    _pattern |= {"lateness": "accept", "slack": "none"}

#: How many events there are for each kill.
EACH = 1000
LOG = {"format": "changelog", "as": "Rise", "max_future_skew": "off", "idle_after": "off"}
#: How many records may overtake one, and after how many seconds without any those that wait go on.
BEHIND = 60
IDLE_SECONDS = 0.3

Net = Counter[str]


# -- brokers -------------------------------------------------------------------------------------------------


class Kafka:
    """Topics of a broker of its own."""

    READY = ""

    def __init__(self, folder: Path) -> None:
        from confluent_kafka import Producer
        from confluent_kafka.admin import AdminClient

        from limecep.testing.kafka import KafkaBroker

        self._broker = KafkaBroker(folder / "kafka")
        self._broker.start()
        self._servers = {"bootstrap.servers": self._broker.address}
        self._admin = AdminClient(self._servers)
        self._producer = Producer({**self._servers, "linger.ms": 5})
        self._consumers: dict[str, Any] = {}

    def begin(self, written: Sequence[str], read: Sequence[str]) -> None:
        """Makes topics, and has those that are read ready for it."""
        from confluent_kafka import Consumer, TopicPartition
        from confluent_kafka.admin import NewTopic

        for made in self._admin.create_topics([NewTopic(t, 1, 1) for t in (*written, *read)]).values():
            made.result()
        for topic in read:
            self._consumers[topic] = Consumer({**self._servers, "group.id": topic})
            self._consumers[topic].assign([TopicPartition(topic, 0, 0)])

    def connector(self, name: str) -> dict[str, Any]:
        return {"type": "kafka", "brokers": self._broker.address, "start": "earliest"}

    def send(self, topic: str, message: bytes) -> None:
        self._producer.produce(topic, message)
        self._producer.poll(0)

    def flush(self) -> None:
        self._producer.flush()

    def take(self, topic: str) -> list[bytes]:
        """What has come since it was asked last."""
        found = self._consumers[topic].consume(1000, 0.02)
        return [m.value() for m in found if m.error() is None]

    def close(self) -> None:
        self._producer.flush()
        for consumer in self._consumers.values():
            consumer.close()
        self._broker.close()


class Mqtt:
    """Topics of a broker of its own."""

    #: The broker keeps nothing for who was never there.
    READY = '"event": "subscribed"'

    def __init__(self, folder: Path) -> None:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

        from limecep.testing.mosquitto import MosquittoBroker

        # It is not the broker that crashes here: it need not save what it has all the time.
        self._broker = MosquittoBroker(folder / "mosquitto", {"autosave_on_changes": "false"})
        self._broker.start()
        self._came: dict[str, list[bytes]] = defaultdict(list)
        self._lock = threading.Lock()
        self._sent = 0
        self._published = 0
        self._subscribed = threading.Semaphore(0)
        self._client = client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
        client.max_queued_messages_set(0)
        client.max_inflight_messages_set(500)
        client.on_publish = self._on_publish
        client.on_message = self._on_message
        client.on_subscribe = lambda *_: self._subscribed.release()
        client.connect("127.0.0.1", self._broker.port)
        client.loop_start()

    def _on_publish(self, *_: Any) -> None:
        self._published += 1

    def _on_message(self, _client: Any, _data: Any, message: Any) -> None:
        with self._lock:
            self._came[message.topic].append(message.payload)

    def begin(self, written: Sequence[str], read: Sequence[str]) -> None:
        """Subscribes to topics that are read."""
        for topic in read:
            self._client.subscribe(topic, 1)
            self._subscribed.acquire(timeout=PATIENCE_SECONDS)

    def connector(self, name: str) -> dict[str, Any]:
        return {"type": "mqtt", "url": f"mqtt://127.0.0.1:{self._broker.port}", "client_id": name}

    def send(self, topic: str, message: bytes) -> None:
        while self._sent - self._published > 1000:
            time.sleep(0.002)
        with self._lock:
            self._sent += 1
        self._client.publish(topic, message, 1)

    def flush(self) -> None:
        """The client sends by itself."""

    def take(self, topic: str) -> list[bytes]:
        """What has come since it was asked last."""
        with self._lock:
            return self._came.pop(topic, [])

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()
        self._broker.close()


TRANSPORTS: dict[str, Any] = {"kafka": Kafka, "mqtt": Mqtt}


class Relay(threading.Thread):
    """Copies the change log to another topic, with records twice and out of order.

    Attributes:
        records: What came.
        twice: How many it sent twice.
        late: How many it had wait while others went on.
    """

    def __init__(self, broker: Any, source: str, target: str, chosen: random.Random) -> None:
        super().__init__()
        self.records: list[dict[str, Any]] = []
        self.twice = 0
        self.late = 0
        self._broker, self._from, self._to, self._chosen = broker, source, target, chosen
        self._waiting: list[tuple[int, bytes]] = []
        self._over = threading.Event()

    def run(self) -> None:
        last = time.monotonic()
        while not self._over.is_set():
            if messages := self._broker.take(self._from):
                last = time.monotonic()
                for message in messages:
                    self._copy(message)
            elif time.monotonic() - last > IDLE_SECONDS:
                self._release(sys.maxsize)
            self._over.wait(0.005)

    def end(self) -> None:
        self._over.set()
        self.join()

    def _copy(self, message: bytes) -> None:
        record = json.loads(message)
        self.records.append(record)
        number = len(self.records)
        if record["key"]["k"] == LAST:
            # It says that all is there.
            self._release(sys.maxsize)
            self._broker.send(self._to, message)
            return
        if self._chosen.random() < 1 / 7:
            self.late += 1
            heapq.heappush(self._waiting, (number + self._chosen.randrange(1, BEHIND), message))
        else:
            self._broker.send(self._to, message)
        if self._chosen.random() < 1 / 10:
            self.twice += 1
            heapq.heappush(self._waiting, (number + self._chosen.randrange(BEHIND), message))
        self._release(number)

    def _release(self, number: int) -> None:
        while self._waiting and self._waiting[0][0] <= number:
            self._broker.send(self._to, heapq.heappop(self._waiting)[1])


# -- the campaign --------------------------------------------------------------------------------------------


class Member:
    """One of the two pipelines, which runs in a folder of its own."""

    def __init__(self, folder: Path, document: dict[str, Any]) -> None:
        folder.mkdir()
        self._folder = folder
        (folder / "pipeline.yaml").write_text(json.dumps({**document, "state": {"dir": "state"}}))
        self._run = Run(folder)

    def kill(self, chosen: random.Random) -> None:
        self._run.kill(chosen)

    def start(self) -> None:
        self._run = Run(self._folder)

    def wait_for(self, said: str) -> None:
        """Waits until its log says something.

        Raises:
            SystemExit: It ends, or does not say it.
        """
        begin = time.monotonic()
        while said not in (self._folder / "log").read_text():
            self.check()
            if time.monotonic() - begin > PATIENCE_SECONDS:
                raise SystemExit(f"{self._folder.name} does not say '{said}':\n{self.log}")
            time.sleep(0.02)

    def check(self) -> None:
        """
        Raises:
            SystemExit: It has ended by itself.
        """
        if (code := self._run.process.poll()) is not None:
            raise SystemExit(f"{self._folder.name} has ended ({code}):\n{self.log}")

    @property
    def log(self) -> str:
        return (self._folder / "log").read_text()[-2000:]

    def stop(self) -> None:
        """
        Raises:
            SystemExit: It failed.
        """
        if code := self._run.end(signal.SIGTERM):
            raise SystemExit(f"{self._folder.name} has failed ({code}):\n{self.log}")

    def close(self) -> None:
        if self._run.process.poll() is None:
            self._run.process.kill()
            self._run.process.wait()


class Round:
    """Both pipelines over a stream of events.

    Attributes:
        kills: How often each was killed, and both at once.
        events: What is published, in this order.
        relay: What stands between the pipelines.
        found: The records of the second pipeline.
    """

    def __init__(self, name: str, broker: Any, kills: int, folder: Path, chosen: random.Random) -> None:
        folder.mkdir()
        self.kills = Counter[str]()
        events_before = stream(EACH * (kills + 1), chosen)
        self.events = [*events_before, *ending(json.loads(events_before[-1])["t"])]
        self._folder, self._broker, self._chosen = folder, broker, chosen
        self._topics = events, log, copy, out = [f"{name}-{t}" for t in ("events", "log", "copy", "out")]
        broker.begin([events, copy], [log, out])
        source = {"from": "broker", "channel": events, **SOURCE}
        self._documents = {
            "first": {
                "sources": {"s": source},
                "patterns": FIRST,
                "sinks": {"out": {"to": "broker", "channel": log, "events": "none"}},
            },
            "second": {
                "sources": {"s": source, "rise": {"from": "broker", "channel": copy, **LOG}},
                "patterns": SECOND,
                "sinks": {"out": {"to": "broker", "channel": out, "events": "none"}},
            },
        }
        for member, document in self._documents.items():
            full = f"{name}-{member}"
            document |= {"version": 1, "name": full, "connectors": {"broker": broker.connector(full)}}
        self.relay = Relay(broker, log, copy, random.Random(chosen.random()))
        self.found: list[dict[str, Any]] = []

    def expected(self) -> Net:
        """The net results of one pipeline, over the events in their order."""
        folder = self._folder / "one"
        folder.mkdir()
        events = {event["id"]: event for event in map(json.loads, self.events)}
        lines = [json.dumps(e) + "\n" for e in sorted(events.values(), key=lambda e: int(e["t"]))]
        (folder / "events.jsonl").write_text("".join(lines))
        document = {
            "version": 1,
            "name": "one",
            "connectors": {"log": {"type": "file"}},
            "sources": {"s": {"from": "log", "channel": "events.jsonl", **SOURCE}},
            "patterns": {**SECOND, "rise": {**FIRST["rise"], "derive": {"as": "Rise"}}},
            "sinks": {"out": {"type": "file", "path": "out.jsonl", "events": "none"}},
        }
        with Pipeline.from_dict(document, root=folder) as pipeline:
            pipeline.run()
        return net([json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()])

    def run(self, kills: int) -> Net:
        """Kills, and gives the net results of both.

        Raises:
            SystemExit: A pipeline fails, or nothing comes any more.
        """
        gate = Gate()
        gate.allowed = EACH
        publisher = threading.Thread(target=self._publish, args=(gate,))
        members: dict[str, Member] = {}
        try:
            for name, document in self._documents.items():
                members[name] = Member(self._folder / name, document)
            for member in members.values():
                member.wait_for(self._broker.READY)
            self.relay.start()
            publisher.start()
            for _ in range(kills):
                self._until(members, len(self.relay.records), len(self.found))
                time.sleep(self._chosen.random() * 0.2)
                victims = self._chosen.choice([["first"], ["second"], ["first", "second"]])
                for name in victims:
                    members[name].kill(self._chosen)
                self.kills["both" if len(victims) > 1 else victims[0]] += 1
                for name in victims:
                    members[name].start()
                gate.allowed += EACH
            gate.allowed = len(self.events)
            self._until(members, None, None)
            for member in members.values():
                member.stop()
            # What was sent at last is on its way.
            last = time.monotonic()
            while time.monotonic() - last < IDLE_SECONDS:
                if came := self._broker.take(self._topics[-1]):
                    self.found += map(json.loads, came)
                    last = time.monotonic()
                time.sleep(0.01)
        finally:
            gate.over.set()
            for member in members.values():
                member.close()
            if publisher.ident:
                publisher.join()
            if self.relay.ident:
                self.relay.end()
        return net([*self.relay.records, *self.found])

    def _publish(self, gate: Gate) -> None:
        begin = time.monotonic()
        for n, event in enumerate(self.events):
            if not gate.passed(n, begin + n / RATE):
                return
            self._broker.send(self._topics[0], event)
        self._broker.flush()

    def _until(self, members: dict[str, Member], logged: int | None, found: int | None) -> None:
        """Waits until there are more records than these of both; with None, until all are there."""
        begin = time.monotonic()
        while True:
            for member in members.values():
                member.check()
            came = [json.loads(message) for message in self._broker.take(self._topics[-1])]
            self.found += came
            if logged is None or found is None:
                if any(r["pattern"] == "last" and r["key"]["k"] == LAST for r in came):
                    return
            elif len(self.relay.records) > logged and len(self.found) > found:
                return
            if time.monotonic() - begin > PATIENCE_SECONDS:
                raise SystemExit("nothing comes any more:\n" + "\n".join(m.log for m in members.values()))
            time.sleep(0.005)


def ending(after: int) -> list[bytes]:
    """Events by whose match time goes on in the change log, too.

    Args:
        after: The time before them, in microseconds.
    """
    events = [
        {"id": f"{LAST}{kind}2", "type": kind, "t": after + v, "v": v, "k": LAST}
        for kind, v in (("A", 1), ("B", 2))
    ]
    return [json.dumps(event).encode() for event in events]


def net(records: Sequence[dict[str, Any]]) -> Net:
    """What stands in the end, by pattern and the ids of the events that it stands on.

    Args:
        records: The change log, in any order, with records twice. Those that tell the end are left out.

    Raises:
        SystemExit: Two records of one match and revision say different things.
    """
    latest: dict[tuple[str, str], dict[str, Any]] = {}
    for record in told(records).values():
        name = (record["pattern"], record["match"])
        if name not in latest or latest[name]["revision"] < record["revision"]:
            latest[name] = record
    return Counter(
        json.dumps([r["pattern"], r["key"], r["values"]], sort_keys=True)
        for r in latest.values()
        if r["op"] != "retract" and r["key"]["k"] != LAST
    )


def campaign(options: argparse.Namespace, folder: Path) -> str:
    """Kills, and compares; gives what it found.

    Raises:
        SystemExit: Something is not as it must be.
    """
    chosen = random.Random(options.seed)
    kills, count = Counter[str](), Counter[str]()
    broker = TRANSPORTS[options.transport](folder)
    try:
        for number in range(1, options.rounds + 1):
            this = Round(f"r{number}", broker, options.kills, folder / f"r{number}", chosen)
            expected, got = this.expected(), this.run(options.kills)
            if got != expected:
                missing, surplus = expected - got, got - expected
                raise SystemExit(
                    f"round {number}: not what one pipeline finds: {missing.total()} of "
                    f"{expected.total()} matches missing, {surplus.total()} too many; such as "
                    f"{[*missing, *surplus][:3]}"
                )
            kills += this.kills
            count += Counter(
                events=len(this.events),
                log=len(this.relay.records),
                twice=this.relay.twice,
                late=this.relay.late,
                changed=sum(r["op"] != "emit" for r in (*this.relay.records, *this.found)),
                first=sum(n for text, n in got.items() if json.loads(text)[0] in FIRST),
                all=got.total(),
            )
    finally:
        broker.close()
    return (
        f"{options.rounds} rounds over {options.transport}, {kills.total()} kills: "
        f"{kills['first']} of the first, {kills['second']} of the second, {kills['both']} of both\n"
        f"{count['events']:,} events; {count['log']:,} records between the pipelines, of which "
        f"{count['twice']:,} twice and {count['late']:,} late; {count['changed']:,} corrections and "
        "retractions\n"
        f"net results equal: {count['first']:,} of the first, {count['all'] - count['first']:,} of the second"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--transport", choices=sorted(TRANSPORTS), default="mqtt")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--kills", type=int, default=10, help="in each round")
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
