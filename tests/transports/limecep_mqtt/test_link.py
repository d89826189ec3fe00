"""A connection is made again with growing waits, is given up where that is no use, and says why."""

from __future__ import annotations

import socket
import ssl
import threading
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from paho.mqtt.client import MQTT_CLEAN_START_FIRST_ONLY
from paho.mqtt.enums import MQTTErrorCode
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.reasoncodes import ReasonCode

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.errors import RunFailure
from limecep.testing.bench import SilentLogger
from limecep_mqtt import link as module
from limecep_mqtt.config import MqttOptions
from limecep_mqtt.link import BURST_PACKETS, SHORT_SECONDS, SUSPICIOUS, Link


class Changed(threading.Condition):
    """Counts how often those who wait were told."""

    def __init__(self) -> None:
        super().__init__()
        self.told = 0

    def notify_all(self) -> None:
        super().notify_all()
        self.told += 1


class Closing(threading.Event):
    """Waits for no time, and notes for how long it was to.

    Attributes:
        most: After so many waits it is set.
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most
        self.waits: list[float] = []

    def wait(self, timeout: float | None = None) -> bool:
        assert timeout is not None
        self.waits.append(timeout)
        if len(self.waits) >= self.most:
            self.set()
        return self.is_set()


class Owner:
    """Notes what it is told."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    def connected(self, resumed: bool, properties: Any) -> None:
        self.told.append(("connected", resumed, properties))

    def read(self) -> None:
        self.told.append("read")

    def lost(self) -> None:
        self.told.append("lost")


def code(value: int = 0, name: str = "") -> Any:
    return SimpleNamespace(value=value, is_failure=value >= 0x80, getName=lambda: name)


class Made:
    """A link whose client reaches no broker but does what a test says."""

    def __init__(self, client_id: str = "k", *, session_expiry: int | None = 60, **options: Any) -> None:
        self.logger = SilentLogger()
        self.owner = Owner()
        context = Context(
            label="s", clock=ManualClock(), counters=Counter(), logger=self.logger, root=Path("/nowhere")
        )
        given = MqttOptions(**{"url": "mqtt://h", **options})
        self.link: Any = Link(given, client_id, context, self.owner, session_expiry=session_expiry)
        self.link.changed = Changed()
        self.client = self.link.client

    def accept(self, *, resumed: bool = False, answer: Any = None, properties: Any = None) -> None:
        flags = SimpleNamespace(session_present=resumed)
        self.client.on_connect(self.client, None, flags, answer or code(), properties)

    def lose(self, answer: Any = None, *, by_server: bool = False) -> None:
        flags = SimpleNamespace(is_disconnect_packet_from_server=by_server)
        self.client.on_disconnect(self.client, None, flags, answer or code(), None)

    def run(self, *attempts: float | None, waits: int = 100) -> list[float]:
        """Connects as the link's thread does: each attempt lasts so many seconds, or comes to nothing; the
        last one is repeated. Gives how long was waited between them."""
        outcomes = [*attempts]
        clock = SimpleNamespace(seconds=0.0)

        def reconnect() -> None:
            lasts = outcomes.pop(0) if len(outcomes) > 1 else outcomes[0]
            if lasts is None:
                raise ConnectionRefusedError(111, "Connection refused")
            clock.seconds = lasts
            self.accept()

        self.client.reconnect = reconnect
        self.link._wakers = socket.socketpair()
        self.link._closing = Closing(waits)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "Stopwatch", lambda: clock)
            patch.setattr(module.random, "uniform", lambda low, high: 10 * low + high)
            self.link._run()
        for end in self.link._wakers:
            end.close()
        # Between half of it and all.
        return [wait / 6 for wait in self.link._closing.waits]


# -- again and again -----------------------------------------------------------------------------------------


def test_a_broker_that_is_away_is_tried_with_growing_waits() -> None:
    made = Made(retry_max=3_000_000)
    assert made.run(None, waits=5) == [0.5, 1.0, 2.0, 3.0, 3.0]
    assert made.link.tries == made.link.changed.told == 5
    level, text, values = made.logger.entries[2]
    assert (level, text) == ("warning", "no connection")
    assert values == {"broker": "h:1883", "reason": "Connection refused", "next_try_seconds": 2.0}
    assert made.link.failure == ""


def test_after_a_connection_that_lasted_the_waits_begin_anew() -> None:
    made = Made("")
    assert made.run(None, None, SHORT_SECONDS, None, waits=4) == [0.5, 1.0, 0.5, 1.0]
    assert [text for level, text, _ in made.logger.entries if level == "warning"] == [
        "no connection", "no connection", "connection lost", "no connection",
    ]  # fmt: skip
    assert Made("").run(None, None, SHORT_SECONDS - 1, None, waits=4) == [0.5, 1.0, 2.0, 4.0]


@pytest.mark.parametrize(
    ("attempt", "why"),
    [(None, "cannot be had: Connection refused"), (60.0, "was lost: the broker closed it")],
)
def test_a_broker_that_is_away_ends_the_run_by_choice(attempt: float | None, why: str) -> None:
    made = Made(on_unavailable="fail")
    assert made.run(attempt) == []
    assert made.link.tries == 1
    with pytest.raises(RunFailure) as caught:
        made.link.check()
    assert str(caught.value) == f"the connection to the broker h:1883 {why}"


def test_who_is_driven_out_again_and_again_gives_up() -> None:
    made = Made()
    assert SUSPICIOUS == 5
    assert len(made.run(1.0)) == 4
    assert "another client seems to be connected with this client_id" in made.link.failure


@pytest.mark.parametrize("between", [None, SHORT_SECONDS])
def test_what_lies_between_short_connections_makes_them_unsuspicious(between: float | None) -> None:
    made = Made()
    short = [1.0] * (SUSPICIOUS - 1)
    assert len(made.run(*short, between, *short, between, None, waits=12)) == 12
    assert made.link.failure == ""


def test_who_has_no_name_is_driven_out_by_nobody() -> None:
    made = Made("")
    assert len(made.run(1.0, waits=9)) == 9
    assert made.link.failure == ""


def test_an_error_of_the_client_ends_the_run_in_words() -> None:
    made = Made()

    def reconnect() -> None:
        raise RuntimeError("odd")

    made.client.reconnect = reconnect
    made.link._run()
    assert made.link.failure == "the MQTT client failed: RuntimeError: odd"


def test_who_closes_meanwhile_tries_no_more() -> None:
    made = Made(on_unavailable="fail")

    def reconnect() -> None:
        made.link._closing.set()
        raise OSError

    made.client.reconnect = reconnect
    made.link._run()
    assert (made.link.failure, made.link.tries, made.logger.entries) == ("", 1, [])


# -- what the broker says ------------------------------------------------------------------------------------


@pytest.mark.parametrize("resumed", [False, True])
def test_a_connection_that_is_accepted_is_told(resumed: bool) -> None:
    made = Made()
    made.accept(resumed=resumed, properties="given")
    assert made.link.up
    assert made.link._was_up
    assert made.owner.told == [("connected", resumed, "given")]
    session = "resumed" if resumed else "new"
    assert made.logger.entries == [("info", "connected", {"broker": "h:1883", "session": session})]
    assert made.link.changed.told == 1
    made.lose()
    assert not made.link.up
    assert made.owner.told[1:] == ["lost"]
    assert made.link.changed.told == 2


@pytest.mark.parametrize(
    ("value", "said", "for_good"),
    [
        (0x86, "user or password is wrong", True),
        (0x87, "user or password is wrong, or the user may not connect", True),
        (0x88, "Server unavailable", False),
    ],
)
def test_a_refusal_ends_the_run_where_waiting_does_not_help(value: int, said: str, for_good: bool) -> None:
    made = Made()
    made.accept(answer=code(value, said))
    assert made.link._reason == f"the broker refused it: {said}"
    assert made.link.failure == (f"the broker h:1883 refused the connection: {said}" if for_good else "")
    assert not made.link.up
    assert made.owner.told == []


@pytest.mark.parametrize(
    ("name", "for_good"),
    [
        *(
            (name, True)
            for name in (
                "Malformed packet", "Unsupported protocol version", "Client identifier not valid",
                "Bad user name or password", "Not authorized", "Banned", "Bad authentication method",
                "Topic name invalid", "Packet too large", "Retain not supported", "QoS not supported",
            )
        ),
        *(
            (name, False)
            for name in (
                "Unspecified error", "Server unavailable", "Server busy", "Quota exceeded",
                "Use another server", "Server moved", "Connection rate exceeded",
            )
        ),
    ],
)  # fmt: skip
def test_what_the_broker_will_not_say_otherwise_ends_the_run(name: str, for_good: bool) -> None:
    made = Made()
    made.accept(answer=ReasonCode(PacketTypes.CONNACK, name))
    assert bool(made.link.failure) == for_good


@pytest.mark.parametrize(
    ("value", "said", "for_good"),
    [
        (0x8E, "another client connected with this client_id, which can only be in use once", True),
        (0x8B, "Server shutting down", False),
    ],
)
def test_a_broker_may_say_why_it_closes_a_connection(value: int, said: str, for_good: bool) -> None:
    made = Made()
    made.lose(code(value, said), by_server=True)
    assert made.link._reason == f"the broker closed it: {said}"
    assert made.link.failure == (f"the broker h:1883 closed the connection: {said}" if for_good else "")


@pytest.mark.parametrize(
    ("value", "name", "reason"),
    [
        (0x8D, "Keep alive timeout", "the broker does not answer"),
        (0x80, "Unspecified error", ""),
        (0, "Keep alive timeout", ""),
    ],
)
def test_a_broker_that_is_silent_is_known(value: int, name: str, reason: str) -> None:
    made = Made()
    made.lose(code(value, name))
    assert made.link._reason == reason
    assert made.link.failure == ""


def test_of_several_failures_the_first_counts_and_all_who_wait_are_told() -> None:
    made = Made()
    made.link.check()
    made.link.fail("first")
    made.link.fail("second")
    assert (made.link.failure, made.link.ending, made.link.changed.told) == ("first", True, 2)


# -- what is read --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("packets", "reads"), [(0, 1), (3, 4), (BURST_PACKETS, BURST_PACKETS), (99, BURST_PACKETS)]
)
def test_what_is_there_is_read_up_to_a_burst_and_handed_over(packets: int, reads: int) -> None:
    made = Made()
    done: list[int] = []

    def loop_read() -> MQTTErrorCode:
        done.append(1)
        if len(done) <= packets:
            made.link.received()
        return MQTTErrorCode.MQTT_ERR_SUCCESS

    made.client.loop_read = loop_read
    made.link._read_some()
    assert len(done) == reads
    assert made.owner.told == ["read"]


def test_after_an_error_nothing_is_read_any_more() -> None:
    made = Made()
    done: list[int] = []

    def loop_read() -> MQTTErrorCode:
        done.append(1)
        made.link.received()
        return MQTTErrorCode.MQTT_ERR_CONN_LOST

    made.client.loop_read = loop_read
    made.link._read_some()
    assert (len(done), made.owner.told) == (1, ["read"])


# -- its client ----------------------------------------------------------------------------------------------


def test_a_session_that_is_kept_is_asked_for() -> None:
    kept, anew = Made(), Made(session_expiry=None)
    assert (kept.link._anew, anew.link._anew) == (False, True)
    assert [m.link._properties.SessionExpiryInterval for m in (kept, anew)] == [60, 0]
    assert kept.link._properties.ReceiveMaximum == MqttOptions(url="mqtt://h").window
    # No more than the field has room for.
    assert Made(session_expiry=1 << 40).link._properties.SessionExpiryInterval == 0xFFFFFFFF


@pytest.mark.parametrize("expiry", [None, 60])
def test_an_older_version_says_so_by_its_clean_session(expiry: int | None) -> None:
    made = Made(session_expiry=expiry, version="3.1.1")
    assert made.link._properties is None
    assert made.client._clean_session is (expiry is None)


@pytest.mark.parametrize(
    ("options", "user", "password"),
    [
        ({}, None, None),
        ({"user": "u", "password": "p"}, b"u", b"p"),
        ({"user": "u"}, b"u", None),
        ({"url": "mqtt://v:q@h"}, b"v", b"q"),
    ],
)
def test_it_names_its_user(options: dict[str, str], user: bytes | None, password: bytes | None) -> None:
    client = Made(**options).client
    assert (client._username, client._password) == (user, password)


@pytest.mark.parametrize(
    ("options", "expiry", "clean"),
    [
        ({}, 60, False),
        ({}, None, True),
        ({"version": "3.1.1"}, 60, MQTT_CLEAN_START_FIRST_ONLY),
    ],
)
def test_it_connects_as_its_options_say(options: Any, expiry: int | None, clean: Any) -> None:
    made = Made(session_expiry=expiry, url="mqtt://h:1884", keepalive=45_000_000, **options)
    asked: list[Any] = []
    made.client.connect_async = lambda *place, **more: asked.append((place, more))
    made.link._run = lambda: None
    made.link.start()
    made.link.close()
    properties = made.link._properties
    assert asked == [(("h", 1884), {"keepalive": 45, "clean_start": clean, "properties": properties})]
    assert made.link._thread.name == "mqtt h:1884"


def test_what_is_small_is_not_held_back() -> None:
    with socket.socket() as sock:
        Made().client.on_socket_open(None, None, sock)
        assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_certificates_that_are_not_there_end_the_run_before_it_connects() -> None:
    made = Made(url="mqtts://h", tls_ca="ca.pem")
    with pytest.raises(
        RunFailure, match=r"^the certificates for h:8883 cannot be used: 'tls_ca': No such file"
    ):
        made.link.start()
    made.link.close()


def test_a_certificate_that_is_not_trusted_is_told_as_that() -> None:
    error = ssl.SSLCertVerificationError(1, "certificate verify failed")
    error.verify_message = "self-signed certificate"
    assert module._text(error) == "its certificate is not trusted by 'tls_ca': self-signed certificate"
    assert module._text(ValueError("odd")) == "odd"
    assert module._text(OSError()) == "OSError"


@pytest.mark.parametrize(
    ("options", "hinted"),
    [({"url": "mqtts://h"}, True), ({"url": "mqtt://h"}, False)],
)
def test_a_broker_that_says_nothing_over_tls_may_want_a_certificate(
    options: dict[str, str], hinted: bool
) -> None:
    made = Made(**options)
    made.client.reconnect = lambda: None
    made.client.socket = lambda: None
    made.link._wakers = (made.client, made.client)
    assert not made.link._attempt()
    assert made.link._reason.startswith("the broker closed it")
    assert ("'tls_certificate'" in made.link._reason) == hinted


# -- its thread ----------------------------------------------------------------------------------------------


def test_it_is_started_once_and_ends_when_it_is_closed() -> None:
    made = Made()
    tried = threading.Event()

    def reconnect() -> None:
        tried.set()
        raise OSError

    made.client.reconnect = reconnect
    made.link.start()
    thread = made.link._thread
    made.link.start()
    assert made.link._thread is thread
    assert tried.wait(5)
    assert thread.daemon
    made.link.close()
    made.link.close()
    assert not thread.is_alive()
    assert all(end.fileno() < 0 for end in made.link._wakers)
    # Nobody is there to be woken any more.
    made.link.wake()


@pytest.mark.parametrize("how", ["fail", "close", "wake"])
def test_whoever_has_something_to_write_wakes_it(how: str) -> None:
    made = Made()
    made.link._wakers = socket.socketpair()
    for end in made.link._wakers:
        end.setblocking(False)
    getattr(made.link, how)(*["why"] * (how == "fail"))
    ours, others = made.link._wakers
    assert ours.recv(9) == b"\0"
    # One that is awake already needs no more.
    others.shutdown(socket.SHUT_WR)
    made.link.wake()
    ours.close()
    others.close()


@pytest.mark.parametrize("stopping", [False, True])
def test_a_thread_that_does_not_end_is_left_to_itself(
    stopping: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sooner where the run has been asked to end."""
    monkeypatch.setattr(module, "HURRIED_SECONDS" if stopping else "PARTING_SECONDS", 0.01)
    made, ending = Made(), threading.Event()
    made.link._stopping = lambda: stopping
    made.link._run = lambda: ending.wait(10)
    made.link.start()
    made.link.close()
    assert made.link._thread.is_alive()
    assert all(end.fileno() >= 0 for end in made.link._wakers)
    ending.set()
    made.link.close()
    assert not made.link._thread.is_alive()


class Served:
    """A link with a connection to the test, that serves it in this thread."""

    def __init__(self) -> None:
        self.made = Made()
        self.sock, self.broker = socket.socketpair()
        self.made.link._wakers = socket.socketpair()
        for end in self.made.link._wakers:
            end.setblocking(False)
        self.done: list[str] = []
        self.turns = 0
        self.wants: list[bool] = []
        client = self.made.client
        client.socket = self._socket
        client.want_write = lambda: self.wants.pop(0) if self.wants else False
        client.loop_write = lambda: self.done.append("write")
        client.loop_misc = lambda: self.done.append("misc")
        client.loop_read = self._read
        client.disconnect = self._disconnect

    def _socket(self) -> socket.socket | None:
        self.turns -= 1
        return self.sock if self.turns >= 0 else None

    def _read(self) -> MQTTErrorCode:
        self.done.append(f"read {len(self.sock.recv(99))}")
        return MQTTErrorCode.MQTT_ERR_SUCCESS

    def _disconnect(self) -> None:
        self.done.append("disconnect")
        self.broker.close()

    def serve(self, turns: int) -> list[str]:
        self.turns = turns
        self.made.link._serve()
        try:
            self.woken = self.made.link._wakers[0].recv(9)
        except BlockingIOError:
            self.woken = b""
        for sock in (self.sock, self.broker, *self.made.link._wakers):
            sock.close()
        return self.done


def test_what_comes_is_read() -> None:
    served = Served()
    served.broker.send(b"abc")
    assert served.serve(1) == ["read 3", "misc"]
    assert served.made.owner.told == ["read"]


def test_who_is_woken_writes_what_there_is_and_sleeps_again() -> None:
    served = Served()
    served.made.link.wake()
    # Somebody publishes while it waits.
    served.wants = [False, True]
    assert served.serve(1) == ["write", "misc"]
    assert served.woken == b""


def test_what_the_broker_did_not_take_at_once_is_written_when_it_can_be() -> None:
    served = Served()
    served.wants = [True, True]
    assert served.serve(1) == ["write", "misc"]


def test_who_closes_ends_the_connection_in_order_once() -> None:
    served = Served()
    served.made.link.close()
    assert served.serve(2) == ["disconnect", "read 0", "misc", "read 0", "misc"]


def test_it_may_be_closed_without_a_start() -> None:
    made = Made()
    made.link.wake()
    made.link.close()
    assert (made.link.ending, made.link.changed.told) == (True, 1)
