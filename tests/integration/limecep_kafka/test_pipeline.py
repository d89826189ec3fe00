"""Pipelines from topics to topics, run as a command."""

from __future__ import annotations

import json
import signal
from time import sleep, time
from typing import TYPE_CHECKING, Any

import pytest
from confluent_kafka import TopicPartition

from limecep.clock import Stopwatch

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Hands, Kafka, Run

pytestmark = pytest.mark.kafka

PATIENCE_SECONDS = 30.0
QUERY = "PATTERN SEQ(A a, B+ b[], C c) WITHIN 10 seconds PARTITION BY room"


def document(kafka: Kafka, topic: str, **more: Any) -> dict[str, Any]:
    return {
        "version": 1,
        "name": topic,
        "connectors": {"broker": {"type": "kafka", "brokers": kafka.address, "start": "earliest"}},
        "sources": {
            "events": {
                "from": "broker",
                "channel": topic,
                "as": {"field": "type"},
                "id": "id",
                "time": {"field": "t", "format": "epoch_s"},
            }
        },
        "patterns": {"p": {"query": QUERY}},
        "sinks": {"out": {"to": "broker", "channel": f"{topic}.{{pattern}}"}},
        **more,
    }


def event(kind: str, number: int, t: float, room: str = "k") -> bytes:
    return json.dumps({"type": kind, "id": f"{kind}{number}", "t": t, "room": room}).encode()


def stream(count: int, begin: float) -> list[bytes]:
    """As and Bs and Cs of four rooms, every seventh event late."""
    events = [event("ABBC"[n // 4 % 4], n, begin + n / 2, f"k{n % 4}") for n in range(count)]
    for n in range(0, count - 8, 7):
        events.insert(n + 5, events.pop(n))
    return events


def net(log: list[dict[str, Any]]) -> set[str]:
    """What is emitted and not taken back, each as it is now."""
    live: dict[str, str] = {}
    for record in log:
        if record["op"] == "retract":
            del live[record["match"]]
        else:
            live[record["match"]] = record["content"]
    return {*live.values()}


def records(hands: Hands, topic: str, count: int = 0) -> list[dict[str, Any]]:
    return [json.loads(m.value()) for m in hands.read(topic, count, PATIENCE_SECONDS)]


def test_what_a_topic_gives_is_what_a_file_gives(
    kafka: Kafka, hands: Hands, run: Callable[..., Run], tmp_path: Path
) -> None:
    topic, events = hands.topic(), stream(200, time() - 300)
    hands.topic(1, name=f"{topic}.p")
    (tmp_path / "events.jsonl").write_bytes(b"\n".join(events))
    other = document(kafka, topic, connectors={"broker": {"type": "file"}})
    other["sources"]["events"]["channel"] = "events.jsonl"
    other["sinks"] = {"out": {"type": "stdout"}}
    from_file = run(other)
    assert from_file.end(None) == 0
    expected = net([json.loads(line) for line in from_file.output.read_text().splitlines()])
    assert len(expected) > 10
    for n, value in enumerate(events):
        hands.send(topic, value, key=b"%d" % (n % 5))
    hands.flush()
    from_topic = run(document(kafka, topic), "--for", "4s")
    assert from_topic.end(None) == 0, from_topic.errors.read_text()
    assert net(records(hands, f"{topic}.p")) == expected
    assert from_topic.report["events"]["read"] == 200


def test_a_stop_is_in_order_and_the_next_run_goes_on(
    kafka: Kafka, hands: Hands, run: Callable[..., Run]
) -> None:
    topic, now = hands.topic(), time() - 60
    hands.topic(1, name=f"{topic}.p")
    hands.publish(topic, [event("A", 1, now), event("B", 2, now + 1), event("C", 3, now + 2)])
    first = run(document(kafka, topic))
    assert len(records(hands, f"{topic}.p", 1)) == 1
    assert first.end() == 0, first.errors.read_text()
    assert first.report["events"]["read"] == 3
    hands.publish(topic, [event("A", 4, now + 20), event("B", 5, now + 21), event("C", 6, now + 22)])
    second = run(document(kafka, topic))
    assert len(records(hands, f"{topic}.p", 2)) == 2
    assert second.end() == 0
    assert second.report["events"]["read"] == 3


def test_after_a_kill_the_next_run_has_its_partitions_at_once(
    kafka: Kafka, hands: Hands, run: Callable[..., Run]
) -> None:
    topic, now = hands.topic(), time() - 60
    hands.topic(1, name=f"{topic}.p")
    hands.publish(topic, [event("A", 1, now), event("B", 2, now + 1), event("C", 3, now + 2)])
    first = run(document(kafka, topic))
    before = records(hands, f"{topic}.p", 1)
    first.end(signal.SIGKILL)
    hands.publish(topic, [event("A", 4, now + 20), event("B", 5, now + 21), event("C", 6, now + 22)])
    watch = Stopwatch()
    second = run(document(kafka, topic))
    while True:
        found = records(hands, f"{topic}.p", 2)
        if {r["events"]["c"][0]["id"] for r in found} == {"C3", "C6"}:
            break
        assert watch.seconds < PATIENCE_SECONDS
        sleep(0.1)
    assert watch.seconds < 10
    assert second.end() == 0
    # What came again is what was said before.
    assert {(r["match"], r["revision"]) for r in found if r["events"]["c"][0]["id"] == "C3"} == {
        (r["match"], r["revision"]) for r in before
    }


def test_a_run_that_was_suspended_goes_on_where_it_was(
    kafka: Kafka, hands: Hands, run: Callable[..., Run]
) -> None:
    topic, now = hands.topic(), time() - 60
    hands.topic(1, name=f"{topic}.p")
    given = document(kafka, topic)
    # The least that brokers allow.
    given["connectors"]["broker"]["client"] = {"session.timeout.ms": 6000, "heartbeat.interval.ms": 500}
    hands.publish(topic, [event("A", 1, now), event("B", 2, now + 1), event("C", 3, now + 2)])
    running = run(given)
    records(hands, f"{topic}.p", 1)
    running.process.send_signal(signal.SIGSTOP)
    hands.publish(topic, [event("A", 4, now + 20), event("B", 5, now + 21)], key=b"k")
    sleep(9)
    running.process.send_signal(signal.SIGCONT)
    while "the group has given this member up; joining again" not in running.errors.read_text():
        assert running.process.poll() is None, running.errors.read_text()
        sleep(0.1)
    hands.publish(topic, [event("C", 6, now + 22)], key=b"k")
    assert len(records(hands, f"{topic}.p", 2)) == 2
    assert running.end() == 0
    assert running.report["events"]["read"] == 6


def test_a_run_whose_partitions_are_taken_over_ends_with_an_exit_code_that_says_so(
    kafka: Kafka, hands: Hands, run: Callable[..., Run]
) -> None:
    topic, now = hands.topic(), time() - 60
    hands.topic(1, name=f"{topic}.p")
    hands.publish(topic, [event("A", 1, now), event("B", 2, now + 1), event("C", 3, now + 2)])
    first = run(document(kafka, topic))
    records(hands, f"{topic}.p", 1)
    again = dict(document(kafka, topic), sinks={"out": {"type": "none"}})
    second = run(again)
    assert first.end(None) == 3
    errors = first.errors.read_text() + second.errors.read_text()
    assert f"another run of this pipeline has taken over the partitions of group '{topic}'" in errors
    assert "Traceback" not in errors
    assert second.end() == 0


def test_bad_messages_are_put_aside_with_what_is_wrong(
    kafka: Kafka, hands: Hands, run: Callable[..., Run]
) -> None:
    topic, now = hands.topic(1), time() - 60
    for name in ("p", "late", "bad"):
        hands.topic(1, name=f"{topic}.{name}")
    given = document(kafka, topic)
    given["sources"]["events"]["dead_letter"] = f"{topic}.bad"
    given["sinks"]["late"] = {"to": "broker", "channel": f"{topic}.late", "of": "late"}
    hands.publish(topic, [b"{no JSON"], key=b"k", headers=[("trace", b"17")])
    hands.publish(topic, [event("A", 1, now), b'{"type": "A", "id": "2"}', None])
    running = run(given)
    late = records(hands, f"{topic}.late", 2)
    [first, second] = hands.read(f"{topic}.bad", 2)
    assert running.end() == 0
    assert [(r["reason"], r["position"]) for r in late] == [
        ("invalid", f"{topic}:0:0"),
        ("invalid", f"{topic}:0:2"),
    ]
    assert (first.key(), first.value()) == (b"k", b"{no JSON")
    assert dict(first.headers()) == {
        "trace": b"17",
        "limecep.error": late[0]["error"].encode(),
        "limecep.position": f"{topic}:0:0".encode(),
        "limecep.pipeline": topic.encode(),
        "limecep.source": b"events",
    }
    assert second.value() == b'{"type": "A", "id": "2"}'
    report = running.report
    assert report["sources"]["events"]["dead_letters"] == 2
    assert (report["events"]["read"], report["events"]["invalid"]) == (3, 2)
    again = run(given, "--for", "2s")
    assert again.end(None) == 0
    assert again.report["events"]["read"] == 0


def test_a_sink_may_keep_one_record_a_match(kafka: Kafka, hands: Hands, run: Callable[..., Run]) -> None:
    topic, now = hands.topic(1), time() - 60
    for name in ("upsert", "final", "ce"):
        hands.topic(1, name=f"{topic}.{name}")
    given = document(kafka, topic)
    given["patterns"]["p"]["query"] = "PATTERN SEQ(A a, !B b, C c) WITHIN 10 s"
    given["sinks"] = {
        "upsert": {"to": "broker", "channel": f"{topic}.upsert", "mode": "upsert"},
        "final": {"to": "broker", "channel": f"{topic}.final", "mode": "final"},
        "ce": {"to": "broker", "channel": f"{topic}.ce", "envelope": "cloudevents", "events": "ids"},
    }
    events = [event("A", 1, now), event("C", 2, now + 5), event("B", 3, now + 2)]
    hands.publish(topic, events)
    running = run(given)
    emitted, retracted = hands.read(f"{topic}.upsert", 2)
    wrapped = hands.read(f"{topic}.ce", 2)
    assert running.end() == 0, running.errors.read_text()
    record = json.loads(emitted.value())
    assert record["op"] == "emit"
    assert emitted.key() == retracted.key() == record["match"].encode()
    assert retracted.value() is None
    assert dict(retracted.headers())["op"] == b"retract"
    assert dict(emitted.headers()) == {"op": b"emit", "content-type": b"application/json"}
    assert hands.read(f"{topic}.final") == []
    events_read = [json.loads(m.value()) for m in wrapped]
    assert [(e["specversion"], e["type"], e["id"]) for e in events_read] == [
        ("1.0", "limecep.match.emit", f"{record['match']}/1"),
        ("1.0", "limecep.match.retract", f"{record['match']}/2"),
    ]
    assert events_read[0]["data"]["events"] == {"a": ["A1"], "c": ["C2"]}
    assert {m.key() for m in wrapped} == {record["match"].encode()}


def test_what_has_left_memory_is_read_again_from_the_topic(
    kafka: Kafka, hands: Hands, run: Callable[..., Run]
) -> None:
    topic, now = hands.topic(), time() - 3600
    hands.topic(1, name=f"{topic}.p")
    given = document(kafka, topic, retention={"events": 50})
    given["patterns"]["p"]["lateness"] = "accept"
    old = [event("A", 1, now), event("B", 2, now + 1), event("C", 3, now + 3)]
    later = [event("A", n, now + n) for n in range(100, 300)]
    running = run(given)
    for n, value in enumerate([*old, *later]):
        hands.send(topic, value, key=b"%d" % n)
    hands.flush()
    assert [r["op"] for r in records(hands, f"{topic}.p", 1)] == ["emit"]
    # What pushes the match out of memory is to come before what changes it.
    sleep(1.5)
    hands.publish(topic, [event("B", 4, now + 2)])
    log = records(hands, f"{topic}.p", 2)
    assert running.end() == 0, running.errors.read_text()
    assert [r["op"] for r in log] == ["emit", "correct"]
    assert [e["id"] for e in log[1]["events"]["b"]] == ["B2", "B4"]
    assert running.report["events"]["read"] == 204
    assert running.report["patterns"]["p"]["unrepaired"] == 0
    assert running.report["retrieved"]["events"] > 0


@pytest.mark.parametrize(
    ("limit", "said"),
    [({}, "a record for {} cannot be sent"), ({"message.max.bytes": 5_000_000}, "1 to {}: Broker: Message")],
    ids=["for the client", "for the topic"],
)
def test_a_record_that_is_too_large_ends_the_run_in_words(
    limit: dict[str, int],
    said: str,
    kafka: Kafka,
    hands: Hands,
    run: Callable[..., Run],
    tmp_path: Path,
) -> None:
    topic, now = hands.topic(1), time() - 60
    given = document(kafka, topic, state={"dir": str(tmp_path / "state")})
    given["connectors"]["broker"]["client"] = limit
    given["patterns"]["p"]["query"] = "PATTERN SEQ(A a, A b) WITHIN 10 s"
    large = {"type": "A", "x": "x" * 700_000}
    hands.publish(topic, [json.dumps({**large, "id": str(n), "t": now + n}).encode() for n in range(2)])
    running = run(given)
    assert running.end(None) == 3
    assert said.format(f"{topic}.p") in running.errors.read_text()
    assert "events: ids" in running.errors.read_text()
    # What the state has is not lost: it can go elsewhere.
    out = tmp_path / "out.jsonl"
    again = run({**given, "sinks": {"out": {"type": "file", "path": str(out)}}}, "--for", "5s")
    assert again.end(None) == 0, again.errors.read_text()
    assert [json.loads(line)["op"] for line in out.read_text().splitlines()] == ["emit"]


def test_other_topics_are_named_by_the_levels_of_the_channel(
    kafka: Kafka, hands: Hands, run: Callable[..., Run]
) -> None:
    topic, now = hands.topic(1), time() - 60
    for room in ("k1", "k2"):
        hands.topic(1, name=f"{topic}.{room}.gas")
        hands.topic(1, name=f"{topic}.out.{room}")
    given = document(kafka, topic)
    given["sources"] = {
        "gas": {
            "from": "broker",
            "channel": f"^{topic}[.][^.]+[.]gas$",
            "as": "Gas",
            "time": {"field": "t", "format": "epoch_s"},
            "key": "$topic[1]",
        }
    }
    given["patterns"]["p"]["query"] = "PATTERN SEQ(Gas a, Gas b) WITHIN 10 s PARTITION BY key"
    given["sinks"] = {"out": {"to": "broker", "channel": f"{topic}.out.{{key.key}}"}}
    for n in range(2):
        for room in ("k1", "k2"):
            hands.publish(f"{topic}.{room}.gas", [json.dumps({"t": now + n}).encode()])
    running = run(given)
    for room in ("k1", "k2"):
        [record] = records(hands, f"{topic}.out.{room}", 1)
        assert record["key"] == {"key": room}
    assert running.end() == 0


def test_what_is_older_than_memory_is_repaired_from_the_state(
    kafka: Kafka, hands: Hands, run: Callable[..., Run], tmp_path: Path
) -> None:
    """Also where the topic does not have it any more, and the process was killed in between."""
    topic, now = hands.topic(1), time() - 10_000
    hands.topic(1, name=f"{topic}.p")
    more = {"retention": {"events": 50}, "state": {"dir": str(tmp_path / "state")}}
    patterns = {"p": {"query": QUERY, "lateness": "accept", "slack": "none"}}
    hands.publish(topic, [event("A", 1, now), event("B", 2, now + 1), event("C", 4, now + 3)])
    hands.publish(topic, [event("B", n, now + n, "other") for n in range(100, 200)])
    first = run(document(kafka, topic, patterns=patterns, **more))
    assert len(records(hands, f"{topic}.p", 1)) == 1
    sleep(1)
    first.end(signal.SIGKILL)
    hands.publish(topic, [event("B", 3, now + 2)])
    # Committed, and gone from the log.
    hands.admin.delete_records([TopicPartition(topic, 0, 100)])[TopicPartition(topic, 0)].result()
    second = run(document(kafka, topic, patterns=patterns, **more))
    _, corrected = records(hands, f"{topic}.p", 2)
    assert second.end() == 0, second.errors.read_text()
    assert (corrected["op"], corrected["revision"]) == ("correct", 2)
    assert [e["id"] for e in corrected["events"]["b"]] == ["B2", "B3"]
    assert second.report["retrieved"]["events"] >= 3


def test_a_second_pipeline_follows_what_the_first_takes_back(
    kafka: Kafka, hands: Hands, run: Callable[..., Run]
) -> None:
    topic, now = hands.topic(1), time() - 60
    log = hands.topic(1, name=f"{topic}.big")
    hands.topic(1, name=f"{topic}.two")
    source = {"from": "broker", "channel": topic, "as": "Order", "id": "$key", "revise": {"version": "rev"}}
    first = document(
        kafka, topic, sources={"orders": {**source, "time": {"field": "t", "format": "epoch_s"}}}
    )
    first["patterns"] = {
        "big": {"query": "PATTERN SEQ(Order o) WHERE o.amount > 10 WITHIN 1 minute RETURN o.amount AS amount"}
    }
    second = document(kafka, log, sources={"log": {"from": "broker", "channel": log, "format": "changelog"}})
    second["patterns"] = {
        "two": {"query": "PATTERN SEQ(big a, big b) WITHIN 1 minute RETURN b.amount AS last"}
    }
    second["sinks"] = {"out": {"to": "broker", "channel": f"{topic}.two"}}

    def order(key: str, rev: int, t: float, amount: int) -> None:
        value = json.dumps({"rev": rev, "t": now + t, "amount": amount}).encode()
        hands.send(topic, value, key=key.encode())

    for key, rev, t, amount in (
        ("a", 1, 0, 20),
        ("b", 1, 1, 30),
        ("c", 1, 2, 40),
        ("b", 3, 1, 5),
        ("b", 2, 1, 99),
    ):
        order(key, rev, t, amount)
    hands.send(topic, None, key=b"c")
    hands.send(topic, None)
    hands.flush()
    one = run(first, "--for", "4s")
    assert one.end(None) == 0, one.errors.read_text()
    assert (
        one.report["events"] | {"read": 7, "revised": 1, "withdrawn": 1, "duplicate": 1, "invalid": 1}
        == (one.report["events"])
    )
    assert len(net(records(hands, log))) == 1
    order("d", 1, 5, 50)
    hands.flush()
    assert run(first, "--for", "4s").end(None) == 0
    assert run(second, "--for", "4s").end(None) == 0
    found = records(hands, f"{topic}.two")
    assert [r["values"] for r in found if r["content"] in net(found)] == [{"last": 50}]
