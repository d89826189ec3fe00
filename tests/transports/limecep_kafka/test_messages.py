"""Messages of what the client library brings: when they arrived, and how far they were read."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from confluent_kafka import TIMESTAMP_CREATE_TIME, TIMESTAMP_LOG_APPEND_TIME, TIMESTAMP_NOT_AVAILABLE
from hypothesis import given, settings
from hypothesis import strategies as st

from limecep.clock import ManualClock
from limecep.config.model import ComponentConfig, SourceConfig, TimeConfig
from limecep.contracts.context import Context
from limecep.intake.reader import Reader
from limecep.spec import ComponentSpec
from limecep.testing.bench import SilentLogger
from limecep_codecs.config import JsonOptions
from limecep_codecs.json_codec import JsonCodec
from limecep_kafka.messages import Messages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.source import Message

    #: Value, key and headers.
    Content = tuple[bytes | None, bytes | None, list[tuple[str, bytes | None]] | None]


#: The way from messages to events is looked at from many sides.
EXAMPLES = 50


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


def arrivals(messages: Sequence[Message]) -> list[int]:
    return [m.t_arr for m in messages if m.t_arr is not None]


@pytest.mark.parametrize("later", [-5, 0, 1, 30])
def test_arrival_never_goes_back_however_soon_more_is_read(later: int) -> None:
    """Many messages at once take up microseconds before now; the clock may even be set back."""
    now = 1_000_000
    made = Messages()
    first = arrivals(made.of([Raw(n) for n in range(20)], now, stamped=False))
    second = arrivals(made.of([Raw(n) for n in range(20, 40)], now + later, stamped=False))
    assert first == list(range(now - 19, now + 1))
    assert second[0] > first[-1]
    assert [b - a for a, b in pairwise(second)] == [1] * 19
    assert second[-1] == max(first[-1] + 20, now + later)


def test_what_the_broker_stamps_arrived_then_but_not_later_than_now() -> None:
    raws = [Raw(n, stamp, TIMESTAMP_LOG_APPEND_TIME) for n, stamp in enumerate([3, 4, 9])]
    messages = Messages().of(raws, 5_000, stamped=True)
    assert arrivals(messages) == [3_000, 4_000, 5_000]
    assert [m.event_time for m in messages] == [3_000, 4_000, 9_000]


def test_what_the_broker_stamped_long_ago_brings_no_arrival_back() -> None:
    made = Messages()
    raws = [Raw(0), Raw(1, 3, TIMESTAMP_LOG_APPEND_TIME, partition=1)]
    (first, _) = made.of(raws, 5_000, stamped=True)
    (second,) = made.of([Raw(1)], 4_000, stamped=True)
    assert arrivals([first, second]) == [4_999, 5_001]


def test_a_stamp_of_the_producer_is_no_arrival() -> None:
    raws = [Raw(0, 3, TIMESTAMP_CREATE_TIME), Raw(1, -1, TIMESTAMP_NOT_AVAILABLE)]
    messages = Messages().of(raws, 5_000, stamped=True)
    assert arrivals(messages) == [4_999, 5_000]
    assert [m.event_time for m in messages] == [3_000, None]


def test_the_last_message_of_each_partition_is_known() -> None:
    """Partitions of one number are told apart by their topic."""
    raws = [Raw(7), Raw(8), Raw(3, partition=1), Raw(5, topic="u"), Raw(9)]
    messages = Messages().of(raws, 5_000, stamped=False)
    assert [*messages.positions] == ["t:0:7", "t:0:8", "t:1:3", "u:0:5", "t:0:9"]
    assert messages.last == {("t", 0): 4, ("t", 1): 2, ("u", 0): 3}
    assert {m.position for m in messages.ends} == {*messages.positions.ends} == {"t:0:9", "t:1:3", "u:0:5"}
    assert [*messages.positions[1:3]] == ["t:0:8", "t:1:3"]
    assert [m.position for m in messages.of({"u"})] == ["u:0:5"]


def test_a_message_has_its_value_its_key_and_its_headers() -> None:
    content: Content = (b"v", b"k", [("a", None), ("b", b"1")])
    empty, full = Messages().of([Raw(0), Raw(1, content=content)], 5_000, stamped=False)
    assert (empty.value, empty.key, empty.headers) == (b"", None, ())
    assert (full.value, full.key, full.headers) == (b"v", b"k", (("a", b""), ("b", b"1")))


#: What messages hold: events, such as are odd, tombstones, what is no event.
VALUES = [
    *(b'{"type":"%c","id":"e%d","time":%d,"v":[%d]}' % (65 + n % 4, n, 5 + n % 7, n) for n in range(12)),
    b'{"type":"A","id":"half","time":0.5}', b'{"type":"A","id":1.50,"time":3}', b'{"type":"B","id":"x"}',
    b'{"type":"A","id":"late","time":"3"}', b'{"type":7,"id":"x","time":3}',
    b'[{"type":"A","id":"l","time":3},{"type":"B","id":"m","time":4}]',
    None, b"", b"{", b"\xff", b"7", b"{}{}",
]  # fmt: skip
raw_messages = st.builds(
    Raw,
    st.integers(0, 2**40),
    st.integers(0, 9),
    st.sampled_from([TIMESTAMP_CREATE_TIME, TIMESTAMP_LOG_APPEND_TIME, TIMESTAMP_NOT_AVAILABLE]),
    st.integers(0, 2),
    st.sampled_from(["t.a", "t.b"]),
    st.tuples(
        st.one_of(*[st.sampled_from(VALUES[:12])] * 3, st.sampled_from(VALUES)),
        st.sampled_from([None, b"k"]),
        st.sampled_from([None, [("a", None), ("b", b"1")]]),
    ),
)
MS = TimeConfig(field="time", format="epoch_ms")
SOURCES: list[dict[str, Any]] = [
    {"time": MS},
    {"time": None},
    {"time": MS, "id": (), "key": "$topic[1]"},
    {"time": MS, "max_future_skew": 3_000},
]


def read(messages: Sequence[Message], source: dict[str, Any], *, tables: bool) -> Any:
    """What a reader makes of messages, read twice."""
    context = Context(label="s", clock=ManualClock(), counters=Counter(), logger=SilentLogger())
    codec = JsonCodec(JsonOptions(), context)
    if not tables:
        codec.__class__ = type("OneByOne", (JsonCodec,), {"table": None, "__slots__": ()})
    spec = ComponentSpec(kind="source", name="s", factory="", summary="", levels=".")
    config = SourceConfig(
        name="s",
        connector=ComponentConfig(spec=spec, options=None),
        channel="",
        **{"type_field": "type", "id": ("id",), **source},
    )
    reader = Reader(config, codec, ManualClock(), {"A", "B"})
    batches = [reader.read(messages), reader.read(messages[1:])]
    events = [[getattr(e, name) for name in e.__struct_fields__] for b in batches for e in b.events]
    return (
        events,
        [[*b.positions] for b in batches],
        [i for b in batches for i in b.invalid],
        reader.remembered(),
    )


@settings(max_examples=EXAMPLES)
@given(st.lists(raw_messages, max_size=9), st.sampled_from(SOURCES), st.booleans())
def test_what_is_read_of_them_by_columns_is_what_is_read_one_by_one(
    raws: list[Raw], source: dict[str, Any], stamped: bool
) -> None:
    polled = Messages().of(raws, 5_000, stamped=stamped)
    one_by_one = [polled[n] for n in range(len(polled))]
    assert [*polled] == one_by_one
    assert [*polled.positions] == [m.position for m in one_by_one]
    columns = zip(polled.values, polled.arrivals, polled.event_times, strict=True)
    assert [*columns] == [(m.value, m.t_arr, m.event_time) for m in one_by_one]
    assert {*polled.channels} == {m.channel for m in one_by_one}
    assert read(polled, source, tables=True) == read(one_by_one, source, tables=False)
