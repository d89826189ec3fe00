"""Queues: what was read of each partition, and the one stream that they are.

Partitions are read one after the other, a megabyte at a time; left so, a backlog would be disorder of our own
making. So they are merged by the time stamps of their records, as far as all partitions have been read. One
that was read to its end holds nothing back, nor does one that has brought nothing for a while although there
should be something.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from confluent_kafka import TIMESTAMP_LOG_APPEND_TIME

from limecep.model.time import FOREVER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from confluent_kafka import Consumer, TopicPartition

    from limecep_kafka.topics import Partition

#: How long a partition that is behind and brings nothing is waited for, in seconds: its leader may be away.
STALLED_SECONDS = 10.0
#: What all queues together may hold before those that are ahead are not read on: messages, and bytes.
HELD_MESSAGES = 100_000
HELD_BYTES = 64_000_000


class PartitionQueue:
    """What was read of one partition and not taken.

    Attributes:
        place: The partition, as the library knows it.
        next: The offset to come next.
        ended: Whether everything there is was read.
        paused: Whether it is not read on.
        since: When it last brought something, in seconds of the caller's watch.
    """

    __slots__ = ("ended", "next", "paused", "place", "raws", "reached", "since", "size", "stamps")

    def __init__(self, place: TopicPartition, since: float) -> None:
        self.place = place
        self.next: int = place.offset
        self.ended = False
        self.paused = False
        self.since = since
        self.stamps: list[int] = []
        self.raws: list[Any] = []
        self.reached = -FOREVER
        self.size = 0

    def put(self, raws: Sequence[Any], now: float) -> bool:
        """Takes in messages that follow each other. Says whether their broker stamped any of them."""
        if raws[0].offset() < self.next:
            # Some are read again after a pause.
            raws = [raw for raw in raws if raw.offset() >= self.next]
            if not raws:
                return False
        kinds, times = zip(*[raw.timestamp() for raw in raws], strict=True)
        stamps = [*times]
        # Stamps may go back; the messages stay in order all the same.
        if stamps[0] < self.reached or sorted(stamps) != stamps:
            stamps = list(accumulate(stamps, max, initial=self.reached))[1:]
        self.stamps += stamps
        self.raws += raws
        self.reached = stamps[-1]
        self.size += sum(map(len, raws))
        self.next = raws[-1].offset() + 1
        self.ended = False
        self.since = now
        return TIMESTAMP_LOG_APPEND_TIME in kinds

    def awaited(self, now: float) -> bool:
        """Whether what others have brought since must wait for it."""
        return not self.ended and (self.paused or bool(self.raws) or now - self.since <= STALLED_SECONDS)

    def take(self, bound: int) -> tuple[list[int], list[Any]]:
        """What is stamped up to `bound`."""
        n = bisect_right(self.stamps, bound)
        if n == len(self.raws):
            stamps, raws = self.stamps, self.raws
            self.stamps, self.raws, self.size = [], [], 0
            return stamps, raws
        stamps, self.stamps = self.stamps[:n], self.stamps[n:]
        raws, self.raws = self.raws[:n], self.raws[n:]
        self.size = sum(map(len, self.raws))
        return stamps, raws


class PartitionQueues:
    """The queues of all partitions that are read.

    Attributes:
        stamped: Whether a broker has stamped any message so far.
    """

    def __init__(self) -> None:
        self.stamped = False
        self._queues: dict[Partition, PartitionQueue] = {}

    def of(self, partition: Partition) -> PartitionQueue | None:
        """The queue of a partition, if it is read."""
        return self._queues.get(partition)

    def add(self, place: TopicPartition, now: float) -> None:
        """A partition is read from now on, from the offset of `place`."""
        self._queues[place.topic, place.partition] = PartitionQueue(place, now)

    def drop(self, partition: Partition) -> None:
        """A partition is not read any more: what it brought and nobody took is forgotten."""
        self._queues.pop(partition, None)

    def put(self, raws: Sequence[Any], now: float) -> None:
        """Takes in messages in the order in which they were read."""
        begin = 0
        while begin < len(raws):
            topic, number, end = raws[begin].topic(), raws[begin].partition(), begin + 1
            while end < len(raws) and raws[end].partition() == number and raws[end].topic() == topic:
                end += 1
            # None of a partition that was taken away.
            if (queue := self._queues.get((topic, number))) is not None:
                self.stamped = queue.put(raws[begin:end], now) or self.stamped
            begin = end

    def end(self, partition: Partition, offset: int | None = None) -> None:
        """A partition was read to its end, which is at `offset`, or where it is now."""
        queue = self._queues.get(partition)
        if queue is not None and (offset is None or offset >= queue.next):
            queue.ended = True

    def look(self, end_of: Callable[[TopicPartition], int]) -> None:
        """Looks which queues have come to the end of their partition, as far as it is known."""
        for queue in self._queues.values():
            if not queue.ended and 0 <= end_of(queue.place) <= queue.next:
                queue.ended = True

    def take(self, now: float) -> list[Any]:
        """What can go on, in the order of time stamps."""
        queues = self._queues.values()
        bound = min((queue.reached for queue in queues if queue.awaited(now)), default=FOREVER)
        taken = [queue.take(bound) for queue in queues if queue.raws and queue.stamps[0] <= bound]
        if len(taken) < 2:
            return taken[0][1] if taken else []
        stamps = [stamp for part, _ in taken for stamp in part]
        raws = [raw for _, part in taken for raw in part]
        # Sorting is stable, and fast on what is sorted in stretches.
        return [raws[n] for n in sorted(range(len(stamps)), key=stamps.__getitem__)]

    def balance(self, consumer: Consumer, now: float) -> None:
        """Has the consumer not read on where a queue holds more than its share, until it holds half of it."""
        messages, size = self._share()
        for queue in self._queues.values():
            if not queue.paused and (len(queue.raws) > messages or queue.size > size):
                queue.paused = True
                consumer.pause([queue.place])
            elif queue.paused and len(queue.raws) <= messages // 2 and queue.size <= size // 2:
                queue.paused, queue.since = False, now
                consumer.resume([queue.place])

    def _share(self) -> tuple[int, int]:
        count = max(1, len(self._queues))
        return max(1_000, HELD_MESSAGES // count), max(1_000_000, HELD_BYTES // count)
