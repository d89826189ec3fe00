"""Text in the encoding that the options name."""

from __future__ import annotations

import logging
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from limecep.clock import ManualClock
from limecep.contracts.codec import Undecodable
from limecep.contracts.context import Context
from limecep.contracts.source import Message
from limecep_codecs.config import CsvOptions
from limecep_codecs.csv_codec import CsvCodec

if TYPE_CHECKING:
    from collections.abc import Sequence

CONTEXT = Context(label="test", clock=ManualClock(), counters=Counter(), logger=logging.getLogger())


def messages(lines: Sequence[str | bytes]) -> list[Message]:
    return [
        Message(line if isinstance(line, bytes) else line.encode(), "f", f"f:{n}")
        for n, line in enumerate(lines, 1)
    ]


def read(lines: Sequence[str | bytes], **options: Any) -> list[Any]:
    """The records of lines; for what is none, why."""
    codec = CsvCodec(CsvOptions(**options), CONTEXT)
    found = [*codec.decode(messages(lines)), *codec.finish()]
    return [record.error if isinstance(record, Undecodable) else record for _, record in found]


@pytest.mark.parametrize(
    ("encoding", "text"),
    [("latin-1", "é"), ("cp1252", "5 €"), ("utf-16", "é"), ("utf-8", "é"), ("utf-8-sig", "é")],
)
def test_messages_come_in_the_encoding_that_the_options_name(encoding: str, text: str) -> None:
    lines: list[str | bytes] = [line.encode(encoding) for line in ("a,b", f"{text},1")]
    assert read(lines, encoding=encoding) == [{"a": text, "b": "1"}]


@pytest.mark.parametrize(
    ("encoding", "line", "said"),
    [
        ("utf-8", b"\xff\xfea\x00", "not UTF-8: byte 1 is 0xff; it begins like UTF-16: give its format"),
        (
            "utf-8",
            b"a,\xff",
            "not UTF-8: byte 3 is 0xff; if it is text of another encoding, give its format that, as "
            "in 'encoding: cp1252'",
        ),
        (
            "utf-8",
            b"\x1f\x8b\x08",
            "not UTF-8: byte 2 is 0x8b; it begins like gzip: a file that is packed so must "
            "have a name that ends in .gz",
        ),
        ("ascii", b"a,\xc3\xa9", "not ascii: byte 3 is 0xc3"),
    ],
)
def test_bytes_that_are_not_in_the_encoding_are_told(encoding: str, line: bytes, said: str) -> None:
    assert read([line], encoding=encoding, columns=["a", "b"])[0].startswith(said)
