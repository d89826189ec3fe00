"""Records become messages, with the match as key."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from limecep.contracts.codec import Plain
from limecep_kafka.config import KafkaSinkSettings
from limecep_kafka.records import Outgoings

Mode = Literal["changelog", "upsert", "final"]
EMIT = {"op": "emit", "match": "m1", "pattern": "p", "key": {"room": "a/b c"}}
LATE = {"reason": "invalid", "source": "s"}
JSON = ("content-type", b"application/json")


def outgoings(channel: str = "out", mode: Any = None) -> Outgoings:
    return Outgoings(channel, KafkaSinkSettings(**({"mode": mode} if mode else {})), Plain())


def test_the_key_is_the_match_and_a_header_says_what_happened_to_it() -> None:
    made = outgoings().of(EMIT)
    assert made is not None
    assert (made.topic, made.key, made.headers) == ("out", b"m1", [JSON, ("op", b"emit")])
    assert made.value == Plain().encode(EMIT)


def test_what_no_topic_may_have_in_its_name_is_replaced() -> None:
    made = outgoings("x.{pattern}.{key.room}.{key}").of(EMIT)
    assert made is not None
    assert made.topic == "x.p.a_b_c.a_b_c"


def test_late_events_have_no_key_and_say_why() -> None:
    for mode in (None, "upsert", "final"):
        made = outgoings("late.{reason}", mode).of(LATE)
        assert made is not None
        assert (made.topic, made.key) == ("late.invalid", None)
        assert made.headers == [JSON, ("reason", b"invalid")]
        assert made.value == Plain().encode(LATE)


@pytest.mark.parametrize(
    ("mode", "record", "sent"),
    [
        (None, {"op": "retract"}, "value"),
        (None, {"op": "final"}, "value"),
        ("upsert", {"op": "emit"}, "value"),
        ("upsert", {"op": "correct"}, "value"),
        ("upsert", {"op": "retract"}, "tombstone"),
        ("final", {"op": "emit"}, ""),
        ("final", {"op": "emit", "final": True}, "value"),
        ("final", {"op": "emit", "final": False}, ""),
        ("final", {"op": "final"}, "value"),
        ("final", {"op": "retract"}, ""),
    ],
)
def test_what_is_sent_is_a_matter_of_the_mode(mode: Any, record: dict[str, Any], sent: str) -> None:
    made = outgoings(mode=mode).of({**EMIT, **record})
    assert (made is None) == (sent == "")
    if made is not None:
        assert (made.value is None) == (sent == "tombstone")
        assert made.headers[-1] == ("op", record["op"].encode())
