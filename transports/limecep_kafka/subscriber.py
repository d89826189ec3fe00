"""The one consumer that the sources of a connector share."""

from __future__ import annotations

from threading import Thread
from typing import TYPE_CHECKING, Any

from confluent_kafka import Consumer, KafkaError, KafkaException, TopicPartition

from limecep.clock import Stopwatch
from limecep.errors import RunFailure
from limecep_kafka.client import READING, Link, fetch, settings
from limecep_kafka.commits import Commits, Done
from limecep_kafka.membership import Membership
from limecep_kafka.messages import Messages
from limecep_kafka.partition_queues import PartitionQueues
from limecep_kafka.start_offsets import Beginnings
from limecep_kafka.topics import matcher, partition_of

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Collection, Sequence

    from limecep.contracts.context import Context
    from limecep.contracts.source import Message
    from limecep_kafka.config import KafkaOptions
    from limecep_kafka.topics import Partition

#: How often it is tried to find out where partitions begin.
TRIES = 3
#: How long the last commit may take, in seconds; and where the run has been asked to end.
PARTING_SECONDS = 5.0
HURRIED_SECONDS = 0.5


class Inbox:
    """What one source is to be given, and what it is done with."""

    def __init__(self, channel: str, counters: Counter[str]) -> None:
        self.channel = channel
        self.counters = counters
        self.takes = matcher(channel)
        self.messages: Sequence[Message] = ()
        self.done = Done()
        self.open = False
        #: Whether it has had its part of what came last.
        self.served = True


class Subscriber:
    """Reads for several sources, merged over all partitions of all their topics.

    What came is dealt out before more is read: so no source is ever ahead of the others by more than a batch.
    """

    def __init__(self, options: KafkaOptions, context: Context) -> None:
        self.link = Link(options, context)
        self.options = options
        self.context = context
        self.group = self.link.claims.group = options.group or context.pipeline
        #: For each partition the offset after the last message that was dealt out, and the first one of all.
        self.reached: dict[Partition, int] = {}
        self.begun: dict[Partition, int] = {}
        self._beginnings = Beginnings(options, context.logger, self._count_lost)
        self._inboxes: list[Inbox] = []
        self._readers: dict[str, list[Inbox]] = {}
        self._queues = PartitionQueues()
        self._ready: list[Any] = []
        self._watch = Stopwatch()
        self._messages = Messages()
        #: Whether it goes on from positions that a state has kept.
        self.resumed = False
        self.consumer: Consumer | None = None
        self._membership: Membership | None = None
        self._commits: Commits | None = None

    def add(self, inbox: Inbox) -> None:
        """A source is to be served."""
        self._inboxes.append(inbox)

    def seek(self, positions: Sequence[str]) -> None:
        """Where to go on, whatever was committed."""
        self.resumed = True
        self._beginnings.tell({p: offset + 1 for p, offset in map(partition_of, positions)})

    def open(self, inbox: Inbox) -> None:
        """A source begins to read.

        Raises:
            RunFailure: The settings are wrong.
        """
        inbox.open = True
        if self.consumer is None:
            self._start()
        self._readers.clear()
        assert self._membership is not None
        self._membership.want(
            [i.channel for i in self._inboxes], lambda t: any(i.takes(t) for i in self._inboxes)
        )

    def _start(self) -> None:
        name = self.context.pipeline
        base = settings(self.options, self.context, self.link)
        own = {
            "group.id": self.group,
            "group.instance.id": name,
            # Partitions that stay are not taken away and given back.
            "partition.assignment.strategy": "cooperative-sticky",
            "enable.auto.commit": False,
            "enable.auto.offset.store": False,
            # What was deleted before it was read is told, not skipped.
            "auto.offset.reset": "error",
            "enable.partition.eof": True,
        }
        defaults = {
            **READING,
            "fetch.wait.max.ms": 100,
            "queued.max.messages.kbytes": 16_384,
            # A sink that waits for its broker is no reason to lose the partitions.
            "max.poll.interval.ms": 86_400_000,
        }
        try:
            self.consumer = Consumer({**defaults, **base, **own})
        except KafkaException as error:
            raise RunFailure(f"the settings of the client are wrong: {error.args[0].str()}") from None
        self.link.client = self.consumer
        self.link.fenced = (
            f"another run of this pipeline has taken over the partitions of group '{self.group}' (or another "
            "connector with that group: give it one of its own)"
        )
        logger = self.context.logger
        self._membership = Membership(
            self.consumer, base, self.group, name, self.link, logger, self._given, self._taken
        )
        self._commits = Commits(self.consumer, self.link, logger)

    @property
    def connected(self) -> bool:
        """Whether there are partitions to read."""
        return self._membership is not None and self._membership.joined

    def take(self, inbox: Inbox, limit: int, timeout: float) -> Sequence[Message]:
        """The next messages of a source, after at most `timeout` seconds.

        Raises:
            RunFailure: The brokers refuse for good, or partitions are in other hands.
        """
        if self.consumer is None:
            return ()
        if inbox.served and not any(i.messages for i in self._inboxes):
            for other in self._inboxes:
                other.served = False
            self._read(limit, timeout)
        inbox.served = True
        messages = inbox.messages
        if len(messages) <= limit:
            inbox.messages = ()
            return messages
        inbox.messages = messages[limit:]
        return messages[:limit]

    def commit(self, inbox: Inbox, positions: Sequence[str]) -> None:
        """A source is done with messages."""
        if self._commits is None or not positions:
            return
        by_readers: dict[str, set[Partition]] = {}
        for partition in inbox.done.note(positions):
            by_readers.setdefault(partition[0], set()).add(partition)
        for topic, partitions in by_readers.items():
            self._commits.note(partitions, [i.done for i in self._readers_of(topic)])
        self._commits.work()

    def close(self, inbox: Inbox) -> bool:
        """A source reads no more. Ends everything with the last one, and says whether it was."""
        inbox.open = False
        inbox.messages = ()
        if any(i.open for i in self._inboxes):
            return False
        consumer, self.consumer, self.link.client = self.consumer, None, None
        if consumer is not None:
            self._end(consumer)
        return True

    def _end(self, consumer: Consumer) -> None:
        """Commits what is done with, and closes the consumer. Where no broker answers, the library would try
        for as long as the group waits for its members."""
        assert self._membership is not None
        assert self._commits is not None
        self._membership.leave()
        finish = self._commits.finish

        def end() -> None:
            finish()
            consumer.close()

        thread = Thread(target=end, daemon=True)
        thread.start()
        thread.join(HURRIED_SECONDS if self.context.stopping() else PARTING_SECONDS)
        if thread.is_alive():
            self.context.logger.warning(
                "the brokers do not answer: what was read last may not be committed, and come again",
                brokers=self.options.brokers,
            )

    # -- reading -------------------------------------------------------------------------------------------

    def _read(self, limit: int, timeout: float) -> None:
        """Reads on, and deals out what can go on: at most `limit` messages."""
        assert self.consumer is not None
        assert self._membership is not None
        assert self._commits is not None
        self.link.check()
        self._membership.work()
        self._commits.work()
        if len(self._ready) < limit:
            self._fetch(limit, 0.0 if self._ready else timeout)
            ready = self._queues.take(self._watch.seconds)
            self._ready = self._ready + ready if self._ready else ready
            self._queues.balance(self.consumer, self._watch.seconds)
        self.link.check()
        part, self._ready = self._ready[:limit], self._ready[limit:]
        if part:
            self._deal(part)

    def _fetch(self, limit: int, timeout: float) -> None:
        consumer = self.consumer
        assert consumer is not None
        raws = fetch(consumer, limit, timeout)
        sound = [raw for raw in raws if raw.error() is None]
        if sound:
            self.link.up()
            self._queues.put(sound, self._watch.seconds)
        if len(sound) < len(raws):
            self._errors([raw for raw in raws if raw.error() is not None])
        self._queues.look(lambda place: int(consumer.get_watermark_offsets(place, cached=True)[1]))

    def _errors(self, raws: Sequence[Any]) -> None:
        for raw in raws:
            error = raw.error()
            code = error.code()
            if code == KafkaError._PARTITION_EOF:
                self.link.up()
                self._queues.end((raw.topic(), raw.partition()), raw.offset())
            elif code == KafkaError._AUTO_OFFSET_RESET:
                self._overtaken(raw.topic(), raw.partition())
            elif code == KafkaError.UNKNOWN_TOPIC_OR_PART:
                if raw.topic() not in self._beginnings.awaited:
                    self._beginnings.awaited.add(raw.topic())
                    self.context.logger.warning(
                        "there is no such topic yet; waiting for it", topic=raw.topic()
                    )
            else:
                self.link.note(error, raw.topic() or "")

    def _overtaken(self, topic: str, number: int) -> None:
        """The topic was cut while it was read: goes on where it begins now."""
        consumer = self.consumer
        assert consumer is not None
        queue = self._queues.of((topic, number))
        if queue is not None:
            queue.next = self._beginnings.within(consumer, queue.place, queue.next)
            consumer.seek(TopicPartition(topic, number, queue.next))

    def _deal(self, raws: Sequence[Any]) -> None:
        """Gives what was read to the sources."""
        messages = self._messages.of(raws, self.context.clock.now(), stamped=self._queues.stamped)
        for partition, n in messages.last.items():
            self.reached[partition] = raws[n].offset() + 1
        if len(self._inboxes) == 1:
            self._inboxes[0].messages = messages
            return
        topics: dict[Inbox, set[str]] = {}
        for topic in messages.channels:
            for inbox in self._readers_of(topic):
                topics.setdefault(inbox, set()).add(topic)
        for inbox, taken in topics.items():
            inbox.messages = messages.of(taken)

    def _readers_of(self, topic: str) -> list[Inbox]:
        readers = self._readers.get(topic)
        if readers is None:
            takers = [i for i in self._inboxes if i.takes(topic)]
            readers = self._readers[topic] = [i for i in takers if i.open]
            if topic and not takers:
                raise RunFailure(
                    f"the topic {topic} was read, but belongs to no source: write its regular expression "
                    "with what Python and POSIX have in common"
                )
        return readers

    def _count_lost(self, topic: str, count: int) -> None:
        for inbox in self._readers_of(topic):
            inbox.counters["lost"] += count

    # -- partitions ----------------------------------------------------------------------------------------

    def _given(self, places: Sequence[TopicPartition]) -> None:
        consumer = self.consumer
        assert consumer is not None
        begin = self._begin(consumer, places)
        for place in begin:
            self._queues.add(place, self._watch.seconds)
            self.begun.setdefault((place.topic, place.partition), place.offset)
            self.reached.setdefault((place.topic, place.partition), place.offset)
        consumer.incremental_assign(begin)

    def _begin(self, consumer: Consumer, places: Sequence[TopicPartition]) -> list[TopicPartition]:
        for left in reversed(range(TRIES)):
            try:
                return self._beginnings.of(consumer, places, self.reached)
            except KafkaException as error:
                if not left:
                    self.link.fail(
                        f"the brokers {self.options.brokers} do not say where the partitions begin: "
                        f"{error.args[0].str()}"
                    )
        return []

    def _taken(self, partitions: Collection[Partition], lost: bool) -> None:
        for partition in partitions:
            self._queues.drop(partition)
        self._ready = [raw for raw in self._ready if (raw.topic(), raw.partition()) not in partitions]
        assert self._commits is not None
        if lost:
            self._commits.forget(partitions)
        else:
            self._commits.finish()
