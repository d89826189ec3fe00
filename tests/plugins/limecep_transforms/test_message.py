"""A message says what a record is about, whatever the record has."""

from __future__ import annotations

from typing import Any

import pytest

from limecep_transforms.config import MessageOptions
from limecep_transforms.message import Message

NOTHING: Any = None
GAS = {"room": "kitchen", "ok": True, "at": {"x": 1}}
RECORD: dict[str, Any] = {
    "op": "emit",
    "pattern": "fire",
    "key": {"room": "kitchen", "floor": 2},
    "events": {
        "a": [{"id": "g1", "time": "10:00", "type": "Gas", "payload": GAS}],
        "b": [{"id": f"t{n}", "time": "", "type": "T", "payload": {"v": n * 1.25}} for n in (1, 2, 3)],
        "c": ["s1"],
    },
}


def said(text: str, record: dict[str, Any] = RECORD) -> str:
    made = Message(MessageOptions(text=text), NOTHING).apply(record)
    assert {**made, "message": None} == {**record, "message": None}
    message: str = made["message"]
    return message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{op} {pattern}", "emit fire"),
        ("{key.room}, {key}", "kitchen, kitchen, 2"),
        ("{key:.1f}", "kitchen, 2.0"),
        ("{a.at}", '{"x":1}'),
        ("{a.room} {a.ok} {a.at.x}", "kitchen true 1"),
        ("{b.v} {last(b).v:.1f} {first(b).v:.1f} {b[2].v}", "3.75 3.8 1.2 2.5"),
        ("{a} {a.id} {a.time} {b[1]}", "g1 g1 10:00 t1"),
        ("{count(b)} of {count(z)}", "3 of -"),
        ("{b[4].v} {z.v} {a.nothing} {a.room.x} {key.x}", "- - - - -"),
        ("{c} {c.id} {c.v}", "s1 s1 -"),
        # A format that does not fit leaves the value as it is.
        ("{a.room:.1f} {a.room:>8}", "kitchen  kitchen"),
        ("{{}} {op}", "{} emit"),
    ],
)
def test_gaps_are_filled_by_the_record(text: str, message: str) -> None:
    assert said(text) == message


@pytest.mark.parametrize(
    "record", [{"reason": "invalid", "raw": "x"}, {"op": "emit", "key": None, "events": None}]
)
def test_a_record_that_has_nothing_for_a_gap_is_no_error(record: dict[str, Any]) -> None:
    assert said("{a.room} {key.room} {count(b)} {first(b).v:.1f}", record) == "- - - -"


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"text": "{a.room"}, "'text' has a '{' by itself: write '{{' for one"),
        ({"text": "a}"}, "'text' has a '}' by itself"),
        ({"text": "{a + b}"}, "'text' has '{a + b}', which cannot be filled in"),
        ({"text": "{b[0].v}"}, "cannot be filled in"),
        ({"text": "{}"}, "cannot be filled in"),
        ({"text": "{a.v:nonsense}"}, "where 'nonsense' is no format of Python"),
        ({"text": "x", "field": "match"}, "'field' cannot be 'match'"),
    ],
)  # fmt: skip
def test_a_text_that_cannot_be_filled_in_is_refused(options: dict[str, str], problem: str) -> None:
    with pytest.raises(ValueError) as refused:
        MessageOptions(**options)
    assert problem in str(refused.value)
