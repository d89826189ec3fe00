"""What the source of MQTT does beyond what every source does."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from typing import TYPE_CHECKING, Any, Protocol
from uuid import uuid4

import pytest

from limecep.clock import Stopwatch, SystemClock
from limecep.contracts.context import Context
from limecep.errors import RunFailure
from limecep.testing.bench import SilentLogger
from limecep.testing.broker import free_port
from limecep_mqtt.config import MqttOptions
from limecep_mqtt.source import MqttSource

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from limecep.contracts.source import Message
    from limecep.testing.mosquitto import MosquittoBroker

pytestmark = pytest.mark.mqtt

both = pytest.mark.parametrize("version", [5, "3.1.1"])


class Make(Protocol):
    def __call__(self, channel: str, context: Context | None = None, **options: Any) -> MqttSource: ...


def new_context(tmp_path: Path) -> Context:
    return Context(
        label="sources.s", clock=SystemClock(), counters=Counter(), logger=SilentLogger(), root=tmp_path
    )


@pytest.fixture
def make(mosquitto: MosquittoBroker, tmp_path: Path) -> Iterator[Make]:
    """Makes sources, not open yet, which are closed with the test."""
    made = []

    def make(channel: str, context: Context | None = None, **options: Any) -> MqttSource:
        given = {"url": f"mqtt://127.0.0.1:{mosquitto.port}", "client_id": uuid4().hex, **options}
        made.append(
            MqttSource(channel, None, MqttOptions(**given), context or new_context(tmp_path / str(len(made))))
        )
        return made[-1]

    yield make
    for source in made:
        source.close()


@pytest.fixture
def root() -> str:
    """A topic below which nobody else is."""
    return uuid4().hex


def connected(*sources: MqttSource) -> None:
    for source in sources:
        source.open()
    watch = Stopwatch()
    while not all(source.connected for source in sources):
        assert watch.seconds < 20
        for source in sources:
            source.poll(0, 0.05)


def values(messages: list[Message]) -> list[bytes]:
    return [m.value for m in messages]


def drain(source: MqttSource, count: int, seconds: float = 20) -> list[Message]:
    watch, came = Stopwatch(), []
    while len(came) < count and watch.seconds < seconds:
        came += source.poll(count - len(came), 0.1)
    assert len(came) == count
    return came


def quiet(source: MqttSource, seconds: float = 0.7) -> None:
    watch = Stopwatch()
    while watch.seconds < seconds:
        assert source.poll(100, 0.1) == []


def failure(source: MqttSource, seconds: float = 20) -> str:
    """What the source fails with."""
    watch = Stopwatch()
    while watch.seconds < seconds:
        try:
            source.poll(10, 0.1)
        except RunFailure as error:
            return str(error)
    raise AssertionError("it did not fail")


@both
@pytest.mark.parametrize(
    ("filter", "topics"),
    [
        ("home/+/gas", ["home/k1/gas", "home/k2/gas"]),
        ("home/#", ["home/k1/gas", "home/k2/gas", "home/k1/temp", "home"]),
        ("home/k1/temp", ["home/k1/temp"]),
        ("$share/g/home/+/temp", ["home/k1/temp"]),
    ],
)
def test_a_filter_brings_its_topics(
    filter: str, topics: list[str], version: Any, make: Make, friend: Any, root: str
) -> None:
    prefix = f"{root}/home"
    source = make(filter.replace("home", prefix), version=version)
    connected(source)
    for topic in ("home/k1/gas", "home/k2/gas", "home/k1/temp", "home", "homes/k1/gas"):
        friend.publish(topic.replace("home", prefix), topic.encode())
    messages = drain(source, len(topics))
    assert [m.channel for m in messages] == [t.replace("home", prefix) for t in topics]
    assert values(messages) == [t.encode() for t in topics]
    quiet(source)


@both
@pytest.mark.parametrize("qos", [0, 1, 2])
def test_each_quality_of_service_brings_messages_once(
    qos: Any, version: Any, make: Make, friend: Any, root: str
) -> None:
    source = make(f"{root}/#", version=version, qos=qos)
    connected(source)
    sent = [str(n).encode() for n in range(300)]
    for published in (0, 1, 2):
        friend.publish(f"{root}/a", *sent[100 * published : 100 * published + 100], qos=published)
    messages = []
    while len(messages) < 300:
        messages += drain(source, 1)
        source.commit([messages[-1].position])
    assert values(messages) == sent
    quiet(source)


@both
def test_what_was_published_while_it_was_away_comes_in_order(
    version: Any, make: Make, friend: Any, root: str
) -> None:
    source = make(f"{root}/#", version=version, client_id=root)
    connected(source)
    source.close()
    sent = [str(n).encode() for n in range(250)]
    friend.publish(f"{root}/a", *sent)
    again = make(f"{root}/#", version=version, client_id=root, window=10)
    connected(again)
    came: list[Message] = []
    while len(came) < 250:
        batch = drain(again, 10)
        came += batch
        again.commit([m.position for m in batch])
    assert values(came) == sent


def test_more_than_fits_may_come_before_the_subscription_is_acknowledged(
    make: Make, friend: Any, root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("limecep_mqtt.subscriber.WAITING_MESSAGES", 50)
    source = make(f"{root}/#", client_id=root)
    connected(source)
    source.close()
    sent = [str(n).encode() for n in range(500)]
    friend.publish(f"{root}/a", *sent)
    again = make(f"{root}/#", client_id=root, window=1000)
    again.open()
    assert values(drain(again, 500)) == sent
    connected(again)


def test_without_a_client_id_nothing_is_kept(make: Make, friend: Any, root: str) -> None:
    source = make(f"{root}/#", client_id="")
    connected(source)
    source.close()
    friend.publish(f"{root}/a", b"while it was away")
    again = make(f"{root}/#", client_id="")
    connected(again)
    friend.publish(f"{root}/a", b"now")
    assert values(drain(again, 1)) == [b"now"]


def test_no_more_than_the_window_is_under_way(make: Make, friend: Any, root: str) -> None:
    source = make(f"{root}/#", window=5)
    connected(source)
    friend.publish(f"{root}/a", *[str(n).encode() for n in range(8)])
    first = drain(source, 5)
    quiet(source)
    source.commit([m.position for m in first])
    assert values(drain(source, 3)) == [b"5", b"6", b"7"]


def test_a_message_that_is_held_back_does_not_hold_up_what_is_received(
    make: Make, friend: Any, root: str
) -> None:
    """Acknowledgements go in the order of arrival, across the sources of a connection."""
    context = new_context(None)  # type: ignore[arg-type]
    slow = make(f"{root}/slow", context, client_id=root, window=10)
    fast = make(f"{root}/fast", context, client_id=root, window=10)
    connected(slow, fast)
    friend.publish(f"{root}/slow", b"s")
    held = drain(slow, 1)
    friend.publish(f"{root}/fast", *[str(n).encode() for n in range(9)])
    came = drain(fast, 9)
    fast.commit([m.position for m in came])
    slow.commit([m.position for m in held])
    friend.publish(f"{root}/fast", *[b"x"] * 10)
    assert len(drain(fast, 10)) == 10


@both
@pytest.mark.parametrize("retained", ["drop", "keep"])
def test_retained_messages_are_dropped_or_kept_by_choice(
    retained: Any, version: Any, make: Make, friend: Any, root: str
) -> None:
    friend.publish(f"{root}/state", b"old", retain=True)
    source = make(f"{root}/#", version=version, retained=retained)
    connected(source)
    friend.publish(f"{root}/state", b"new", retain=True)
    assert values(drain(source, 1 if retained == "drop" else 2)) == [b"old", b"new"][retained == "drop" :]
    quiet(source)


@both
def test_a_retained_message_that_is_dropped_is_done_with(
    version: Any, make: Make, friend: Any, root: str
) -> None:
    for n in range(5):
        friend.publish(f"{root}/{n}", b"old", retain=True)
    source = make(f"{root}/#", version=version, window=2)
    connected(source)
    friend.publish(f"{root}/5", b"new")
    assert values(drain(source, 1)) == [b"new"]


def test_what_is_published_retained_while_it_is_away_is_an_event(make: Make, friend: Any, root: str) -> None:
    source = make(f"{root}/#", client_id=root)
    connected(source)
    source.close()
    friend.publish(f"{root}/state", b"changed", retain=True)
    again = make(f"{root}/#", client_id=root)
    connected(again)
    assert values(drain(again, 1)) == [b"changed"]


def test_user_properties_and_content_type_are_headers(make: Make, friend: Any, root: str) -> None:
    source = make(f"{root}/#")
    connected(source)
    headers = (("content-type", b"application/json"), ("specversion", b"1.0"), ("id", "ä".encode()))
    friend.publish(f"{root}/a", json.dumps({"v": 1}).encode(), headers=headers)
    (message,) = drain(source, 1)
    assert message.headers == headers


def test_filters_that_overlap_lose_nothing(make: Make, friend: Any, root: str) -> None:
    context = new_context(None)  # type: ignore[arg-type]
    one = make(f"{root}/+/gas", context, client_id=root)
    all_ = make(f"{root}/#", context, client_id=root)
    connected(one, all_)
    friend.publish(f"{root}/k/gas", b"g")
    friend.publish(f"{root}/k/temp", b"t")
    assert {m.value for m in drain_until(all_, b"t")} == {b"g", b"t"}
    assert {m.value for m in drain_until(one, b"g")} == {b"g"}


def drain_until(source: MqttSource, last: bytes) -> list[Message]:
    watch, came = Stopwatch(), []
    while last not in values(came):
        assert watch.seconds < 20
        came += source.poll(100, 0.1)
    return came


def test_what_an_earlier_pipeline_subscribed_to_is_no_obstacle(make: Make, friend: Any, root: str) -> None:
    old = make(f"{root}/old", client_id=root)
    connected(old)
    old.close()
    friend.publish(f"{root}/old", *[b"nobody's"] * 20)
    source = make(f"{root}/new", client_id=root, window=4)
    connected(source)
    friend.publish(f"{root}/new", b"ours")
    assert values(drain(source, 1)) == [b"ours"]


def test_acknowledgements_of_a_lost_connection_go_nowhere(
    mosquitto: MosquittoBroker, make: Make, friend: Any, root: str
) -> None:
    """The numbers of messages begin anew: to acknowledge by them would lose others."""
    source = make(f"{root}/#", url=f"mqtt://127.0.0.1:{mosquitto.proxied}", client_id=root)
    connected(source)
    friend.publish(f"{root}/a", *[str(n).encode() for n in range(10)])
    before = drain(source, 10)
    with mosquitto.cut():
        quiet(source)
        source.commit([m.position for m in before])
    again = drain(source, 10)
    assert values(again) == values(before)
    assert not {m.position for m in again} & {m.position for m in before}
    source.close()
    third = make(f"{root}/#", client_id=root)
    connected(third)
    assert len(drain(third, 10)) == 10


def test_a_session_that_the_broker_lost_is_subscribed_again(
    brokers: Any, befriend: Any, make: Make, root: str
) -> None:
    broker = brokers(persistence="false")
    source = make(f"{root}/#", url=f"mqtt://127.0.0.1:{broker.port}", client_id=root)
    connected(source)
    broker.stop()
    quiet(source)
    assert not source.connected
    broker.start()
    watch = Stopwatch()
    while not source.connected:
        assert watch.seconds < 20
        assert source.poll(10, 0.1) == []
    befriend(broker.port).publish(f"{root}/a", b"after")
    assert values(drain(source, 1)) == [b"after"]


# -- what ends a run -----------------------------------------------------------------------------------------


def test_of_two_clients_of_one_name_one_ends(make: Make, root: str) -> None:
    """At once where the broker says why it closes a connection, else when that has happened a few times."""
    first, second = make(f"{root}/#", client_id=root), make(f"{root}/#", client_id=root)
    connected(first)
    connected(second)
    said, watch = "", Stopwatch()
    while not said:
        assert watch.seconds < 60
        for source in (first, second):
            try:
                source.poll(10, 0.1)
            except RunFailure as error:
                said = str(error)
                other = second if source is first else first
    assert "with this client_id, which can only be in use once" in said
    quiet(other, 1.5)
    assert other.connected


def test_a_broker_that_is_not_there_is_waited_for_by_choice(brokers: Any, make: Make, root: str) -> None:
    port = free_port()
    url = f"mqtt://127.0.0.1:{port}"
    failing = make(f"{root}/#", url=url, on_unavailable="fail")
    failing.open()
    said = failure(failing)
    assert f"the connection to the broker 127.0.0.1:{port} cannot be had: Connection refused" in said
    waiting = make(f"{root}/#", url=url)
    waiting.open()
    quiet(waiting, 1.5)
    assert not waiting.connected
    brokers(port)
    connected(waiting)


def test_a_lost_connection_ends_the_run_by_choice(mosquitto: MosquittoBroker, make: Make, root: str) -> None:
    source = make(f"{root}/#", url=f"mqtt://127.0.0.1:{mosquitto.proxied}", on_unavailable="fail")
    connected(source)
    with mosquitto.cut():
        assert "was lost" in failure(source)


@pytest.fixture
def guarded(brokers: Any, tmp_path: Path) -> MosquittoBroker:
    """A broker that wants the user u with the password right, who may not read below secret/."""
    passwords, rights = tmp_path / "passwords", tmp_path / "rights"
    passwords.touch()
    subprocess.run(["mosquitto_passwd", "-b", str(passwords), "u", "right"], check=True, capture_output=True)
    rights.write_text("user u\ntopic readwrite open/#\n")
    broker: MosquittoBroker = brokers(allow_anonymous="false", password_file=passwords, acl_file=rights)
    return broker


@both
def test_a_wrong_password_ends_the_run_at_once(version: Any, guarded: MosquittoBroker, make: Make) -> None:
    url = f"mqtt://127.0.0.1:{guarded.port}"
    source = make("open/#", url=url, version=version, user="u", password="wrong")
    source.open()
    assert "refused the connection" in failure(source)


@pytest.mark.parametrize("written", ["keys", "url"])
def test_user_and_password_open_a_broker(written: str, guarded: MosquittoBroker, make: Make) -> None:
    if written == "keys":
        source = make("open/#", url=f"mqtt://127.0.0.1:{guarded.port}", user="u", password="right")
    else:
        source = make("open/#", url=f"mqtt://u:right@127.0.0.1:{guarded.port}")
    connected(source)
