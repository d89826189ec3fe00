"""What is read by columns is what is read record by record, whatever the input is like."""

from __future__ import annotations

import json
import logging
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limecep.clock import ManualClock
from limecep.config.model import ComponentConfig, SourceConfig, TimeConfig
from limecep.contracts.context import Context
from limecep.contracts.source import Lines, Message
from limecep.intake.reader import BLOCK_MESSAGES, Reader
from limecep.spec import ComponentSpec
from limecep_codecs.config import CsvOptions, JsonOptions
from limecep_codecs.csv_codec import CsvCodec
from limecep_codecs.json_codec import JsonCodec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.codec import Codec

SPEC = ComponentSpec(kind="source", name="test", factory="", summary="")
#: The way from lines to events is looked at from many sides, in a second.
EXAMPLES = 20
COLUMNS = ("type", "time", "id", "n", "seen")
#: Sources whose heads are plain fields.
SOURCES: list[dict[str, Any]] = [
    {"id": ("id",)},
    {"id": ("id", "n"), "order": "n"},
    {"key": "n", "order": "n"},
    {"id": ("id",), "arrival": TimeConfig(field="seen", format="epoch_ms")},
    {"id": ("id",), "time": TimeConfig(field="time", format="iso8601"), "type_map": {"A": "B"}},
    {"id": ("id",), "arrival": TimeConfig(field="seen", format="epoch_ms"), "max_future_skew": 10**15},
    {"id": ("`id`",), "type_field": None, "event_type": "A", "payload": {"n": "float"}},
]


def one_by_one(codec: Codec) -> Codec:
    """A codec without the ability to give tables."""
    codec.__class__ = type("OneByOne", (type(codec),), {"table": None, "__slots__": ()})
    return codec


def context(*, lines: bool = True) -> Context:
    return Context(
        label="test", clock=ManualClock(), counters=Counter(), logger=logging.getLogger("test"), lines=lines
    )


def json_codec() -> Codec:
    return JsonCodec(JsonOptions(), context())


def csv_codec(**options: Any) -> Codec:
    return CsvCodec(CsvOptions(**options), context())


def reader(codec: Codec, relevant: set[str] | None = None, **changes: Any) -> Reader:
    given: dict[str, Any] = {
        "type_field": "type",
        "time": TimeConfig(field="time", format="epoch_ms"),
        **changes,
    }
    config = SourceConfig(
        name="s", connector=ComponentConfig(spec=SPEC, options=None), channel="in.jsonl", **given
    )
    return Reader(config, codec, ManualClock(), relevant, {"A": {"n"}, "B": {"n", "id"}})


def told(reading: Reader, batches: Sequence[Sequence[Message]]) -> Any:
    """Everything that comes of messages, and what the reader remembers."""
    events, positions, invalid = [], [], []
    for batch in batches:
        found = reading.read(batch)
        events += found.events
        positions += found.positions
        invalid += found.invalid
    fields = [[getattr(e, name) for name in e.__struct_fields__] for e in events]
    kinds = [{name: type(v) for name, v in e.payload.items()} for e in events]
    return fields, kinds, positions, invalid, reading.remembered(), reading.counted()


def check(make: Any, batches: Sequence[Sequence[Message]], relevant: set[str] | None, source: Any) -> None:
    by_columns = told(reader(make(), relevant, **source), batches)
    assert by_columns == told(reader(one_by_one(make()), relevant, **source), [[*b] for b in batches])


few = settings(max_examples=EXAMPLES)
values = st.one_of(
    st.integers(-3, 3),
    st.integers(2**62, 2**65),
    st.sampled_from(["", "A", "5", "007", "-1", " 5", "1.5", "x y", "ü", "٣", "2026-01-05T10:00:00Z"]),
    st.sampled_from([0.5, 1.0, 1e15, None, True, [1], {"a": 1}]),
)
tidy = st.fixed_dictionaries(
    {
        "type": st.sampled_from("ABCD"),
        "time": st.integers(0, 10**13),
        "id": st.text("abü", min_size=1),
        "n": st.integers(-(2**63), 2**63 - 1),
        "seen": st.integers(0, 10**13),
    }
)
untidy = st.dictionaries(st.sampled_from(COLUMNS), values)
odd_lines = st.sampled_from(
    [b"", b"{", b"[]", b"5", b'[{"type":"A"},5]', b'{"type":"A","id":"y","id":"x"}', b"\xff", b"{}{}"]
)  # fmt: skip
json_lines = st.one_of(tidy, tidy, tidy, untidy).map(lambda r: json.dumps(r, ensure_ascii=False).encode())
relevant_types = st.sampled_from([None, {"A", "B"}, {"D"}])


@few
@given(st.lists(json_lines | odd_lines, max_size=12), relevant_types, st.sampled_from(SOURCES), st.data())
def test_json_gives_the_same_events(
    lines: list[bytes], relevant: set[str] | None, source: dict[str, Any], data: st.DataObject
) -> None:
    cut = data.draw(st.integers(0, len(lines)))
    batches = [Lines(lines[:cut], "in.jsonl", 1), Lines(lines[cut:], "in.jsonl", cut + 1)]
    check(json_codec, batches, relevant, source)


@few
@given(st.lists(tidy, min_size=1, max_size=9), relevant_types, st.sampled_from(SOURCES))
def test_tidy_json_gives_the_same_events(
    records: list[dict[str, Any]], relevant: set[str] | None, source: dict[str, Any]
) -> None:
    lines = [json.dumps(record).encode() for record in records]
    check(json_codec, [Lines(lines, "in.jsonl", 7, 5 if len(lines) % 2 else None)], relevant, source)


times = st.sampled_from([None, 3, 3, 9])


@few
@given(
    st.lists(st.tuples(json_lines, st.sampled_from("cd"), times, times), max_size=9),
    st.sampled_from([SOURCES[0], SOURCES[3], {"time": None, "id": ("id",)}]),
)
def test_messages_of_several_channels_give_the_same_events(
    sent: list[tuple[bytes, str, int | None, int | None]], source: dict[str, Any]
) -> None:
    batch = [
        Message(value, c, f"{c}:{n}", t_arr, event_time=t_gen)
        for n, (value, c, t_arr, t_gen) in enumerate(sent)
    ]
    check(lambda: JsonCodec(JsonOptions(), context(lines=False)), [batch], {"A"}, source)


cells = st.sampled_from(
    ["A", "B", "", "5", "17", "007", "-1", "1.5", "a b", " 5 ", '"q"', '"', "#", "\r", "na", "x\ty", "٣"]
)  # fmt: skip
tidy_row = st.tuples(st.sampled_from("ABCD"), *[st.integers(0, 10**13).map(str)] * 4)
rows = st.one_of(tidy_row, tidy_row, st.lists(cells, max_size=6))
dialects = st.sampled_from(
    [
        {},
        {"comment": "#"},
        {"nulls": ["na"]},
        {"quote": ""},
        {"ragged": "read"},
        {"columns": [*COLUMNS]},
        {"trim": False},
        {"delimiter": ";", "decimal": ","},
        {"skip": 2},
    ]
)


@few
@given(st.lists(rows, max_size=9), relevant_types, st.sampled_from(SOURCES), dialects, st.data())
def test_csv_gives_the_same_events(
    lines: list[Sequence[str]],
    relevant: set[str] | None,
    source: dict[str, Any],
    dialect: dict[str, Any],
    data: st.DataObject,
) -> None:
    ending = data.draw(st.sampled_from(["", "\r"]))
    delimiter = dialect.get("delimiter", ",")
    written = [f"{delimiter.join(line)}{ending}".encode() for line in (COLUMNS, *lines)]
    cut = data.draw(st.integers(0, len(written)))
    batches = [Lines(written[:cut], "in.csv", 1), Lines(written[cut:], "in.csv", cut + 1)]
    check(lambda: csv_codec(**dialect), batches, relevant, source)


@pytest.mark.parametrize(
    "odd", [b"{", b'{"type":"A","time":0.5,"id":"half"}', b'{"type":"A","time":4,"id":1.50}']
)
def test_one_odd_line_leaves_the_places_of_the_others(odd: bytes) -> None:
    lines = [b'{"type":"A","time":%d,"id":"e%d"}' % (n, n) for n in range(2 * BLOCK_MESSAGES)]
    lines[BLOCK_MESSAGES + 3] = odd
    check(json_codec, [Lines(lines, "in.jsonl", 1)], {"A"}, SOURCES[0])


def test_tidy_lines_are_read_by_columns() -> None:
    """Else all tests above compare one way with itself."""
    for codec, first, second in (
        (json_codec(), b'{"type":"A","time":1,"id":"x"}', b'{"type":"B","time":2,"id":"y"}'),
        (csv_codec(columns=["type", "time", "id"]), b"A,1,x", b"B,2,y"),
    ):
        codec.decode([Message(first, "in.jsonl", "in.jsonl:1")])
        table = codec.table(Lines([second], "in.jsonl", 2))
        assert table is not None
        assert table.column("time") in ([2], ["2"])
