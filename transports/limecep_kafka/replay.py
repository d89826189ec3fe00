"""Reading once more what was read, by a consumer of its own."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any

from confluent_kafka import Consumer, KafkaError, KafkaException, TopicPartition

from limecep.clock import Stopwatch
from limecep.errors import RunFailure
from limecep_kafka.client import READING, fetch, interruptible, settings
from limecep_kafka.messages import Messages
from limecep_kafka.partition_queues import PartitionQueues
from limecep_kafka.topics import partition_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from limecep.contracts.source import Message
    from limecep_kafka.subscriber import Inbox, Subscriber
    from limecep_kafka.topics import Partition

#: How far a clock that stamps records may be behind the one that stamped the events in them, in
#: microseconds; an event cannot otherwise be older than its record.
MARGIN_US = 300_000_000
#: How long the brokers may take to answer, and how long nothing may come, in seconds.
ANSWER_SECONDS = 10.0
SILENCE_SECONDS = 30.0
#: How many messages are read at a time.
BATCH_MESSAGES = 4096


def replayed(subscriber: Subscriber, inbox: Inbox, t_from: int) -> Iterator[Message] | None:
    """The messages that a source was given, from those stamped shortly before `t_from` on; None where they
    are not all there any more.

    Raises:
        RunFailure: The brokers do not answer.
    """
    ends = _ends(subscriber, inbox)
    since = max(0, (t_from - MARGIN_US) // 1000)
    try:
        begins = _begins(subscriber, ends, since) if ends else {}
    except KafkaException as error:
        raise RunFailure(
            f"the brokers {subscriber.options.brokers} do not say where to read once more: "
            f"{error.args[0].str()}"
        ) from None
    return None if begins is None else _read(subscriber, begins, ends)


def _ends(subscriber: Subscriber, inbox: Inbox) -> dict[Partition, int]:
    """Where to end, for each partition: before the first message that the source has not polled."""
    ends = {p: offset for p, offset in subscriber.reached.items() if inbox.takes(p[0])}
    for message in reversed(inbox.messages):
        partition, offset = partition_of(message.position)
        ends[partition] = offset
    return ends


def _begins(subscriber: Subscriber, ends: Mapping[Partition, int], since: int) -> dict[Partition, int] | None:
    """Where to begin, for each partition that has anything of it; None if some of it is gone."""
    consumer = subscriber.consumer
    if consumer is None:
        return None
    asked = [TopicPartition(*partition, since) for partition in ends]
    begins: dict[Partition, int] = {}
    for answer in interruptible(lambda: consumer.offsets_for_times(asked, timeout=ANSWER_SECONDS)):
        partition = (answer.topic, answer.partition)
        if answer.offset < 0:
            continue
        place = TopicPartition(*partition)
        marks: Any = interruptible(partial(consumer.get_watermark_offsets, place, timeout=ANSWER_SECONDS))
        first = 0 if subscriber.resumed else subscriber.begun[partition]
        if answer.offset <= marks[0] and first < marks[0]:
            return None
        begin = max(answer.offset, first)
        if begin < ends[partition]:
            begins[partition] = begin
    return begins


def _read(
    subscriber: Subscriber, begins: Mapping[Partition, int], ends: Mapping[Partition, int]
) -> Iterator[Message]:
    if not begins:
        return
    own = {
        "group.id": subscriber.group,
        "enable.auto.commit": False,
        "enable.auto.offset.store": False,
        "auto.offset.reset": "error",
        "enable.partition.eof": True,
    }
    base = settings(subscriber.options, subscriber.context, subscriber.link)
    queues, left, watch, heard = PartitionQueues(), {*begins}, Stopwatch(), Stopwatch()
    messages = Messages()
    with closing(Consumer({**READING, **base, **own})) as consumer:
        places = [TopicPartition(*partition, begin) for partition, begin in begins.items()]
        for place in places:
            queues.add(place, watch.seconds)
        consumer.incremental_assign(places)
        while left:
            subscriber.context.raise_if_stopped()
            raws = fetch(consumer, BATCH_MESSAGES, 0.1)
            if raws:
                heard = Stopwatch()
            elif heard.seconds > SILENCE_SECONDS:
                raise _unread(f"the brokers {subscriber.options.brokers} are silent")
            wanted = [
                raw
                for raw in raws
                if raw.error() is None and raw.offset() < ends[raw.topic(), raw.partition()]
            ]
            queues.put(wanted, watch.seconds)
            for partition in _ended(raws, ends) & left:
                left.discard(partition)
                queues.end(partition)
                consumer.incremental_unassign([TopicPartition(*partition)])
            now = subscriber.context.clock.now()
            yield from messages.of(queues.take(watch.seconds), now, stamped=queues.stamped)
            queues.balance(consumer, watch.seconds)


def _ended(raws: Sequence[Any], ends: Mapping[Partition, int]) -> set[Partition]:
    """The partitions that were read to where to end: what is beyond, or the end of the partition, came."""
    ended = set()
    for raw in raws:
        partition, error = (raw.topic(), raw.partition()), raw.error()
        if error is not None and error.code() != KafkaError._PARTITION_EOF:
            raise _unread(error.str())
        if error is not None or raw.offset() + 1 >= ends[partition]:
            ended.add(partition)
    return ended


def _unread(why: str) -> RunFailure:
    return RunFailure(f"what was read cannot be read once more: {why}")
