"""The subscriber deals out what comes, and acknowledges it in order."""

from __future__ import annotations

from collections import Counter
from threading import Thread, Timer
from types import SimpleNamespace
from typing import Any

import pytest

from limecep.clock import ManualClock, Stopwatch
from limecep.contracts.context import Context
from limecep.errors import RunFailure
from limecep.testing.bench import SilentLogger
from limecep_mqtt import subscriber
from limecep_mqtt.config import MqttOptions
from limecep_mqtt.subscriber import Inbox, Subscriber


def code(value: int, name: str = "") -> Any:
    return SimpleNamespace(value=value, is_failure=value >= 0x80, getName=lambda: name)


def message(
    topic: str = "t", number: int = 1, *, qos: int = 1, retain: bool = False, properties: Any = None
) -> Any:
    return SimpleNamespace(
        topic=topic, mid=number, qos=qos, retain=retain, properties=properties, payload=b"v"
    )


class Wire:
    """A subscriber whose client writes down subscriptions and acknowledgements."""

    def __init__(self, **options: Any) -> None:
        self.logger = SilentLogger()
        self.context = Context(
            label="sources.s", clock=ManualClock(5), counters=Counter(), logger=self.logger
        )
        self.subscriber = Subscriber(MqttOptions(**{"url": "mqtt://h", **options}), self.context)
        self.client: Any = self.subscriber.link.client
        self.client.ack = lambda number, qos: self.acknowledged.append((number, qos))
        self.client.subscribe = self._subscribe
        self.acknowledged: list[tuple[int, int]] = []
        self.woken: list[int] = []
        link: Any = self.subscriber.link
        link.wake = lambda: self.woken.append(len(self.acknowledged))
        self.subscriptions: list[list[tuple[str, Any]]] = []

    def _subscribe(self, filters: list[tuple[str, Any]]) -> tuple[int, int]:
        self.subscriptions.append(filters)
        return 0, len(self.subscriptions)

    def inbox(self, filter: str = "t") -> Inbox:
        context = Context(label="s", clock=ManualClock(), counters=Counter(), logger=self.logger)
        made = Inbox(filter, context)
        self.subscriber.add(made)
        return made

    def connect(self, *, resumed: bool = False) -> None:
        self.subscriber.link.up = True
        self.subscriber.connected(resumed, None)

    def grant(self, *codes: int, number: int | None = None) -> None:
        number = len(self.subscriptions) if number is None else number
        self.client.on_subscribe(None, None, number, [*map(code, codes)], None)

    def come(self, *messages: Any) -> None:
        for made in messages:
            self.client.on_message(None, None, made)
        self.subscriber.read()

    def took(self, inbox: Inbox, limit: int = 100) -> list[str]:
        return [m.position for m, _ in self.subscriber.take(inbox, limit, 0)]

    @property
    def filters(self) -> list[list[str]]:
        return [[filter for filter, _ in found] for found in self.subscriptions]


def ready(*filters: str, **options: Any) -> tuple[Wire, list[Inbox]]:
    """A wire with inboxes whose subscriptions are acknowledged."""
    wire = Wire(**options)
    inboxes = [wire.inbox(filter) for filter in filters]
    wire.connect()
    wire.grant(*[2] * len(set(filters)))
    for inbox in inboxes:
        # A poll sees that it is connected; the next one gives what there is.
        assert wire.took(inbox) == []
    return wire, inboxes


# -- subscriptions -------------------------------------------------------------------------------------------


def test_all_filters_are_subscribed_to_once_when_there_is_a_connection() -> None:
    wire = Wire()
    first, second = wire.inbox("a"), wire.inbox("a")
    wire.inbox("b")
    assert wire.filters == []
    wire.connect()
    assert wire.filters == [["a", "b"]]
    assert wire.woken == [0]
    assert not first.subscribed
    wire.grant(1, 1)
    assert first.subscribed
    assert second.subscribed
    # A source that comes later is subscribed for at once.
    wire.inbox("c")
    assert wire.filters[1:] == [["c"]]


@pytest.mark.parametrize(("resumed", "asked"), [(True, [["b"]]), (False, [["a", "b"]])])
def test_what_the_broker_has_kept_is_not_subscribed_to_again(resumed: bool, asked: list[list[str]]) -> None:
    wire, [first] = ready("a")
    wire.subscriber.link.up = False
    wire.inbox("b")
    wire.connect(resumed=resumed)
    assert wire.filters[1:] == asked
    assert first.subscribed == resumed


def test_where_the_broker_has_kept_everything_nothing_is_asked() -> None:
    wire, _ = ready("a")
    wire.connect(resumed=True)
    assert wire.filters == [["a"]]


@pytest.mark.parametrize(
    ("codes", "why"), [([code(0x87, "Not authorized")], "the user may not do that"), ([], "no answer to it")]
)
def test_a_subscription_that_is_refused_ends_the_run(codes: list[Any], why: str) -> None:
    wire = Wire()
    inbox = wire.inbox("a")
    wire.connect()
    wire.client.on_subscribe(None, None, 1, codes, None)
    with pytest.raises(RunFailure, match=f"the broker refused the subscription to a: {why}"):
        wire.took(inbox)
    assert not inbox.subscribed


def test_a_lower_qos_than_asked_for_is_logged() -> None:
    wire = Wire(qos=1)
    wire.inbox("a")
    wire.inbox("b")
    wire.connect()
    wire.grant(0, 1)
    assert wire.logger.entries[0] == ("warning", "lower qos granted", {"topic": "a", "qos": 0})


def test_it_is_logged_when_the_broker_has_all_subscriptions() -> None:
    wire = Wire()
    for filter in ("a", "b", "a"):
        wire.inbox(filter)
    wire.connect()
    assert wire.logger.entries == []
    wire.grant(1, 1)
    assert wire.logger.entries == [("info", "subscribed", {"topics": ["a", "b"]})]


def test_an_answer_to_a_connection_that_is_gone_counts_no_more() -> None:
    wire = Wire()
    inbox = wire.inbox("a")
    wire.connect()
    wire.subscriber.lost()
    wire.grant(1)
    assert not inbox.subscribed
    assert wire.logger.entries == []


@pytest.mark.parametrize(("retained", "handling"), [("drop", 2), ("keep", 1)])
def test_retained_messages_are_asked_for_or_not(retained: str, handling: int) -> None:
    wire, _ = ready("a", retained=retained, qos=2)
    [[(_, wish)]] = wire.subscriptions
    assert (wish.QoS, wish.retainHandling) == (2, handling)


def test_of_an_older_version_only_the_qos_can_be_wished_for() -> None:
    wire, _ = ready("a", version="3.1.1", qos=0)
    assert wire.subscriptions == [[("a", 0)]]


# -- messages ------------------------------------------------------------------------------------------------


def test_a_message_goes_to_every_source_that_its_topic_is_for() -> None:
    wire, [all_, one] = ready("home/#", "home/a")
    wire.come(message("home/a", 1), message("home/b", 2))
    assert wire.took(all_) == ["home/a:1", "home/b:2"]
    assert wire.took(one) == ["home/a:1"]


def test_a_message_has_what_came_with_it() -> None:
    wire, [inbox] = ready("t")
    full = SimpleNamespace(UserProperty=[("a", "ä")], ContentType="text/plain")
    wire.come(message(), message(properties=full), message(properties=SimpleNamespace()))
    plain, rich, bare = (m for m, _ in wire.subscriber.take(inbox, 9, 0))
    assert (plain.value, plain.channel, plain.position, plain.t_arr) == (b"v", "t", "t:1", 5)
    assert (plain.key, plain.headers, plain.event_time) == (None, (), None)
    assert rich.headers == (("content-type", b"text/plain"), ("a", "ä".encode()))
    assert bare.headers == ()


def test_every_packet_says_that_there_may_be_more_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[int] = []
    monkeypatch.setattr(subscriber.Link, "received", lambda link: heard.append(1))
    wire, _ = ready("t")
    assert len(heard) == 1
    wire.come(message(), message("other"))
    assert len(heard) == 3


def test_no_more_than_asked_for_is_taken() -> None:
    wire, [inbox] = ready("t")
    wire.come(*(message(number=n) for n in (1, 2, 3)))
    assert wire.took(inbox, 2) == ["t:1", "t:2"]
    assert wire.took(inbox, 2) == ["t:3"]
    assert wire.took(inbox, 2) == []


def test_before_the_subscription_is_acknowledged_nothing_is_given() -> None:
    wire = Wire()
    inbox = wire.inbox("t")
    wire.connect(resumed=True)
    wire.come(message())
    assert (wire.took(inbox), inbox.connected) == ([], False)
    wire.grant(1)
    # A poll sees it, and the next one gives.
    assert (wire.took(inbox), inbox.connected) == ([], True)
    assert wire.took(inbox) == ["t:1"]


def test_where_what_was_kept_does_not_fit_it_is_given_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subscriber, "WAITING_MESSAGES", 2)
    wire = Wire()
    inbox = wire.inbox("t")
    wire.connect(resumed=True)
    wire.come(message(number=1), message(number=2))
    assert wire.took(inbox, 1) == ["t:1"]
    assert wire.took(inbox, 1) == []


def test_a_poll_waits_until_something_comes() -> None:
    wire, [inbox] = ready("t")
    later = Timer(0.1, wire.come, [message()])
    watch = Stopwatch()
    later.start()
    assert [m.position for m, _ in wire.subscriber.take(inbox, 9, 5.0)] == ["t:1"]
    assert 0.05 < watch.seconds < 4
    later.join()


def test_a_poll_does_not_wait_while_there_is_something_for_another_source() -> None:
    wire, [first, _] = ready("t", "u")
    wire.come(message("u"))
    watch = Stopwatch()
    assert wire.subscriber.take(first, 9, 5.0) == []
    # Nor where nothing will come any more.
    wire.took(wire.inbox("u"))
    wire.subscriber.link.fail("no")
    with pytest.raises(RunFailure, match="no"):
        wire.subscriber.take(first, 9, 5.0)
    assert watch.seconds < 4


def test_where_as_much_waits_as_may_reading_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subscriber, "WAITING_MESSAGES", 1)
    wire, [inbox] = ready("t")
    wire.come(message(number=1))
    for number, go_on in enumerate([lambda: wire.took(inbox, 1), lambda: wire.subscriber.link.fail("")], 2):
        reading = Thread(target=wire.come, args=[message(number=number)], daemon=True)
        reading.start()
        reading.join(0.1)
        assert reading.is_alive()
        go_on()
        reading.join(5)
        assert not reading.is_alive()


@pytest.mark.parametrize(
    ("keeps", "retain", "given", "dropped"),
    [("drop", True, [], 1), ("drop", False, ["t:1"], 0), ("keep", True, ["t:1"], 0)],
)
def test_retained_messages_are_dropped_and_counted(
    keeps: str, retain: bool, given: list[str], dropped: int
) -> None:
    wire, [inbox] = ready("t", retained=keeps)
    wire.come(message(retain=retain))
    assert wire.took(inbox) == given
    assert inbox.counters["retained_dropped"] == dropped
    # It is done with.
    assert wire.acknowledged == ([(1, 1)] if dropped else [])


def test_a_message_for_no_source_is_done_with_and_logged_once() -> None:
    wire, [inbox] = ready("t")
    wire.logger.entries.clear()
    wire.come(message("x", 1), message("y", 2))
    assert wire.acknowledged == [(1, 1), (2, 1)]
    [(level, said, values)] = wire.logger.entries
    assert (level, values) == ("warning", {"topic": "x"})
    assert said.startswith("a message for no source (later ones are not logged)")
    assert wire.took(inbox) == []


def test_a_topic_that_is_no_text_is_for_no_source() -> None:
    class Odd:
        mid, qos, retain, properties, payload = 1, 1, False, None, b""

        @property
        def topic(self) -> str:
            raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, "no")

    wire, _ = ready("t")
    wire.come(Odd())
    assert wire.acknowledged == [(1, 1)]


# -- acknowledgements ----------------------------------------------------------------------------------------


def test_messages_are_acknowledged_in_order_when_every_source_is_done_with_them() -> None:
    wire, [first, second] = ready("t", "#")
    wire.come(message(number=7), message(number=8), message("u", 9))
    receipts = [r for _, r in wire.subscriber.take(first, 9, 0) if r]
    more = [r for _, r in wire.subscriber.take(second, 9, 0) if r]
    wire.subscriber.settle(more)
    assert wire.acknowledged == []
    wire.subscriber.settle(receipts[1:])
    assert wire.acknowledged == []
    wire.subscriber.settle(receipts[:1])
    assert wire.acknowledged == [(7, 1), (8, 1), (9, 1)]
    # What is to be written is written at once.
    assert wire.woken[-1] == 3


@pytest.mark.parametrize(("asked", "came"), [(2, 2), (1, 0), (2, 1), (0, 0)])
def test_messages_of_another_qos_are_not_acknowledged_here(asked: int, came: int) -> None:
    wire, [inbox] = ready("t", qos=asked)
    wire.come(message(qos=came))
    [(_, receipt)] = wire.subscriber.take(inbox, 9, 0)
    assert receipt is None


def test_what_came_on_a_connection_that_is_gone_is_not_acknowledged() -> None:
    wire, [inbox] = ready("t")
    wire.come(message(number=7))
    wire.client.on_message(None, None, message(number=8))
    wire.subscriber.lost()
    receipts = [r for _, r in wire.subscriber.take(inbox, 9, 0) if r]
    assert len(receipts) == 2
    wire.subscriber.settle(receipts)
    assert wire.acknowledged == []
    # What was handed over is not handed over again.
    wire.subscriber.read()
    assert wire.took(inbox) == []


@pytest.mark.parametrize(("qos", "here"), [(0, False), (1, True), (2, False)])
def test_only_messages_of_qos_1_wait_for_their_effects(qos: int, here: bool) -> None:
    assert Wire(qos=qos).client._manual_ack is here


# -- the connection ------------------------------------------------------------------------------------------


def test_the_connection_ends_with_the_last_source() -> None:
    wire = Wire()
    first, second = wire.inbox(), wire.inbox()
    done: list[str] = []
    link: Any = wire.subscriber.link
    link.start, link.close = lambda: done.append("start"), lambda: done.append("close")
    wire.subscriber.open(first)
    wire.subscriber.open(second)
    assert wire.subscriber.close(first) is False
    assert done == ["start", "start"]
    assert wire.subscriber.close(second) is True
    assert done[2:] == ["close"]


def test_how_long_it_keeps_it_is_told_in_whole_seconds() -> None:
    link: Any = Wire(client_id="k", session_expiry=1_999_999).subscriber.link
    assert link._properties.SessionExpiryInterval == 1


@pytest.mark.parametrize(("client_id", "expiry"), [("k", 604_800), ("", 0)])
def test_the_broker_keeps_the_session_of_who_has_a_name(client_id: str, expiry: int) -> None:
    link: Any = Wire(client_id=client_id).subscriber.link
    assert link._properties.SessionExpiryInterval == expiry
    assert link._anew is (not client_id)
