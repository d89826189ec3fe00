"""A message is one value."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from limecep.clock import ManualClock
from limecep.contracts.codec import Undecodable
from limecep.contracts.context import Context
from limecep.contracts.source import Message
from limecep.testing.bench import SilentLogger
from limecep_codecs.config import PlainOptions
from limecep_codecs.plain import PlainCodec


def decoded(value: bytes, error: str = "", **options: Any) -> list[Any]:
    context = Context(label="s", clock=ManualClock(), counters=Counter(), logger=SilentLogger())
    codec = PlainCodec(PlainOptions(**options), context)
    return [record for _, record in codec.decode([Message(value, "t", "t:1", error=error)])]


@pytest.mark.parametrize(
    ("value", "kind", "read"),
    [
        (b"21.5", "auto", 21.5),
        (b"-3\r\n", "auto", -3),
        (b"true", "auto", True),
        (b"ON", "auto", "ON"),
        (b"007", "auto", "007"),
        (b" 21.5 \xc2\xb0C ", "auto", "21.5 °C"),
        (b"\xef\xbb\xbf5", "number", 5),
        (b"21.5", "text", "21.5"),
        (b" a b \r\n", "text", " a b "),
    ],
)
def test_kinds_decide_what_a_value_is(value: bytes, kind: str, read: Any) -> None:
    [record] = decoded(value, kind=kind)
    assert record == {"value": read}
    assert type(record["value"]) is type(read)


def test_what_is_no_number_is_told_where_one_is_meant() -> None:
    said = f"not a number: '{'x' * 40}...' ('kind: auto' takes text, too)"
    assert decoded(b"x" * 50, kind="number") == [Undecodable(said)]
    assert decoded(b"21", error="too long") == [Undecodable("too long")]


def test_words_for_no_value_say_nothing() -> None:
    assert decoded(b"unavailable\n", nulls=["unavailable"], kind="number") == []


def test_the_field_has_a_name_without_dots() -> None:
    for name in ("", "a.b", "$a"):
        with pytest.raises(ValueError, match="'as' must"):
            PlainOptions(field=name)
