"""What the sink of MQTT does beyond what every sink does."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any, Protocol
from uuid import uuid4

import pytest

from limecep.clock import Stopwatch, SystemClock
from limecep.contracts.context import Context
from limecep.errors import RunFailure, Stopped
from limecep.testing.bench import SilentLogger
from limecep.testing.broker import free_port
from limecep_mqtt.config import MqttSinkOptions, MqttSinkSettings
from limecep_mqtt.sink import MqttSink

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from limecep.testing.mosquitto import MosquittoBroker

pytestmark = pytest.mark.mqtt


class Make(Protocol):
    def __call__(
        self, channel: str, context: Context | None = None, *, retain: bool = False, **options: Any
    ) -> MqttSink: ...


def new_context() -> Context:
    return Context(label="sinks.s", clock=SystemClock(), counters=Counter(), logger=SilentLogger())


def ended(undone: str = "") -> None:
    raise Stopped(undone)


@pytest.fixture
def make(mosquitto: MosquittoBroker) -> Iterator[Make]:
    """Makes sinks, not open yet, which are closed with the test."""
    made = []

    def make(
        channel: str, context: Context | None = None, *, retain: bool = False, **options: Any
    ) -> MqttSink:
        given = {"url": f"mqtt://127.0.0.1:{mosquitto.port}", "client_id": uuid4().hex, **options}
        settings = MqttSinkSettings(retain=retain)
        made.append(MqttSink(channel, settings, MqttSinkOptions(**given), context or new_context()))
        return made[-1]

    yield make
    for sink in made:
        sink.close()


@pytest.fixture
def root() -> str:
    """A topic below which nobody else is."""
    return uuid4().hex


def record(pattern: str, **key: Any) -> dict[str, Any]:
    return {"op": "emit", "match": "m1", "pattern": pattern, "key": key or None}


def payloads(messages: list[Any]) -> list[Any]:
    return [json.loads(m.payload) for m in messages]


def test_the_topic_is_made_of_the_record(make: Make, friend: Any, root: str) -> None:
    friend.subscribe(f"{root}/#")
    sink = make(f"{root}/{{pattern}}/{{key.room}}")
    sink.open()
    records = [record("fire", room="k/1"), record("fire", room="#+%"), record("gas")]
    sink.send(records)
    sink.flush()
    topics = [f"{root}/fire/k%2F1", f"{root}/fire/%23%2B%25", f"{root}/gas/-"]
    assert [payloads(friend.received(topic, 1)) for topic in topics] == [[r] for r in records]


def test_a_message_says_what_it_is(make: Make, friend: Any, root: str) -> None:
    friend.subscribe(f"{root}/#")
    sink = make(f"{root}/x")
    sink.open()
    sink.send([record("fire")])
    sink.flush()
    (message,) = friend.received(f"{root}/x", 1)
    assert message.properties.ContentType == "application/json"


@pytest.mark.parametrize("version", [5, "3.1.1"])
@pytest.mark.parametrize("retain", [True, False])
def test_who_subscribes_later_gets_the_last_record_by_choice(
    retain: bool, version: Any, make: Make, friend: Any, root: str
) -> None:
    sink = make(f"{root}/{{pattern}}", retain=retain, version=version)
    sink.open()
    sink.send([record("fire", n=1), record("fire", n=2)])
    sink.flush()
    friend.subscribe(f"{root}/#")
    sink.send([record("other")])
    sink.flush()
    assert len(friend.received(f"{root}/other", 1)) == 1
    assert payloads(friend.received(f"{root}/fire", 0)) == ([record("fire", n=2)] if retain else [])


def test_many_records_arrive_in_order_whatever_the_broker_can_take_at_once(
    brokers: Any, befriend: Any, make: Make
) -> None:
    broker = brokers(max_inflight_messages=3)
    friend = befriend(broker.port)
    friend.subscribe("out")
    sink = make("out", url=f"mqtt://127.0.0.1:{broker.port}")
    sink.open()
    records = [record("p", n=n) for n in range(500)]
    sink.send(records)
    sink.flush()
    assert payloads(friend.received("out", 500)) == records


def test_records_survive_a_restart_of_the_broker(brokers: Any, befriend: Any, make: Make) -> None:
    broker = brokers()
    friend = befriend(broker.port, "reader")
    friend.subscribe("out")
    sink = make("out", url=f"mqtt://127.0.0.1:{broker.port}")
    sink.open()
    records = [record("p", n=n) for n in range(20)]
    sink.send(records[:10])
    sink.flush()
    broker.crash()
    sink.send(records[10:])
    broker.start()
    sink.flush()
    watch, came = Stopwatch(), []
    while records[-1] not in came and watch.seconds < 20:
        came = payloads(friend.received("out", len(came) + 1, 0.5))
    # At least once, and in order.
    assert [r for n, r in enumerate(came) if r not in came[:n]] == records


# -- the status topic ----------------------------------------------------------------------------------------


def statuses(friend: Any, topic: str, wanted: list[bytes]) -> list[bytes]:
    return [m.payload for m in friend.received(topic, len(wanted))]


def test_the_status_says_whether_it_is_there(make: Make, friend: Any, root: str) -> None:
    friend.subscribe(f"{root}/status")
    context = new_context()
    # Sinks of one connector are one client.
    sinks = [make(f"{root}/x", context, status=f"{root}/status") for _ in range(2)]
    for sink in sinks:
        sink.open()
    assert statuses(friend, f"{root}/status", [b"online"]) == [b"online"]
    sinks[0].close()
    sinks[1].send([record("p")])
    sinks[1].flush()
    assert statuses(friend, f"{root}/status", []) == [b"online"]
    sinks[1].close()
    assert statuses(friend, f"{root}/status", [b"online", b"offline"]) == [b"online", b"offline"]


VANISHING = """\
import sys
from collections import Counter
from limecep.clock import SystemClock, pause
from limecep.contracts.context import Context
from limecep.testing.bench import SilentLogger
from limecep_mqtt.config import MqttSinkOptions, MqttSinkSettings
from limecep_mqtt.sink import MqttSink

context = Context(label="sinks.s", clock=SystemClock(), counters=Counter(), logger=SilentLogger())
url, root = sys.argv[1:]
options = MqttSinkOptions(url=url, client_id=root, status=f"{root}/status")
MqttSink("x", MqttSinkSettings(), options, context).open()
pause(60)
"""


def test_the_broker_says_that_it_has_vanished(mosquitto: MosquittoBroker, friend: Any, root: str) -> None:
    friend.subscribe(f"{root}/status")
    process = subprocess.Popen([sys.executable, "-c", VANISHING, f"mqtt://127.0.0.1:{mosquitto.port}", root])
    try:
        assert statuses(friend, f"{root}/status", [b"online"]) == [b"online"]
    finally:
        process.kill()
        process.wait()
    assert statuses(friend, f"{root}/status", [b"online", b"offline"]) == [b"online", b"offline"]


# -- what ends a run -----------------------------------------------------------------------------------------


def test_a_broker_that_is_not_there_ends_the_run_by_choice(make: Make) -> None:
    sink = make("out", url=f"mqtt://127.0.0.1:{free_port()}", on_unavailable="fail")
    with pytest.raises(RunFailure, match="cannot be had"):
        sink.open()


def test_a_broker_that_is_not_there_is_waited_for_but_not_when_the_run_is_to_end(make: Make) -> None:
    context = new_context()
    context.stopping = lambda: True
    context.raise_if_stopped = ended
    sink = make("out", context, url=f"mqtt://127.0.0.1:{free_port()}")
    sink.open()
    sink.send([record("p")])
    watch = Stopwatch()
    with pytest.raises(Stopped, match="did not take the last 1 records"):
        sink.close()
    assert watch.seconds < 2


def test_what_the_broker_refuses_is_not_lost_silently(brokers: Any, tmp_path: Path, make: Make) -> None:
    rights = tmp_path / "rights"
    rights.write_text("topic readwrite open/#\n")
    broker = brokers(acl_file=rights)
    sink = make("{pattern}/x", url=f"mqtt://127.0.0.1:{broker.port}")
    sink.open()
    sink.send([record("open")])
    sink.flush()
    sink.send([record("closed")])
    with pytest.raises(RunFailure, match="refused a record for closed/x: the user may not do that"):
        sink.flush()
