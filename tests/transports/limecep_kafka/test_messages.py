"""Messages of what the client library brings: when they arrived, and how far they were read."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from confluent_kafka import TIMESTAMP_CREATE_TIME, TIMESTAMP_LOG_APPEND_TIME, TIMESTAMP_NOT_AVAILABLE

from limecep_kafka.messages import Messages

if TYPE_CHECKING:
    from limecep.contracts.source import Message
    from limecep_kafka.topics import Partition

    #: Value, key and headers.
    Content = tuple[bytes | None, bytes | None, list[tuple[str, bytes | None]] | None]


class Raw:
    """A message as the client library gives it; stamps are in milliseconds."""

    def __init__(
        self,
        offset: int,
        stamp: int = 0,
        kind: int = TIMESTAMP_CREATE_TIME,
        partition: int = 0,
        topic: str = "t",
        content: Content = (None, None, None),
    ) -> None:
        self._topic, self._offset, self._partition = topic, offset, partition
        self._stamp = (kind, stamp)
        self._value, self._key, self._headers = content

    def topic(self) -> str:
        return self._topic

    def partition(self) -> int:
        return self._partition

    def offset(self) -> int:
        return self._offset

    def timestamp(self) -> tuple[int, int]:
        return self._stamp

    def value(self) -> bytes | None:
        return self._value

    def key(self) -> bytes | None:
        return self._key

    def headers(self) -> list[tuple[str, bytes | None]] | None:
        return self._headers


def arrivals(messages: list[Message]) -> list[int]:
    return [m.t_arr for m in messages if m.t_arr is not None]


@pytest.mark.parametrize("later", [-5, 0, 1, 30])
def test_arrival_never_goes_back_however_soon_more_is_read(later: int) -> None:
    """Many messages at once take up microseconds before now; the clock may even be set back."""
    now = 1_000_000
    made = Messages({})
    first = arrivals(made.of([Raw(n) for n in range(20)], now))
    second = arrivals(made.of([Raw(n) for n in range(20, 40)], now + later))
    assert first == list(range(now - 19, now + 1))
    assert second[0] > first[-1]
    assert [b - a for a, b in pairwise(second)] == [1] * 19
    assert second[-1] == max(first[-1] + 20, now + later)


def test_what_the_broker_stamps_arrived_then_but_not_later_than_now() -> None:
    raws = [Raw(n, stamp, TIMESTAMP_LOG_APPEND_TIME) for n, stamp in enumerate([3, 4, 9])]
    messages = Messages({}).of(raws, 5_000)
    assert arrivals(messages) == [3_000, 4_000, 5_000]
    assert [m.event_time for m in messages] == [3_000, 4_000, 9_000]


def test_what_the_broker_stamped_long_ago_brings_no_arrival_back() -> None:
    made = Messages({})
    (first, _) = made.of([Raw(0), Raw(1, 3, TIMESTAMP_LOG_APPEND_TIME, partition=1)], 5_000)
    (second,) = made.of([Raw(1)], 4_000)
    assert arrivals([first, second]) == [4_999, 5_001]


def test_a_stamp_of_the_producer_is_no_arrival() -> None:
    raws = [Raw(0, 3, TIMESTAMP_CREATE_TIME), Raw(1, -1, TIMESTAMP_NOT_AVAILABLE)]
    messages = Messages({}).of(raws, 5_000)
    assert arrivals(messages) == [4_999, 5_000]
    assert [m.event_time for m in messages] == [3_000, None]


def test_each_partition_is_read_to_the_offset_after_its_last_message() -> None:
    reached: dict[Partition, int] = {}
    raws = [Raw(7), Raw(8), Raw(3, partition=1), Raw(9)]
    messages = Messages(reached).of(raws, 5_000)
    assert [m.position for m in messages] == ["t:0:7", "t:0:8", "t:1:3", "t:0:9"]
    assert reached == {("t", 0): 10, ("t", 1): 4}


def test_partitions_of_one_number_are_told_apart_by_their_topic() -> None:
    reached: dict[Partition, int] = {}
    messages = Messages(reached).of([Raw(1), Raw(5, topic="u"), Raw(2)], 5_000)
    assert [m.channel for m in messages] == ["t", "u", "t"]
    assert reached == {("t", 0): 3, ("u", 0): 6}
    assert Messages(reached).of([], 5_000) == []


def test_a_message_has_its_value_its_key_and_its_headers() -> None:
    content: Content = (b"v", b"k", [("a", None), ("b", b"1")])
    empty, full = Messages({}).of([Raw(0), Raw(1, content=content)], 5_000)
    assert (empty.value, empty.key, empty.headers) == (b"", None, ())
    assert (full.value, full.key, full.headers) == (b"v", b"k", (("a", b""), ("b", b"1")))
