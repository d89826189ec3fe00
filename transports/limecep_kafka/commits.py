"""What is committed to the group: for each partition, up to where every source is done with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from confluent_kafka import KafkaException, TopicPartition

from limecep.clock import Stopwatch
from limecep_kafka.messages import Positions
from limecep_kafka.topics import partition_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from confluent_kafka import Consumer

    from limecep_kafka.client import Link
    from limecep_kafka.topics import Partition

#: How often offsets are committed, in seconds.
PERIOD_SECONDS = 1.0


class Done:
    """What one source is done with: for each partition the offset after its last message."""

    def __init__(self) -> None:
        self.offsets: dict[Partition, int] = {}

    def note(self, positions: Sequence[str]) -> set[Partition]:
        """Takes in positions in the order in which they were polled; gives the partitions they are in."""
        # The last position of each partition counts; most of a batch need not be taken apart.
        positions = positions.ends if isinstance(positions, Positions) else positions
        last = {position.rpartition(":")[0]: position for position in positions}
        changed = dict(partition_of(position) for position in last.values())
        for partition, offset in changed.items():
            self.offsets[partition] = offset + 1
        return {*changed}


class Commits:
    """Commits to the group, once in a while and at the end.

    Args:
        consumer: The consumer.
        link: The connection.
        logger: The logger.
    """

    def __init__(self, consumer: Consumer, link: Link, logger: Any) -> None:
        self._consumer = consumer
        self._link = link
        self._logger = logger
        self._waiting: dict[Partition, int] = {}
        self._watch = Stopwatch()

    def note(self, partitions: Collection[Partition], readers: Sequence[Done]) -> None:
        """Some source is done with more of these partitions; `readers` are all that read them."""
        for partition in partitions:
            offsets = [r.offsets.get(partition) for r in readers]
            least = [offset for offset in offsets if offset is not None]
            if len(least) == len(offsets):
                self._waiting[partition] = min(least)

    def forget(self, partitions: Collection[Partition]) -> None:
        """These partitions are in other hands."""
        for partition in partitions:
            self._waiting.pop(partition, None)

    def work(self) -> None:
        """Commits what is due, and does not wait for it."""
        if self._waiting and self._watch.seconds >= PERIOD_SECONDS:
            self._commit(waits=False)

    def finish(self) -> None:
        """Commits everything, and waits for it. Where that fails it is said: messages will come again."""
        if self._waiting:
            self._commit(waits=True)

    def _commit(self, *, waits: bool) -> None:
        places = [TopicPartition(*partition, offset) for partition, offset in self._waiting.items()]
        self._watch = Stopwatch()
        self._waiting = {}
        try:
            if waits:
                self._consumer.commit(offsets=places, asynchronous=False)
                self._link.up()
            else:
                self._consumer.commit(offsets=places, asynchronous=True)
        except KafkaException as error:
            self._logger.warning(
                "what was read cannot be committed: it may come again", reason=error.args[0].str()
            )
