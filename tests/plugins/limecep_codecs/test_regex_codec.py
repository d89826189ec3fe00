"""Lines of text: by patterns of users, and in the formats that are known."""

from __future__ import annotations

import logging
from collections import Counter
from typing import Any

import pytest

from limecep.clock import ManualClock, Stopwatch
from limecep.contracts.codec import Undecodable
from limecep.contracts.context import Context
from limecep.contracts.source import Message
from limecep_codecs.config import RegexOptions
from limecep_codecs.regex_codec import RegexCodec

CONTEXT = Context(label="test", clock=ManualClock(), counters=Counter(), logger=logging.getLogger())


def read(*lines: str | bytes, **options: Any) -> list[Any]:
    codec = RegexCodec(RegexOptions(**options), CONTEXT)
    sent = [
        Message(line if isinstance(line, bytes) else line.encode(), "f", f"f:{n}")
        for n, line in enumerate(lines, 1)
    ]
    return [record.error if isinstance(record, Undecodable) else record for _, record in codec.decode(sent)]


# -- patterns -------------------------------------------------------------------------------------------


def test_the_groups_that_have_names_are_the_fields() -> None:
    pattern = r"(?P<who>\S+) took (\d+) (?P<unit>ms|s)(?: at (?P<where>.*))?"
    assert read("\ufeffx: né took 5 ms\r", "a took 7 s at höme ", "", "took", pattern=pattern) == [
        {"who": "né", "unit": "ms"},
        {"who": "a", "unit": "s", "where": "höme "},
        "the line does not match the pattern",
    ]


def test_words_for_nothing_and_other_encodings() -> None:
    pattern = r"^(?<a>\S*) (?P<b>.*)$"
    assert read("- é".encode("latin-1"), pattern=pattern, nulls=["-"], encoding="latin-1") == [{"b": "é"}]
    assert "not UTF-8: byte 1 is 0xff" in read(b"\xff", pattern=pattern)[0]


def test_no_line_keeps_a_pattern_busy() -> None:
    watch = Stopwatch()
    assert read("a" * 1_000_000 + "b", pattern=r"(?P<a>(a+)+$)") == ["the line does not match the pattern"]
    assert watch.seconds < 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "'pattern' or 'preset' must be given, and not both"),
        ({"pattern": "(?P<a>.)", "preset": "nmea"}, "'pattern' or 'preset' must be given, and not both"),
        ({"pattern": "(a"}, r"'pattern' cannot be read: missing \): \(a"),
        ({"pattern": r"(?P<a>.)(?=b)"}, r"'pattern' cannot be read: invalid perl operator: \(\?="),
        ({"pattern": r"(a)"}, "'pattern' has no group with a name, such as"),
        ({"preset": "nmea", "encoding": "x"}, "'encoding' is none of text: 'x'"),
    ],
)
def test_options_that_cannot_work_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        RegexOptions(**options)
