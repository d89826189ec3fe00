"""CloudEvents are read in both modes, and written in one that reads back."""

from __future__ import annotations

import base64
import json
import logging
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limecep.clock import ManualClock
from limecep.contracts.codec import Spelled, Undecodable
from limecep.contracts.context import Context
from limecep.contracts.source import Message
from limecep_codecs.cloudevents import CloudEvents
from limecep_codecs.config import CloudEventsOptions

CONTEXT = Context(
    label="t", clock=ManualClock(), counters=Counter(), logger=logging.getLogger(), pipeline="kitchen"
)
HEAD = {"specversion": "1.0", "id": "17", "source": "/box", "type": "Reading", "time": "2026-01-05T10:00:03Z"}


def codec(**options: Any) -> CloudEvents:
    return CloudEvents(CloudEventsOptions(**options), CONTEXT)


def message(value: Any, headers: dict[str, str] | None = None) -> Message:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return Message(data, "t", "t:0:1", headers=tuple((k, v.encode()) for k, v in (headers or {}).items()))


def read(value: Any, headers: dict[str, str] | None = None, **options: Any) -> list[Any]:
    decoded = codec(**options).decode([message(value, headers)])
    return [record.error if isinstance(record, Undecodable) else record for _, record in decoded]


def binary(prefix: str = "ce_", **more: str) -> dict[str, str]:
    return {**{f"{prefix}{name}": value for name, value in HEAD.items()}, **more}


@pytest.mark.parametrize(
    ("more", "record"),
    [
        ({"data": {"v": 1.5, "unit": "C"}}, {"v": 1.5, "unit": "C"}),
        ({}, {}),
        ({"data": None}, {}),
        ({"data": [1, 2]}, {"data": [1, 2]}),
        ({"data": "text"}, {"data": "text"}),
        ({"data_base64": "AP8="}, {"data_base64": "AP8="}),
    ],
)
@pytest.mark.parametrize("headers", [{}, {"content-type": "application/cloudevents+json; charset=UTF-8"}])
def test_a_structured_event_is_its_data_with_the_attributes_beside_it(
    more: dict[str, Any], record: dict[str, Any], headers: dict[str, str]
) -> None:
    assert read({**HEAD, **more}, headers) == [{**record, "ce": HEAD}]


def test_a_batch_is_several_events() -> None:
    assert read([{**HEAD, "data": {"n": 1}}, {"n": 2}, {**HEAD, "data": {"n": 3}}]) == [
        {"n": 1, "ce": HEAD},
        "not a CloudEvent: neither an object with 'specversion', nor headers with it",
        {"n": 3, "ce": HEAD},
    ]


@pytest.mark.parametrize("prefix", ["ce_", "ce-", "CE_", ""])
@pytest.mark.parametrize("content_type", ["", "application/json", "application/senml+json; charset=UTF-8"])
def test_a_binary_event_has_its_attributes_from_headers(prefix: str, content_type: str) -> None:
    more = {"content-type": content_type} if content_type else {}
    attributes = {**HEAD, **({"datacontenttype": content_type} if content_type else {})}
    assert read({"v": 1}, binary(prefix, **more)) == [{"v": 1, "ce": attributes}]


def test_data_that_is_no_json_comes_as_text_or_encoded() -> None:
    text = binary(**{"content-type": "text/plain"})
    attributes = {**HEAD, "datacontenttype": "text/plain"}
    assert read("17 °C".encode(), text) == [{"data": "17 °C", "ce": attributes}]
    assert read(b"\xff\x00", text) == [
        {"data_base64": base64.b64encode(b"\xff\x00").decode(), "ce": attributes}
    ]
    assert read(b"", binary()) == [{"ce": HEAD}]


@pytest.mark.parametrize(
    ("value", "headers", "error"),
    [
        ({"v": 1}, {}, "neither an object with 'specversion', nor headers with it"),
        ({"v": 1}, {"trace": "17"}, "neither an object with 'specversion', nor headers with it"),
        ([7], {}, "neither an object"),
        ({**HEAD, "id": 17}, {}, "not a CloudEvent: 'id' is missing, or no text"),
        ({**HEAD, "source": ""}, {}, "not a CloudEvent: 'source' is missing, or no text"),
        ({**HEAD, "specversion": "0.3"}, {}, "not a CloudEvent of version 1: 'specversion' is '0.3'"),
        (b"{", {}, "not JSON: it ends too early, at column 2"),
        (b"{", binary(), "not JSON: it ends too early, at column 2"),
        (b"{}", {k: v for k, v in binary().items() if k != "ce_type"}, "'type' is missing"),
    ],
)
def test_what_is_no_event_says_why(value: Any, headers: dict[str, str], error: str) -> None:
    [said] = read(value, headers)
    assert error in said


def test_a_message_that_came_with_an_error_keeps_it() -> None:
    [(_, record)] = codec().decode([Message(b"{", "t", "t:0:1", error="too long")])
    assert record == Undecodable("too long")


def test_the_attributes_may_stand_under_another_name() -> None:
    assert read({**HEAD, "data": {"ce": 1}}, attributes="event") == [{"ce": 1, "event": HEAD}]


def test_numbers_keep_their_spelling() -> None:
    made, batch = (
        codec(),
        b'[{"specversion":"1.0"},{"specversion":"1.0","id":"1","source":"s","type":"t","data":',
    )
    found = made.spelled(message(batch + b'{"n": 1.50}}]'))
    assert found[0] == {}
    assert found[1]["n"] == "1.50"
    assert isinstance(found[1]["n"], Spelled)


RECORD = {
    "op": "correct",
    "match": "m1",
    "revision": 2,
    "pattern": "fire",
    "detected": "2026-01-05T10:00:21.5Z",
    "events": {"a": ["ä\n"]},
}


def test_a_record_is_wrapped_and_reads_back() -> None:
    made = codec(source="/box-12")
    written = made.encode(RECORD)
    assert b"\n" not in written
    [(_, back)] = made.decode([message(written)])
    assert back == {
        **RECORD,
        "ce": {
            "specversion": "1.0",
            "id": "m1/2",
            "source": "/box-12",
            "type": "limecep.match.correct",
            "subject": "fire",
            "time": "2026-01-05T10:00:21.5Z",
            "datacontenttype": "application/json",
        },
    }


def test_ids_tell_apart_what_is_different() -> None:
    late = {"reason": "invalid", "raw": "x", "source": "gas", "position": "gas:0:1"}
    more = [{"op": "final"}, {"revision": 3}, {"repeat": 1}, {"repeat": 2}]
    records = [RECORD, *({**RECORD, **m} for m in more), late, {**late, "raw": "y"}]
    events = [json.loads(codec().encode(record)) for record in records]
    assert len({e["id"] for e in events}) == len(records)
    assert {e["source"] for e in events} == {"/limecep/kitchen"}
    assert [e["type"] for e in events[-2:]] == ["limecep.late.invalid"] * 2


@given(st.binary(max_size=60), st.dictionaries(st.sampled_from([*binary(), "content-type"]), st.text()))
def test_odd_bytes_never_raise(value: bytes, headers: dict[str, str]) -> None:
    made, odd = (
        codec(),
        Message(value, "t", "t:0:1", headers=tuple((k, v.encode()) for k, v in headers.items())),
    )
    decoded = made.decode([odd])
    assert all(isinstance(record, (dict, Undecodable)) for _, record in decoded)


@pytest.mark.parametrize("name", ["", "a.b", "$topic[0]"])
def test_a_name_that_no_path_leads_to_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="'attributes' must be the name of a field"):
        CloudEventsOptions(attributes=name)
