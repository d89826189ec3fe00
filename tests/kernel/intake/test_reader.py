"""Records become events: types, ids, times, order, payloads; or invalid records with a reason."""

from __future__ import annotations

import json
import logging
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limecep.clock import ManualClock
from limecep.config.model import ComponentConfig, SourceConfig, TimeConfig
from limecep.contracts.context import Context
from limecep.contracts.source import Message
from limecep.intake.fields import path_problem
from limecep.intake.identity import digest, joined
from limecep.intake.reader import Batch, Reader
from limecep.model.instants import rfc3339
from limecep.spec import ComponentSpec
from limecep_codecs.config import CsvOptions, JsonOptions
from limecep_codecs.csv_codec import CsvCodec
from limecep_codecs.json_codec import JsonCodec

if TYPE_CHECKING:
    from limecep.contracts.codec import Codec

SPEC = ComponentSpec(kind="source", name="test", factory="", summary="")
DOTTED = ComponentSpec(kind="source", name="test", factory="", summary="", levels=".")
CONTEXT = Context(label="test", clock=ManualClock(), counters=Counter(), logger=logging.getLogger())
SECONDS = TimeConfig(field="t", format="epoch_s")


def reader(
    codec: str | CsvCodec = "json",
    *,
    clock: int = 0,
    relevant: set[str] | None = None,
    spec: ComponentSpec = SPEC,
    options: CsvOptions | None = None,
    **changes: Any,
) -> Reader:
    settings: dict[str, Any] = {"event_type": "A", "time": SECONDS, "id": ("id",), **changes}
    config = SourceConfig(
        name="src", connector=ComponentConfig(spec=spec, options=None), channel="", **settings
    )
    made: Codec
    if codec == "json":
        made = JsonCodec(JsonOptions(), CONTEXT)
    else:
        made = CsvCodec(options or CsvOptions(), CONTEXT) if isinstance(codec, str) else codec
    return Reader(config, made, ManualClock(clock), relevant)


def messages(*lines: str | bytes, channel: str = "in.jsonl", t_arr: int | None = None) -> list[Message]:
    return [
        Message(line.encode() if isinstance(line, str) else line, channel, f"{channel}:{n}", t_arr)
        for n, line in enumerate(lines, 1)
    ]


def only(batch: Batch) -> Any:
    assert batch.invalid == []
    (event,) = batch.events
    return event


def error(batch: Batch) -> str:
    assert batch.events == []
    (invalid,) = batch.invalid
    return invalid.error


def test_a_record_becomes_an_event() -> None:
    batch = reader().read(messages('{"id": "x", "t": 1.5, "v": 3, "note": null}'))
    event = only(batch)
    assert (event.type, event.id, event.t_gen, event.source) == ("A", "x", 1_500_000, "src")
    assert event.payload == {"id": "x", "t": 1.5, "v": 3, "note": None}
    assert batch.positions == ["in.jsonl:1"]


def test_a_message_may_hold_several_records() -> None:
    batch = reader().read(messages('[{"id": 1, "t": 1}, 5, {"id": 2.0, "t": 2}]'))
    assert [e.id for e in batch.events] == ["1", "2.0"]
    assert batch.positions == ["in.jsonl:1"] * 2
    assert "item 2" in batch.invalid[0].error


@pytest.mark.parametrize(
    ("spelling", "id"),
    [
        ('"a b"', "a b"), ("1", "1"), ("-7", "-7"), ("1.0", "1.0"), ("1.00", "1.00"), ("1e2", "1e2"),
        ("12345678901234567890123", "12345678901234567890123"),
        ("0.1000000000000000055511", "0.1000000000000000055511"),
    ],
)  # fmt: skip
def test_ids_are_text_or_numbers_as_spelled(spelling: str, id: str) -> None:
    assert only(reader().read(messages(f'{{"id": {spelling}, "t": 1}}'))).id == id


def test_a_spelled_id_is_that_of_its_own_record() -> None:
    batch = reader().read(messages('[{"id": 1.10, "t": 1.25}, {"id": 1.20, "t": 2}]', '{"id": 1.30, "t": 3}'))
    assert [(e.id, e.t_gen) for e in batch.events] == [
        ("1.10", 1250000),
        ("1.20", 2000000),
        ("1.30", 3000000),
    ]


@given(st.lists(st.tuples(st.text(min_size=1), st.text(min_size=1)), min_size=2, unique=True))
def test_ids_of_several_fields_join_without_ambiguity(pairs: list[tuple[str, str]]) -> None:
    assert len({joined(pair) for pair in pairs}) == len(pairs)


def test_ids_may_use_levels_of_the_channel() -> None:
    read = reader(id=("$topic[1]", "seq"))
    event = only(read.read(messages('{"seq": 4, "t": 1}', channel="home/k1/gas")))
    assert (event.id, event.payload) == ("k1/4", {"seq": 4, "t": 1})
    assert "$topic[1]" in error(read.read(messages('{"seq": 4, "t": 1}', channel="home")))


def test_the_transport_says_what_separates_the_levels_of_a_channel() -> None:
    read = reader(spec=DOTTED, id=("$topic[1]", "seq"), key="$topic[0]")
    event = only(read.read(messages('{"seq": 4, "t": 1}', channel="home.k1/2.gas")))
    assert (event.id, event.payload) == ("k1\\/2/4", {"seq": 4, "t": 1, "key": "home"})


def test_without_an_id_equal_events_have_equal_digests() -> None:
    read = reader(id=(), key="m")
    batch = read.read(
        messages(
            '{"t": 1, "m": "k", "v": 1}', '{"v": 1, "m": "k", "t": 1}', '{"t": 2, "m": "k", "v": 1}',
            '{"t": 1, "m": "l", "v": 1}', '{"t": 1, "m": "k", "v": 123456789012345678901234567890}',
        )
    )  # fmt: skip
    ids = [e.id for e in batch.events]
    assert ids[0] == ids[1]
    assert len(set(ids)) == 4
    assert ids[0] == reader(id=(), key="m").read(messages('{"t": 1.0, "m": "k", "v": 1}')).events[0].id


@pytest.mark.parametrize("codec", ["json", "csv"])
@pytest.mark.parametrize("spelling", ["1", "1.0", "1e0", "1.00"])
def test_a_digest_has_one_spelling_of_a_key(codec: str, spelling: str) -> None:
    read = reader(codec, id=(), key="m")
    one, other = (
        ("t,m\n1,1", f"t,m\n1,{spelling}")
        if codec == "csv"
        else ('{"t": 1, "m": 1}', f'{{"t": 1, "m": {spelling}}}')
    )
    first = only(read.read(messages(one, channel="a")))
    second = only(read.read(messages(other, channel="b")))
    assert first.id == second.id


def test_a_digest_is_of_what_it_was_of_before_fields_stayed() -> None:
    """Of time and order, key and payload, without the fields that serve."""
    read = reader(id=(), key="m", order="n", arrival=TimeConfig(field="h.r", format="epoch_s"),
                  event_type=None, type_field="k")  # fmt: skip
    event = only(read.read(messages('{"t": 1, "m": "a", "n": 3, "k": "A", "h": {"r": 2, "w": 1}, "v": 1}')))
    assert event.id == digest((1_000_000, 3), "a", {"m": "a", "h": {"w": 1}, "v": 1})
    assert event.payload == {"t": 1, "m": "a", "n": 3, "k": "A", "h": {"r": 2, "w": 1}, "v": 1}
    flat = only(read.read(messages('{"t": 1, "m": "a", "n": 3, "k": "A", "h.r": 2, "h": {"w": 1}, "v": 1}')))
    assert flat.id == event.id


@pytest.mark.parametrize("payload", [None, {"v": "any", "r": "any"}, {"*": "any", "r": "int"}])
def test_a_copy_that_arrives_later_has_the_same_digest(payload: dict[str, str] | None) -> None:
    read = reader(id=(), payload=payload, arrival=TimeConfig(field="r", format="epoch_s"))
    batch = read.read(
        messages('{"t": 1, "v": 1, "r": 2}', '{"t": 1, "v": 1, "r": 3}', '{"t": 1, "v": 2, "r": 3}')
    )
    one, copy, other = (e.id for e in batch.events)
    assert one == copy != other
    assert batch.events[1].payload["r"] == 3


@pytest.mark.parametrize("payload", [None, {"v": "any"}, {"v": "any", "n": "any"}])
def test_a_digest_tells_events_apart_by_their_order(payload: dict[str, str] | None) -> None:
    read = reader(id=(), order="n", payload=payload)
    batch = read.read(
        messages('{"t": 1, "v": 1, "n": 1}', '{"t": 1, "v": 1, "n": 2}', '{"t": 1, "v": 1, "n": 1}')
    )
    one, other, copy = (e.id for e in batch.events)
    assert one == copy != other


@pytest.mark.parametrize(
    ("one", "other"),
    [("1", "1.0"), ("0", "-0.0"), ('[1, {"a": 2}]', '[1.0, {"a": 2e0}]'), ('{"a": [3]}', '{"a": [3.0]}')],
)
def test_a_digest_has_one_spelling_of_a_number(one: str, other: str) -> None:
    read = reader(id=())
    batch = read.read(messages(f'{{"t": 1, "m": {one}}}', f'{{"t": 1, "m": {other}}}'))
    first, second = batch.events
    assert first.id == second.id
    assert [repr(e.payload["m"]) for e in batch.events] == [repr(json.loads(one)), repr(json.loads(other))]


def test_a_digest_tells_numbers_from_what_is_spelled_like_them() -> None:
    batch = reader(id=()).read(
        messages(*(f'{{"t": 1, "m": {m}}}' for m in ("1", "1.5", '"1"', "true", "null", "1e300", "[1]")))
    )
    assert len({e.id for e in batch.events}) == 7


def test_fields_that_a_payload_names_tell_events_apart_whatever_they_serve() -> None:
    line = '{{"t": 1, "v": 1, "n": {}}}'
    named = reader(id=(), order="n", payload={"v": "any", "n": "any"})
    assert len({e.id for e in named.read(messages(line.format(1), line.format(2))).events}) == 2


def test_a_digest_counts_the_channel_where_it_is_the_key() -> None:
    read = reader(id=(), key="$topic[0]")
    first = only(read.read(messages('{"t": 1}', channel="k1/x")))
    second = only(read.read(messages('{"t": 1}', channel="k2/x")))
    assert first.id != second.id
    assert first.payload == {"t": 1, "key": "k1"}


def test_paths_lead_into_objects_unless_a_field_has_that_name() -> None:
    read = reader(time=TimeConfig(field="h.t", format="epoch_s"), id=("h.id",))
    event = only(read.read(messages('{"h": {"t": 2, "id": "x", "more": 1}, "v": 1}')))
    assert (event.t_gen, event.id) == (2_000_000, "x")
    assert event.payload == {"h": {"t": 2, "id": "x", "more": 1}, "v": 1}
    event = only(read.read(messages('{"h.t": 3, "h": {"id": "y"}}')))
    assert (event.t_gen, event.id, event.payload) == (3_000_000, "y", {"h.t": 3, "h": {"id": "y"}})


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"id": 1}', "no time: 't' is missing"),
        ('{"id": 1, "t": null}', "no time"),
        ('{"id": 1, "t": "soon"}', "time 't' is not a number of s: 'soon'"),
        ('{"id": 1, "t": 1e200}', "out of range"),
        ("{", "not JSON"),
    ],
)
def test_records_without_a_usable_time_are_invalid(line: str, words: str) -> None:
    batch = reader().read(messages(line))
    assert words in error(batch)
    assert (batch.invalid[0].raw, batch.invalid[0].position, batch.invalid[0].source) == (
        line,
        "in.jsonl:1",
        "src",
    )


def test_a_time_that_a_float_does_not_hold_is_read_as_spelled() -> None:
    line = '{"id": 1, "t": 0.00000150000000000000000001}'
    assert only(reader().read(messages(line))).t_gen == 2
    assert only(reader().read(messages('{"id": 1, "t": 0.0000005}'))).t_gen == 0


def test_arrival_is_the_messages_or_a_field_or_the_latest_time_of_the_channel() -> None:
    lines = ('{"id": 1, "t": 5, "r": 9}', '{"id": 2, "t": 3, "r": 9}', '{"id": 3, "t": 7, "r": 9}')
    assert [e.t_arr for e in reader().read(messages(*lines, t_arr=42)).events] == [42] * 3
    arrival = reader(arrival=TimeConfig(field="r", format="epoch_s"))
    assert [e.t_arr for e in arrival.read(messages(*lines)).events] == [9_000_000] * 3
    read = reader()
    assert [e.t_arr for e in read.read(messages(*lines)).events] == [5_000_000, 5_000_000, 7_000_000]
    assert read.read(messages('{"id": 4, "t": 1}', channel="other")).events[0].t_arr == 1_000_000
    assert read.read(messages('{"id": 5, "t": 1}')).events[0].t_arr == 7_000_000


def test_without_time_event_time_is_arrival() -> None:
    assert only(reader(time=None).read(messages('{"id": 1}', t_arr=42))).t_gen == 42
    message = Message(b'{"id": 1}', "topic", "0:1", 42, event_time=41)
    assert only(reader(time=None).read([message])).t_gen == 41
    read = reader(time=None, clock=7)
    assert read.undated == 0
    batch = read.read(messages('{"id": 1}', '{"id": 2}'))
    assert [(e.t_gen, e.t_arr) for e in batch.events] == [(7, 7), (8, 8)]
    assert read.undated == 2


def test_a_decimal_comma_holds_for_times_order_and_declared_types() -> None:
    options = CsvOptions(delimiter=";", decimal=",")
    lines = ("id;t;n;v;w", "1;1767607200,5;2,0;+007,5;012", "2;1767607200.25;3;1.5;1,0", "3;1.767,5;1;1;1",
             "4;1;1.000;1;1")  # fmt: skip
    read = reader("csv", options=options, order="n", payload={"v": "float", "w": "int"})
    batch = read.read(messages(*lines))
    assert [(e.t_gen, e.seq, e.payload) for e in batch.events] == [
        (1767607200500000, 2, {"v": 7.5, "w": 12}),
        (1767607200250000, 3, {"w": 1}),
    ]
    assert [i.error for i in batch.invalid] == [
        "time 't' is not a number of s: '1.767,5'",
        "order 'n' is text, not an integer",
    ]
    assert read.unconverted == {"v": 1}


@pytest.mark.parametrize(
    ("payload", "found"),
    [
        (None, {"id": 1, "t": 1, "n": "12", "v": 12}),
        ({"*": "any", "v": "str"}, {"id": 1, "t": 1, "n": "12", "v": "12"}),
        ({"n": "any"}, {"n": "12"}),
        ({"n": "int"}, {"n": 12}),
    ],
)
def test_fields_that_a_codec_calls_text_stay_text(
    payload: dict[str, str] | None, found: dict[str, Any]
) -> None:
    class Texts(CsvCodec):
        texts = frozenset({"n"})

    read = reader(Texts(CsvOptions(), CONTEXT), payload=payload)
    assert only(read.read(messages("id,t,n,v", "1,1,12,12"))).payload == found


def test_a_rank_is_the_sequence_number_of_all_events() -> None:
    assert only(reader(rank=2).read(messages('{"id": 1, "t": 1}'))).seq == 2
    assert only(reader().read(messages('{"id": 1, "t": 1}'))).seq == 0


def test_a_time_may_stand_in_several_fields() -> None:
    joined = TimeConfig(field="d", joined=("h.t",), format="%d/%m/%Y %H.%M", zone="UTC")
    read = reader(time=joined)
    event = only(read.read(messages('{"id": 1, "d": " 10/03/2004", "h": {"t": "18.00"}}')))
    assert rfc3339(event.t_gen) == "2004-03-10T18:00:00Z"
    assert error(read.read(messages('{"id": 1, "d": "10/03/2004"}'))) == "no time: 'h.t' is missing"
    assert "time 'h.t' is neither text" in error(
        read.read(messages('{"id": 1, "d": "10/03/2004", "h": {"t": 1.5}}'))
    )
    assert "time 'd h.t' is not a time like" in error(
        read.read(messages('{"id": 1, "d": "x", "h": {"t": "y"}}'))
    )
    day = reader(time=TimeConfig(field="d", joined=("t",), zone="UTC"))
    assert only(day.read(messages('{"id": 1, "d": "2026-01-05", "t": "10:00"}'))).t_gen == 1767607200000000


def test_readings_of_one_type_and_key_go_forward() -> None:
    ordered = TimeConfig(field="t", zone="Europe/Athens", fold="order")
    read = reader(time=ordered, key="k", event_type=None, type_field="y", id=())
    said = [("03:50", 1, "A"), ("03:00", 1.0, "A"), ("03:00", 1, "B"), ("03:00", 2, "A"), ("03:10", 1, "A")]
    lines = [f'{{"t": "2026-10-25T{t}", "k": {k}, "y": "{y}"}}' for t, k, y in said]
    assert [rfc3339(e.t_gen)[11:16] for e in read.read(messages(*lines)).events] == [
        "00:50", "01:00", "00:00", "00:00", "01:10"
    ]  # fmt: skip
    assert read.changes == {"ambiguous_times": 5}
    assert read.sequential


def test_a_record_that_is_read_once_more_as_spelled_moves_no_reading() -> None:
    ordered = TimeConfig(field="t", zone="Europe/Athens", fold="order")
    arrival = TimeConfig(field="r", format="epoch_s")
    for config in ({"time": ordered, "arrival": arrival}, {"time": arrival, "arrival": ordered}):
        read = reader(**config)
        batch = read.read(messages('{"id": 1.5, "t": "2026-10-25T03:00", "r": 0.00000150000000000000000001}'))
        assert sorted([only(batch).t_gen, only(batch).t_arr]) == [2, 1792886400000000]
        assert read.changes == {"ambiguous_times": 1}


def test_a_year_may_be_that_of_the_arrival() -> None:
    read = reader(time=TimeConfig(field="t", format="%b %d %H:%M:%S", zone="UTC", year="arrival"))
    line = '{"id": 1, "t": "Dec 31 23:59:59"}'
    assert rfc3339(only(read.read(messages(line, t_arr=1798761605000000))).t_gen) == "2026-12-31T23:59:59Z"
    assert "not a time like" in error(read.read(messages(line)))
    assert not read.sequential


def test_what_is_remembered_of_times_is_values_of_json() -> None:
    fold = TimeConfig(field="t", zone="Europe/Athens", fold="order")
    year = TimeConfig(field="r", format="%b %d", zone="UTC", year=2026)
    before = reader(time=fold, arrival=year)
    before.read(
        messages(
            '{"id": 1, "t": "2026-10-25T03:50", "r": "Dec 31"}',
            '{"id": 2, "t": "2026-10-25T03:00", "r": "Jan 1"}',
        )
    )
    after = reader(time=fold, arrival=year)
    after.recall(json.loads(json.dumps(before.remembered())))
    event = only(after.read(messages('{"id": 3, "t": "2026-10-25T03:10", "r": "Jan 2"}')))
    assert (rfc3339(event.t_gen), rfc3339(event.t_arr)) == ("2026-10-25T01:10:00Z", "2027-01-02T00:00:00Z")
    assert after.changes == {"ambiguous_times": 3}


def test_a_declared_payload_keeps_those_fields_and_the_key() -> None:
    read = reader(payload={"v": "float", "m.w": "int", "x": "int"}, key="k")
    event = only(
        read.read(messages('{"id": 1, "t": 1, "v": "2", "m": {"w": 3, "z": 4}, "x": "?", "k": "k1"}'))
    )
    assert event.payload == {"v": 2.0, "m": {"w": 3}, "k": "k1"}
    assert read.unconverted == {"x": 1}


def test_all_other_fields_stay_beside_those_with_a_type() -> None:
    read = reader(payload={"*": "any", "v": "int", "m.w": "str", "x": "int"})
    event = only(
        read.read(
            messages('{"id": 1, "t": 1, "v": "2", "m": {"w": 3, "z": 4}, "x": "?", "k": [1], "n": null}')
        )
    )
    assert event.payload == {"id": 1, "t": 1, "v": 2, "m": {"w": "3", "z": 4}, "k": [1], "n": None}
    assert read.unconverted == {"x": 1}


def test_all_other_fields_may_have_a_type_too() -> None:
    read = reader("csv", payload={"*": "str", "v": "float", "t": "any"})
    event = only(read.read(messages("id,t,v,w,x", "7,1,2,12,true")))
    assert event.payload == {"id": "7", "t": 1, "v": 2.0, "w": "12", "x": "true"}
    read = reader(payload={"*": "float"}, key="k")
    event = only(read.read(messages('{"id": "7", "t": 1, "k": "k1", "v": "2", "n": null, "w": [1]}')))
    assert event.payload == {"id": 7.0, "k": "k1", "t": 1.0, "v": 2.0, "n": None}
    assert read.unconverted == {"w": 1}


FLAT = '{"id.orig_h": "h1", "t": 1, "x.v": "5", "x": {"v": 1}}'


@pytest.mark.parametrize(
    ("payload", "kept"),
    [
        ({"id.orig_h": "str", "x.v": "int"}, {"id.orig_h": "h1", "x.v": 5}),
        ({"`id.orig_h`": "str", "`x.v`": "int"}, {"id.orig_h": "h1", "x.v": 5}),
        ({"`id`.orig_h": "str", "x.`v`": "int"}, {"x": {"v": 1}}),
        ({"*": "any", "`x.v`": "int"}, {"id.orig_h": "h1", "t": 1, "x.v": 5, "x": {"v": 1}}),
    ],
)
def test_names_with_dots_are_found_and_backquotes_say_that_they_are_such(
    payload: dict[str, str], kept: dict[str, Any]
) -> None:
    read = reader(id=("`id.orig_h`",), payload=payload)
    event = only(read.read(messages(FLAT)))
    assert (event.id, event.payload) == ("h1", kept)


def test_a_key_may_be_named_in_backquotes() -> None:
    event = only(reader(id=("id.orig_h",), key="`x.v`", payload={"y": "any"}).read(messages(FLAT)))
    assert event.payload == {"x.v": "5"}


def test_cells_of_csv_become_numbers_but_ids_stay_text() -> None:
    read = reader("csv")
    batch = read.read(messages("id,t,v,w,x", "007,1.5,12,true,", "008,2,007,,a"))
    assert [(e.id, e.t_gen, e.payload) for e in batch.events] == [
        ("007", 1_500_000, {"id": "007", "t": 1.5, "v": 12, "w": True}),
        ("008", 2_000_000, {"id": "008", "t": 2, "v": "007", "x": "a"}),
    ]


def test_only_relevant_types_carry_a_payload_but_all_are_checked() -> None:
    read = reader(event_type=None, type_field="k", relevant={"A"})
    batch = read.read(
        messages(
            '{"id": 1, "t": 1, "k": "A", "v": 1}',
            '{"id": 2, "t": 2, "k": "B", "v": 1}',
            '{"id": 3, "k": "B"}',
        )
    )
    assert [(e.type, e.payload) for e in batch.events] == [
        ("A", {"id": 1, "t": 1, "k": "A", "v": 1}),
        ("B", {}),
    ]
    assert "no time" in batch.invalid[0].error


def test_what_is_too_far_ahead_carries_a_payload_whatever_its_type() -> None:
    """It goes to the late output whole."""
    for id_ in (("id",), ()):
        read = reader(event_type=None, type_field="k", relevant={"A"}, id=id_, max_future_skew=1_000_000)
        sent = messages('{"id": 1, "t": 5, "k": "B"}', '{"id": 2, "t": 6, "k": "C"}', t_arr=4_000_000)
        near, far = read.read(sent).events
        assert (near.payload, far.payload) == ({}, {"id": 2, "t": 6, "k": "C"})
        assert far.id


def test_raw_text_of_megabytes_is_shortened() -> None:
    batch = reader().read(messages(b"\xff" * 3_000_000))
    assert len(batch.invalid[0].raw) < 1100
    assert "not UTF-8: byte 1 is 0xff" in batch.invalid[0].error


@pytest.mark.parametrize(
    ("text", "raw"),
    [
        ("x" * 1000, "x" * 1000),
        ("x" * 1001, "x" * 1000 + "..."),
        ("é" * 1000, "é" * 1000),
        ("𝄞" * 1000, "𝄞" * 1000),
        ("𝄞" * 1001, "𝄞" * 1000 + "..."),
    ],
)
def test_raw_text_has_a_thousand_characters_at_most(text: str, raw: str) -> None:
    assert reader().read(messages(text.encode())).invalid[0].raw == raw


def test_what_the_codec_holds_back_comes_out_at_the_end() -> None:
    read = reader("csv")
    assert read.read(messages("id,t", '1,"2')).events == []
    assert read.holding
    assert "not closed" in error(read.finish())
    assert not read.holding


@pytest.mark.parametrize(
    "path", ["$topic", "$topic[]", "$topic[-1]", "$x", "", "`a.b", "a.`b", "`a`b", "a`b"]
)
def test_wrong_paths_are_named(path: str) -> None:
    assert path_problem(path)


@pytest.mark.parametrize("path", ["a", "a.b", "$topic[0]", "$topic[12]", "a b", "`a.b`", "a.`b.c`", "`a``b`"])
def test_right_paths_have_no_problem(path: str) -> None:
    assert path_problem(path) == ""


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("itnhkv"), inner, max_size=4),
    max_leaves=8,
)


@given(st.lists(st.fixed_dictionaries({}, optional=dict.fromkeys(("id", "t", "h", "n", "k"), JSON_VALUES))))
def test_every_object_has_exactly_one_outcome(records: list[dict[str, Any]]) -> None:
    read = reader(
        id=("id", "h.i"), order="n", key="k", arrival=TimeConfig(field="h.t"), payload={"h.v": "str"}
    )
    batch = read.read(messages(*(json.dumps(record) for record in records)))
    assert len(batch.events) + len(batch.invalid) == len(records)
    assert len(batch.events) == len(batch.positions)


@given(st.lists(st.binary(max_size=30) | st.text('id,t1"\r\ufeff', max_size=12).map(str.encode), max_size=12))
def test_random_bytes_never_raise(lines: list[bytes]) -> None:
    lines = [line.replace(b"\n", b"") for line in lines]
    for codec in ("json", "csv"):
        read = reader(codec, id=())
        batch = read.read(messages(*lines))
        end = read.finish()
        outcomes = len(batch.events) + len(batch.invalid) + len(end.events) + len(end.invalid)
        assert outcomes <= len(lines)
