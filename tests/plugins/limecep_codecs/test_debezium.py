"""Changes of rows become what the rows are, or were."""

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
from limecep_codecs.config import DebeziumOptions
from limecep_codecs.debezium import DebeziumCodec

SOURCE = {"table": "orders", "lsn": 24023128}
OLD, NEW = {"id": 1, "amount": 5.5}, {"id": 1, "amount": 7}


def read(record: Any) -> Any:
    context = Context(label="s", clock=ManualClock(), counters=Counter(), logger=SilentLogger())
    codec = DebeziumCodec(DebeziumOptions(), context)
    message = Message(json.dumps(record).encode(), "t", "t:1")
    [(_, found)] = codec.decode([message])
    [spelled] = codec.spelled(message)
    assert (spelled == {}) == isinstance(found, Undecodable)
    return found


def change(op: str, before: Any, after: Any) -> dict[str, Any]:
    return {"op": op, "before": before, "after": after, "source": SOURCE, "ts_ms": 1}


@pytest.mark.parametrize(
    ("op", "before", "after", "row"),
    [("c", None, NEW, NEW), ("r", None, NEW, NEW), ("u", OLD, NEW, NEW), ("d", OLD, None, OLD)],
)
def test_a_row_is_what_it_is_now_or_was_at_last(op: str, before: Any, after: Any, row: Any) -> None:
    expected = {**row, "_op": op, "_table": "orders", "_source": SOURCE}
    assert read(change(op, before, after)) == expected
    assert read({"schema": {}, "payload": change(op, before, after)}) == expected


@pytest.mark.parametrize(
    ("record", "error"),
    [
        (change("t", None, None), "which rows it had is not said"),
        (change("m", None, None), "'op' is 'm', not c, u, d or r"),
        ({"id": 1}, "'op' is None, not c, u, d or r"),
        ({"op": ["c"]}, "no change of a row"),
        (change("u", OLD, None), "a change 'u' without 'after'"),
        (change("d", None, None), "REPLICA IDENTITY FULL"),
    ],
)
def test_what_is_no_change_of_a_row_says_why(record: Any, error: str) -> None:
    found = read(record)
    assert isinstance(found, Undecodable)
    assert error in found.error
