"""Records of a source that revises become statements: with a version, or withdrawn."""

from __future__ import annotations

import json
import logging
from collections import Counter
from typing import Any

import pytest

from limecep.clock import ManualClock
from limecep.config.model import ComponentConfig, ReviseConfig, SourceConfig, TimeConfig
from limecep.contracts.context import Context
from limecep.contracts.source import Message
from limecep.intake.reader import Reader
from limecep.model.event import UNVERSIONED, Statement
from limecep.spec import ComponentSpec
from limecep_codecs.config import CsvOptions, JsonOptions
from limecep_codecs.csv_codec import CsvCodec
from limecep_codecs.json_codec import JsonCodec

SPEC = ComponentSpec(kind="source", name="test", factory="", summary="")
LINES = ComponentSpec(
    kind="source", name="test", factory="", summary="", capabilities=frozenset({"lines", "finite"})
)
CONTEXT = Context(label="test", clock=ManualClock(), counters=Counter(), logger=logging.getLogger())


def reader(
    revise: ReviseConfig, codec: Any = None, id: tuple[str, ...] = ("id",), lines: bool = False
) -> Reader:
    config = SourceConfig(
        name="s",
        connector=ComponentConfig(spec=LINES if lines else SPEC, options=None),
        channel="",
        event_type="A",
        time=TimeConfig(field="t", format="epoch_s"),
        id=id,
        revise=revise,
    )
    return Reader(config, codec or JsonCodec(JsonOptions(), CONTEXT), ManualClock())


def said(made: Reader, *records: dict[str, Any], t_arr: int | None = None) -> list[tuple[Any, ...]]:
    messages = [Message(json.dumps(r).encode(), "c", f"c:{n}", t_arr) for n, r in enumerate(records)]
    batch = made.read(messages)
    assert not batch.invalid, batch.invalid
    found = []
    for event in batch.events:
        assert isinstance(event, Statement)
        found.append((event.id, event.t_gen, event.version, event.withdrawn))
    return found


def test_the_version_is_that_of_its_field_or_the_place_among_all_that_were_read() -> None:
    records = [{"id": "x", "t": 1, "rev": 7}, {"id": "x", "t": 2, "rev": 2.5}]
    assert [v for _, _, v, _ in said(reader(ReviseConfig(version="rev")), *records)] == [7, 2.5]
    made = reader(ReviseConfig())
    assert [v for _, _, v, _ in said(made, *records)] == [1, 2]
    again = reader(ReviseConfig())
    again.recall(made.remembered())
    assert [v for _, _, v, _ in said(again, *records)] == [3, 4]
    assert made.numbered
    assert not reader(ReviseConfig(version="rev")).numbered


def test_a_version_may_have_decimals_where_the_id_has() -> None:
    made = reader(ReviseConfig(version="rev", withdrawn="gone", values=(0.5,)), id=("k", "id"))
    records = [{"t": 1, "rev": 2.5}, {"rev": 3.0, "gone": 0.5}]
    found = said(made, *[{"k": 1.0, "id": "x", **r} for r in records])
    assert [(id, rev, gone) for id, _, rev, gone in found] == [("1.0/x", 2.5, False), ("1.0/x", 3, True)]


def test_a_withdrawal_is_told_by_a_field_and_needs_neither_time_nor_payload() -> None:
    made = reader(ReviseConfig(version="rev", withdrawn="op", values=("delete", "d")))
    assert said(
        made, {"id": "x", "t": 1, "rev": 1, "op": "c"}, {"id": "x", "rev": 2, "op": "d"}, t_arr=9_000_000
    ) == [("x", 1_000_000, 1, False), ("x", 9_000_000, 2, True)]
    [event] = made.read([Message(b'{"id": "x", "rev": 3, "op": "delete", "v": 1}', "c", "c:1", 9)]).events
    assert event.payload == {}


def test_in_a_recording_a_withdrawal_without_time_comes_when_the_event_before_it_came() -> None:
    made = reader(ReviseConfig(version="rev", withdrawn="gone"))
    assert said(made, {"id": "x", "t": 4, "rev": 1}, {"id": "x", "rev": 2, "gone": True})[1] == (
        "x", 4_000_000, 2, True,
    )  # fmt: skip


def test_one_is_not_true() -> None:
    made = reader(ReviseConfig(version="rev", withdrawn="gone"))
    assert said(made, {"id": "x", "t": 4, "rev": 1, "gone": 1})[0][3] is False


def test_text_of_a_table_is_read_as_the_number_or_the_truth_it_is() -> None:
    made = reader(ReviseConfig(version="rev", withdrawn="gone"), CsvCodec(CsvOptions(), CONTEXT))
    lines = [b"id,t,rev,gone", b"x,1,10,false", b"x,,11,true"]
    events = made.read([Message(line, "c", f"c:{n}", 5) for n, line in enumerate(lines)]).events
    assert [(e.version, e.withdrawn) for e in events if isinstance(e, Statement)] == [(10, False), (11, True)]


@pytest.mark.parametrize(
    ("record", "error"),
    [
        ({"id": "x", "t": 1}, "no version: 'rev' is missing"),
        ({"id": "x", "t": 1, "rev": "new"}, "version 'rev' is 'new', not a number"),
        ({"id": "x", "t": 1, "rev": True}, "version 'rev' is True, not a number"),
        ({"id": "x", "rev": 1}, "no time: 't' is missing"),
        ({"rev": 1, "gone": True}, "no id: 'id' is missing"),
    ],
)
def test_what_tells_no_version_or_no_event_is_invalid(record: dict[str, Any], error: str) -> None:
    made = reader(ReviseConfig(version="rev", withdrawn="gone"))
    [invalid] = made.read([Message(json.dumps(record).encode(), "c", "c:1")]).invalid
    assert invalid.error == error


def tombstones(made: Reader, *keys: bytes | None, channel: str = "c") -> list[Any]:
    batch = made.read([Message(b"", channel, f"c:{n}", 7, key) for n, key in enumerate(keys)])
    said = [(e.id, e.t_gen, e.version, e.withdrawn) for e in batch.events if isinstance(e, Statement)]
    return [*said, *[i.error for i in batch.invalid]]


def test_an_empty_message_withdraws_what_its_key_says() -> None:
    assert tombstones(reader(ReviseConfig(version="rev")), b"x", b'{"id": "y"}', b'{"id": 5}') == [
        ("x", 7, UNVERSIONED, True), ("y", 7, UNVERSIONED, True), ("5", 7, UNVERSIONED, True),
    ]  # fmt: skip
    assert tombstones(reader(ReviseConfig()), b"x") == [("x", 7, 1, True)]
    assert tombstones(reader(ReviseConfig(), id=("$topic[1]",)), None, channel="a/door") == [
        ("door", 7, 1, True)
    ]


def test_one_without_a_key_is_invalid_and_says_so() -> None:
    assert tombstones(reader(ReviseConfig()), None) == [
        "an empty message withdraws what its key says, and it has no key"
    ]
    assert tombstones(reader(ReviseConfig()), b'{"other": 1}') == ["no id: 'id' is missing"]


def test_among_lines_an_empty_one_says_nothing() -> None:
    assert tombstones(reader(ReviseConfig(), lines=True), None, b"x") == []


def test_the_id_may_be_the_key_of_a_message() -> None:
    made = reader(ReviseConfig(), id=("$key",))
    [event] = made.read([Message(b'{"t": 1}', "c", "c:1", 7, "k\u00fc".encode())]).events
    assert event.id == "k\u00fc"
    assert tombstones(made, b'{"id": 1}') == [('{"id": 1}', 7, 2, True)]


def test_values_that_look_like_those_of_a_withdrawal_and_are_none_are_told() -> None:
    made = reader(ReviseConfig(withdrawn="op", values=("DELETE", True)))
    said(
        made,
        {"id": "x", "t": 1, "op": "delete"},
        {"id": "x", "t": 1, "op": "true"},
        {"id": "x", "t": 1, "op": "u"},
    )
    assert made.counted() == {"never_withdrawn": {"field": "op", "values": ["'delete'", "'true'"]}}
    said(made, {"id": "x", "t": 1, "op": "DELETE"})
    assert made.counted() == {}


def test_that_no_record_has_the_field_of_withdrawals_is_told() -> None:
    made = reader(ReviseConfig(withdrawn="op"))
    assert made.counted() == {}
    said(made, {"id": "x", "t": 1})
    assert made.counted() == {"never_withdrawn": {"field": "op", "values": []}}
    said(made, {"id": "x", "t": 1, "op": "u"})
    assert made.counted() == {}
