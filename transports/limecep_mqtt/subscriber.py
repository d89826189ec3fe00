"""The subscriptions of all sources of a connector, over one connection."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from paho.mqtt.subscribeoptions import SubscribeOptions

from limecep.contracts.source import Message
from limecep_mqtt.link import Link, words
from limecep_mqtt.topics import matcher

if TYPE_CHECKING:
    from collections.abc import Sequence

    from paho.mqtt.properties import Properties

    from limecep.contracts.context import Context
    from limecep_mqtt.config import MqttOptions

#: How many messages wait at most until they are polled. Where the broker sends more, reading waits.
WAITING_MESSAGES = 20_000


class Receipt:
    """A message that is to be acknowledged when `waiting` sources are done with it."""

    __slots__ = ("number", "waiting")

    def __init__(self, number: int, waiting: int) -> None:
        self.number = number
        self.waiting = waiting


class Inbox:
    """What came for one source.

    Args:
        filter: Its topic filter.
        context: Of the source.

    Attributes:
        subscribed: Whether the broker has acknowledged the subscription.
        connected: Whether that was seen by a poll.
    """

    def __init__(self, filter: str, context: Context) -> None:
        self.filter = filter
        self.subscribed = False
        self.connected = False
        self.takes = matcher(filter)
        self.counters = context.counters
        self.messages: deque[tuple[Message, Receipt | None]] = deque()


class Subscriber:
    """Receives for all sources of a connector, in the order in which the broker sends.

    Messages of QoS 1 are acknowledged in that order, as MQTT demands, each when its sources are done with it.
    A message that the broker sends again after a connection was lost is a message like any other: neither
    its number nor its duplicate flag says that it came before.

    Args:
        options: The connector's options.
        context: Of the first of its sources.
    """

    def __init__(self, options: MqttOptions, context: Context) -> None:
        self.link = Link(
            options,
            options.client_id,
            context,
            self,
            session_expiry=options.session_expiry // 1_000_000 if options.persistent else None,
            # A message of QoS 2 is gone from the broker once it was received: waiting would save nothing.
            manual_ack=options.qos == 1,
        )
        client = self.link.client
        client.on_message = self._on_message
        client.on_subscribe = self._on_subscribe
        self._options = options
        self._clock = context.clock
        self._logger = context.logger
        self._changed = self.link.changed
        self._inboxes: list[Inbox] = []
        self._open: set[int] = set()
        self._held = 0
        self._number = 0
        self._unclaimed = False
        #: What is to be acknowledged on this connection, in the order in which it came.
        self._due: deque[Receipt] = deque()
        #: What came and was not handed over yet. Only the link's thread has to do with these two.
        self._came: list[tuple[Inbox, Message, Receipt | None]] = []
        self._came_due: list[Receipt] = []
        self._asked: dict[int, Sequence[Inbox]] = {}

    def add(self, inbox: Inbox) -> None:
        """One more source."""
        with self._changed:
            self._inboxes.append(inbox)
            if self.link.up:
                self._subscribe([inbox])

    def open(self, inbox: Inbox) -> None:
        """Begins to connect for it, and does not wait.

        Raises:
            RunFailure: The certificates cannot be used.
        """
        self._open.add(id(inbox))
        self.link.start()

    @property
    def pressed(self) -> bool:
        """Whether half of the messages that may be under way wait to be acknowledged."""
        return 2 * len(self._due) >= self._options.window

    def take(self, inbox: Inbox, limit: int, timeout: float) -> list[tuple[Message, Receipt | None]]:
        """Up to `limit` messages of a source. Waits up to `timeout` seconds for one, but not while there are
        any for another source, which is polled next. Until it has seen that the subscription is acknowledged
        it gives nothing, as long as what the broker has kept, which comes earlier, fits.

        Raises:
            RunFailure: The broker will not be reached any more.
        """
        with self._changed:
            if timeout > 0 and not self.link.failure and not (self._held and self._gives(inbox)):
                self._changed.wait(timeout)
            self.link.check()
            gives, inbox.connected = self._gives(inbox), inbox.subscribed
            if not gives:
                return []
            queue = inbox.messages
            taken = [queue.popleft() for _ in range(min(limit, len(queue)))]
            if self._held >= WAITING_MESSAGES:
                self._changed.notify_all()
            self._held -= len(taken)
        return taken

    def _gives(self, inbox: Inbox) -> bool:
        # Where reading waits for room, the acknowledgement of the subscription waits with it.
        return inbox.connected or self._held >= WAITING_MESSAGES

    def settle(self, receipts: Sequence[Receipt]) -> None:
        """A source is done with these messages."""
        with self._changed:
            for receipt in receipts:
                receipt.waiting -= 1
            self._acknowledge()
        self.link.wake()

    def close(self, inbox: Inbox) -> bool:
        """A source is closed; with the last one the connection ends. Says whether it was the last one."""
        self._open.discard(id(inbox))
        if self._open:
            return False
        self.link.close()
        return True

    def _acknowledge(self) -> None:
        due = self._due
        while due and due[0].waiting == 0:
            self.link.client.ack(due.popleft().number, 1)

    # -- called in the link's thread -----------------------------------------------------------------------

    def connected(self, resumed: bool, properties: Properties | None) -> None:
        """Subscribes, but to what the broker has kept since this process subscribed."""
        with self._changed:
            missing = [i for i in self._inboxes if not (resumed and i.subscribed)]
            if missing:
                self._subscribe(missing)

    def read(self) -> None:
        """Hands over what came, all that was there at once: so that it is worked on at once, too."""
        if not self._came_due and not self._came:
            return
        with self._changed:
            while self._held >= WAITING_MESSAGES and not self.link.ending:
                self._changed.wait()
            self._due += self._came_due
            for inbox, message, receipt in self._came:
                inbox.messages.append((message, receipt))
            self._held += len(self._came)
            self._acknowledge()
            self._changed.notify_all()
        self._came_due.clear()
        self._came.clear()

    def lost(self) -> None:
        """What was not acknowledged comes again: on another connection the numbers mean other messages."""
        self.read()
        with self._changed:
            self._due.clear()
            self._asked.clear()

    def _subscribe(self, inboxes: Sequence[Inbox]) -> None:
        filters = list(dict.fromkeys(i.filter for i in inboxes))
        for inbox in inboxes:
            inbox.subscribed = inbox.connected = False
        _, number = self.link.client.subscribe([(filter, self._wish()) for filter in filters])
        if number is not None:
            self._asked[number] = inboxes
        self.link.wake()

    def _wish(self) -> Any:
        if self._options.version != 5:
            return self._options.qos
        new_only, never = SubscribeOptions.RETAIN_SEND_IF_NEW_SUB, SubscribeOptions.RETAIN_DO_NOT_SEND
        return SubscribeOptions(
            qos=self._options.qos, retainHandling=never if self._options.retained == "drop" else new_only
        )

    def _on_subscribe(
        self, client: Any, data: Any, number: int, codes: Sequence[Any], properties: Any
    ) -> None:
        self.link.received()
        with self._changed:
            inboxes = self._asked.pop(number, ())
            granted = dict(zip(dict.fromkeys(i.filter for i in inboxes), codes, strict=False))
            for inbox in inboxes:
                code = granted.get(inbox.filter)
                if code is None or code.is_failure:
                    why = "no answer to it" if code is None else words(code)
                    self.link.fail(f"the broker refused the subscription to {inbox.filter}: {why}")
                    return
                if code.value < self._options.qos:
                    self._logger.warning("lower qos granted", topic=inbox.filter, qos=code.value)
                inbox.subscribed = True
            if inboxes:
                self._logger.info("subscribed", topics=[*granted])
            self._changed.notify_all()

    def _on_message(self, client: Any, data: Any, message: Any) -> None:
        self.link.received()
        try:
            topic = message.topic
        except UnicodeDecodeError:
            topic = ""
        takers = [i for i in self._inboxes if i.takes(topic)]
        if message.retain and self._options.retained == "drop":
            for inbox in takers:
                inbox.counters["retained_dropped"] += 1
            takers = []
        elif not takers:
            self._say_unclaimed(topic)
        receipt = None
        if message.qos == 1 and self._options.qos == 1:
            receipt = Receipt(message.mid, len(takers))
            self._came_due.append(receipt)
        if takers:
            self._number += 1
            made = self._made(message, topic)
            self._came += [(inbox, made, receipt) for inbox in takers]

    def _made(self, message: Any, topic: str) -> Message:
        headers: tuple[tuple[str, bytes], ...] = ()
        properties = message.properties
        if properties is not None:
            pairs = getattr(properties, "UserProperty", None)
            if pairs:
                headers = tuple([(name, value.encode()) for name, value in pairs])
            content_type = getattr(properties, "ContentType", None)
            if content_type:
                headers = (("content-type", content_type.encode()), *headers)
        return Message(
            bytes(message.payload), topic, f"{topic}:{self._number}", self._clock.now(), None, headers
        )

    def _say_unclaimed(self, topic: str) -> None:
        if not self._unclaimed:
            self._unclaimed = True
            self._logger.warning(
                "a message for no source (later ones are not logged): the broker has kept subscriptions of "
                "this client_id that the pipeline no longer has",
                topic=topic,
            )
