"""A connection to a broker that lasts: made again, with growing waits, whenever it is lost."""

from __future__ import annotations

import contextlib
import os
import random
import select
import socket
import ssl
import threading
from typing import TYPE_CHECKING, Any, Protocol

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from limecep.clock import Stopwatch
from limecep.errors import RunFailure
from limecep_mqtt.tls import tls_context

if TYPE_CHECKING:
    from paho.mqtt.reasoncodes import ReasonCode

    from limecep.contracts.context import Context
    from limecep_mqtt.config import BrokerOptions

#: The first wait before a new try, in seconds.
FIRST_WAIT_SECONDS = 0.5
#: How often a quiet connection is looked after, in seconds.
TICK_SECONDS = 1.0
#: How many packets are read before they are handed over and acknowledgements get a turn: with more the
#: broker would wait for these while a batch is worked on, with fewer each costs a turn of the pipeline.
BURST_PACKETS = 16
#: A connection that was lost within so many seconds was a short one; after so many short ones in turn, each
#: made at the first try, it is not the network: two clients of one name drive each other out.
SHORT_SECONDS = 10.0
SUSPICIOUS = 5
#: How long is waited for the broker to close a connection, and for all that ends with it, in seconds; and for
#: that where the run has been asked to end.
FAREWELL_SECONDS = 2.0
PARTING_SECONDS = 5.0
HURRIED_SECONDS = 0.5

#: Why a connection is lost, where nothing else is known.
CLOSED = "the broker closed it"

#: Refusals that waiting does not change, as the codes of MQTT 5.
_FOR_GOOD = {
    0x81: "it takes the request for malformed",
    0x84: "it does not speak this version of MQTT (version: 3.1.1 may help)",
    0x85: "it does not accept the client_id",
    0x86: "user or password is wrong",
    0x87: "the user may not do that",
    0x8A: "the client is banned",
    0x8C: "it wants another way of authentication",
    0x8E: "another client connected with this client_id, which can only be in use once",
    0x90: "it does not accept the topic",
    0x95: "a message is larger than it accepts",
    0x9A: "it keeps no retained messages",
    0x9B: "it does not support this qos",
}
#: What some of them mean where it is the connection that is refused: brokers do not say which.
_AT_FIRST = {0x87: "user or password is wrong, or the user may not connect"}


class Owner(Protocol):
    """Whom a link works for. All of it is called in the link's own thread, and must not wait long."""

    def connected(self, resumed: bool, properties: Properties | None) -> None:
        """The broker accepted the connection; `resumed`: it has kept the session, with subscriptions."""

    def read(self) -> None:
        """What was there to be read has been read, for now."""

    def lost(self) -> None:
        """The connection is gone. A new one will be tried."""


class Link:
    """One client with a thread of its own that reads, writes and connects again.

    Args:
        options: How the broker is reached.
        client_id: The name at the broker; "" lets the broker choose.
        context: Of the component that it is made for.
        owner: Who is told of its state.
        session_expiry: How long the broker is to keep the session, in seconds; None: it begins anew.
        manual_ack: Whether messages of QoS 1 are acknowledged by the owner.

    Attributes:
        client: The client, for subscriptions, messages and callbacks other than those of the connection.
        up: Whether there is a connection.
        tries: How many tries have come to nothing so far, or to an end.
        failure: Why there will be none any more; "" as long as it is tried.
        changed: Told when something happened that somebody may wait for.
    """

    def __init__(
        self,
        options: BrokerOptions,
        client_id: str,
        context: Context,
        owner: Owner,
        *,
        session_expiry: int | None = None,
        manual_ack: bool = False,
    ) -> None:
        self.address = options.address
        self.up = False
        self.tries = 0
        self.failure = ""
        self.changed = threading.Condition()
        self._options = options
        self._root = context.root
        self._logger = context.logger
        self._stopping = context.stopping
        self._owner = owner
        self._named = bool(client_id)
        self._anew = session_expiry is None
        self._read = 0
        self._reason = ""
        self._was_up = False
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
        self._wakers: tuple[socket.socket, ...] = ()
        #: Why a connection was closed on which the broker said nothing.
        self._unanswered = CLOSED
        if self.address.tls and not options.tls_certificate:
            # It may refuse the certificate, or its absence, when the client takes itself for connected.
            self._unanswered += " before it answered: it may want a certificate ('tls_certificate')"
        five = options.version == 5
        self.client = client = paho.Client(
            CallbackAPIVersion.VERSION2,
            client_id=client_id,
            clean_session=None if five else self._anew,
            protocol=MQTTProtocolVersion.MQTTv5 if five else MQTTProtocolVersion.MQTTv311,
            reconnect_on_failure=False,
            manual_ack=manual_ack,
        )
        self._properties = _connect_properties(options.window, session_expiry) if five else None
        client.max_inflight_messages_set(options.window)
        client.max_queued_messages_set(0)
        user = self.address.user or options.user
        if user:
            client.username_pw_set(user, self.address.password or options.password or None)
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_socket_open = _send_at_once
        # Whoever publishes or acknowledges leaves the writing to the one thread that may do it.
        client.on_socket_register_write = lambda *_: None

    @property
    def ending(self) -> bool:
        """Whether the connection is being closed, or was given up."""
        return self._closing.is_set()

    def start(self) -> None:
        """Begins to connect, and does not wait.

        Raises:
            RunFailure: The certificates cannot be used.
        """
        if self._thread is not None:
            return
        options = self._options
        if self.address.tls:
            self.client.tls_set_context(tls_context(options, self._root))
        self.client.connect_async(
            self.address.host,
            self.address.port,
            keepalive=options.keepalive // 1_000_000,
            clean_start=self._anew if options.version == 5 else paho.MQTT_CLEAN_START_FIRST_ONLY,
            properties=self._properties,
        )
        self._wakers = socket.socketpair()
        for end in self._wakers:
            end.setblocking(False)
        self._thread = threading.Thread(target=self._run, name=f"mqtt {self.address}", daemon=True)
        self._thread.start()

    def check(self) -> None:
        """Nothing, as long as there is a connection or hope for one.

        Raises:
            RunFailure: There is not.
        """
        if self.failure:
            raise RunFailure(self.failure)

    def fail(self, why: str) -> None:
        """Gives up. Whoever waits is told why."""
        self._closing.set()
        with self.changed:
            self.failure = self.failure or why
            self.changed.notify_all()
        self.wake()

    def received(self) -> None:
        """To be called by the owner's callbacks for each packet: there may be more to read at once."""
        self._read += 1

    def wake(self) -> None:
        """What was published or acknowledged is to be written."""
        if self._wakers:
            with contextlib.suppress(OSError):  # It is awake already, or gone.
                self._wakers[1].send(b"\0")

    def close(self) -> None:
        """Writes what is left, and ends the connection in order where there is one. May be called twice."""
        self._closing.set()
        self.wake()
        with self.changed:
            self.changed.notify_all()
        if self._thread is None:
            return
        # What hangs on to a broker that does not answer ends with the process.
        self._thread.join(HURRIED_SECONDS if self._stopping() else PARTING_SECONDS)
        if not self._thread.is_alive():
            for end in self._wakers:
                end.close()

    # -- the link's thread ---------------------------------------------------------------------------------

    def _run(self) -> None:
        wait, short = FIRST_WAIT_SECONDS, 0
        try:
            while not self._closing.is_set():
                watch = Stopwatch()
                was_up = self._attempt()
                with self.changed:
                    self.tries += 1
                    self.changed.notify_all()
                if self._closing.is_set():
                    return
                if self._options.on_unavailable == "fail":
                    state = "was lost" if was_up else "cannot be had"
                    self.fail(f"the connection to the broker {self.address} {state}: {self._reason}")
                    return
                if was_up and watch.seconds >= SHORT_SECONDS:
                    wait = FIRST_WAIT_SECONDS
                short = short + 1 if was_up and watch.seconds < SHORT_SECONDS else 0
                if short == SUSPICIOUS and self._named:
                    self.fail(
                        f"the broker {self.address} closes the connection again and again: another client "
                        "seems to be connected with this client_id, which can only be in use once"
                    )
                    return
                said = "connection lost" if was_up else "no connection"
                self._logger.warning(
                    said, broker=str(self.address), reason=self._reason, next_try_seconds=round(wait, 1)
                )
                # Many clients of one broker shall not all come back at one moment.
                self._closing.wait(wait * random.uniform(0.5, 1.0))
                wait = min(2 * wait, self._options.retry_max / 1_000_000)
        except Exception as error:
            self.fail(f"the MQTT client failed: {type(error).__name__}: {error}")

    def _attempt(self) -> bool:
        """One connection, from its beginning to its end; says whether there was one."""
        self._reason, self._was_up = self._unanswered, False
        try:
            self.client.reconnect()
        except (OSError, ValueError) as error:
            self._reason = _text(error)
            return False
        self._serve()
        return self._was_up

    def _serve(self) -> None:
        client, woken = self.client, self._wakers[0]
        rest: socket.socket | None = None
        while (sock := client.socket()) is not None:
            if self._closing.is_set() and rest is None:
                rest = socket.socket(fileno=os.dup(sock.fileno()))
                client.disconnect()
            pending = isinstance(sock, ssl.SSLSocket) and sock.pending() > 0
            readers, writers = [sock, woken], [sock] if client.want_write() else []
            readable, _, _ = select.select(readers, writers, [], 0.0 if pending else TICK_SECONDS)
            if woken in readable:
                woken.recv(4096)
            if pending or sock in readable:
                self._read_some()
            if client.want_write():
                client.loop_write()
            client.loop_misc()
        if rest is not None:
            _hear_out(rest)

    def _read_some(self) -> None:
        for _ in range(BURST_PACKETS):
            before = self._read
            if self.client.loop_read() != MQTTErrorCode.MQTT_ERR_SUCCESS or self._read == before:
                break
        self._owner.read()

    def _on_connect(
        self, client: Any, data: Any, flags: Any, code: ReasonCode, properties: Properties | None
    ) -> None:
        if code.is_failure:
            said = _AT_FIRST.get(code.value) or words(code)
            self._reason = f"the broker refused it: {said}"
            if code.value in _FOR_GOOD:
                self.fail(f"the broker {self.address} refused the connection: {said}")
            return
        self._was_up, self._reason = True, CLOSED
        resumed = bool(flags.session_present)
        self._logger.info("connected", broker=str(self.address), session="resumed" if resumed else "new")
        with self.changed:
            self.up = True
        self._owner.connected(resumed, properties)
        with self.changed:
            self.changed.notify_all()

    def _on_disconnect(
        self, client: Any, data: Any, flags: Any, code: ReasonCode, properties: Properties | None
    ) -> None:
        if flags.is_disconnect_packet_from_server:
            self._reason = f"the broker closed it: {words(code)}"
            if code.value in _FOR_GOOD:
                self.fail(f"the broker {self.address} closed the connection: {words(code)}")
        elif code.is_failure and code.getName() == "Keep alive timeout":
            self._reason = "the broker does not answer"
        with self.changed:
            self.up = False
        self._owner.lost()
        with self.changed:
            self.changed.notify_all()


def _connect_properties(window: int, session_expiry: int | None) -> Properties:
    properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    properties.ReceiveMaximum = window
    properties.SessionExpiryInterval = min(session_expiry or 0, 0xFFFFFFFF)
    return properties


def _send_at_once(client: Any, data: Any, sock: Any) -> None:
    """Acknowledgements are small, and must not wait for each other."""
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _hear_out(sock: socket.socket) -> None:
    """Waits until the broker has closed a connection that was ended in order: it has then read the last
    acknowledgements. The client closes at once, and with something unread that would revoke what it wrote."""
    with sock, contextlib.suppress(OSError):
        sock.settimeout(FAREWELL_SECONDS)
        while sock.recv(65_536):
            pass


def words(code: ReasonCode) -> str:
    """What the broker says, and, where that is known, what it means."""
    return _FOR_GOOD.get(code.value) or code.getName()


def _text(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted by 'tls_ca': {error.verify_message}"
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
