"""Where the partitions that a pipeline is given begin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from confluent_kafka import OFFSET_END, TopicPartition

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from confluent_kafka import Consumer

    from limecep_kafka.config import KafkaOptions
    from limecep_kafka.topics import Partition

#: How long a broker may take to answer, in seconds.
ANSWER_SECONDS = 10.0


class Beginnings:
    """Finds, for each partition, the offset to read from: where this run has come to, else where the state
    says, else what the group has committed, else `start`.

    A partition that joins a topic of which the group has committed others, or that appears while the pipeline
    runs, is read from its beginning: `start` is for the first time. What the group has not committed is
    committed where it begins, so that a partition in which nothing happens before the next start is not taken
    for a new one.

    Args:
        options: Those of the connector.
        logger: The logger.
        lost: Is told of a topic how many messages there are no more.

    Attributes:
        awaited: The topics that were not there when the pipeline started.
    """

    def __init__(self, options: KafkaOptions, logger: Any, lost: Callable[[str, int], None]) -> None:
        self._options = options
        self._logger = logger
        self._lost = lost
        self.awaited: set[str] = set()
        self._told: dict[Partition, int] = {}
        self._first = True

    def tell(self, offsets: Mapping[Partition, int]) -> None:
        """What the state says: the offsets to go on from; the least of those that several sources give."""
        for partition, offset in offsets.items():
            self._told[partition] = min(offset, self._told.get(partition, offset))

    def of(
        self, consumer: Consumer, places: Sequence[TopicPartition], reached: Mapping[Partition, int]
    ) -> list[TopicPartition]:
        """The partitions with their offsets; `reached` is where this run has come to.

        Raises:
            KafkaException: The brokers do not answer.
        """
        if not places:
            self._first = False
            return []
        committed = {
            (c.topic, c.partition): c.offset for c in consumer.committed([*places], timeout=ANSWER_SECONDS)
        }
        known = {topic for (topic, _), offset in committed.items() if offset >= 0}
        found: list[TopicPartition] = []
        new: list[TopicPartition] = []
        for place in places:
            partition = (place.topic, place.partition)
            offset = reached.get(partition, self._told.get(partition, committed[partition]))
            if offset >= 0:
                found.append(TopicPartition(*partition, self.within(consumer, place, offset)))
                continue
            first = self._first and place.topic not in known and place.topic not in self.awaited
            begin = self._start(consumer, place) if first else _watermarks(consumer, place)[0]
            new.append(TopicPartition(*partition, begin))
        self._first = False
        if new:
            consumer.commit(offsets=new, asynchronous=True)
        return found + new

    def within(self, consumer: Consumer, place: TopicPartition, offset: int) -> int:
        """The offset, or the one next to it that there is; says what was lost because it is not there."""
        low, high = _watermarks(consumer, place)
        if low <= offset <= high:
            return offset
        if offset < low:
            self._lost(place.topic, low - offset)
            self._logger.warning(
                "messages were deleted before they were read: the topic keeps too little",
                partition=f"{place.topic}:{place.partition}",
                lost=low - offset,
            )
        else:
            self._logger.warning(
                "the topic ends before the position to go on from: made anew? read from its beginning",
                partition=f"{place.topic}:{place.partition}",
                position=offset,
            )
        return low

    def _start(self, consumer: Consumer, place: TopicPartition) -> int:
        since = self._options.since
        low, high = _watermarks(consumer, place)
        if since is None:
            return low if self._options.start == "earliest" else high
        # A record is stamped in milliseconds: what happened in the one begun belongs to it.
        asked = TopicPartition(place.topic, place.partition, max(0, since // 1000))
        (answer,) = consumer.offsets_for_times([asked], timeout=ANSWER_SECONDS)
        return high if answer.offset in (OFFSET_END, -1) else int(answer.offset)


def _watermarks(consumer: Consumer, place: TopicPartition) -> tuple[int, int]:
    low, high = consumer.get_watermark_offsets(place, timeout=ANSWER_SECONDS)
    return low, high
