"""Records of a change log become the events that the matches are."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from limecep.clock import ManualClock
from limecep.contracts.codec import Undecodable
from limecep.contracts.context import Context
from limecep.contracts.source import Message
from limecep.testing.bench import SilentLogger
from limecep_codecs.changelog import ChangelogCodec
from limecep_codecs.config import ChangelogOptions

RECORD = {
    "op": "emit", "match": "m1", "revision": 1, "content": "c", "pattern": "hot", "key": {"room": "k1"},
    "start": "2026-01-01T00:00:00Z", "end": "2026-01-01T00:01:00Z", "values": {"mean": 23.5},
    "cause": {"kind": "time", "event": None}, "detected": "2026-01-01T00:02:00Z", "latency": 0.0,
}  # fmt: skip


def read(*records: Any) -> list[Any]:
    context = Context(label="s", clock=ManualClock(), counters=Counter(), logger=SilentLogger())
    messages = [Message(json.dumps(r).encode(), "t", f"t:{n}") for n, r in enumerate(records)]
    codec = ChangelogCodec(ChangelogOptions(), context)
    assert codec.table(messages) is None
    return [record for _, record in codec.decode(messages)]


def test_a_match_has_its_values_and_its_key_and_what_is_said_of_it() -> None:
    assert read(RECORD) == [
        {
            "_op": "emit", "_match": "m1", "_revision": 1, "_pattern": "hot", "_start": RECORD["start"],
            "_end": RECORD["end"], "room": "k1", "mean": 23.5,
        }
    ]  # fmt: skip


def test_it_may_have_neither_and_be_in_an_envelope() -> None:
    bare = {**RECORD, "key": None}
    del bare["values"]
    [found] = read({"specversion": "1.0", "id": "x", "data": bare})
    assert {"room", "mean"}.isdisjoint(found)
    assert found["_match"] == "m1"


@pytest.mark.parametrize(
    ("record", "error"),
    [
        ({"v": 1}, "no record of a change log: it has no 'match'"),
        ({**RECORD, "op": "drop"}, "no record of a change log: 'op' is 'drop'"),
        ({**RECORD, "values": {"_end": 1}}, "two attributes '_end'"),
        ({**RECORD, "values": {"room": 1}}, "two attributes 'room'"),
    ],
)
def test_what_is_no_record_of_a_change_log_says_why(record: Any, error: str) -> None:
    [found] = read(record)
    assert isinstance(found, Undecodable)
    assert error in found.error
