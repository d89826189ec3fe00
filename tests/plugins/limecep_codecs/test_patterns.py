"""Expressions need a library that not everybody has."""

from __future__ import annotations

import logging
import sys
from collections import Counter
from typing import Any

import pytest

from limecep.clock import ManualClock
from limecep.contracts.codec import Undecodable
from limecep.contracts.context import Context
from limecep.contracts.source import Message
from limecep_codecs import patterns
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


def test_what_patterns_need_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "re2", None)
    patterns.compiled.cache_clear()
    with pytest.raises(ValueError, match=r"'pattern' needs the module 're2'.*pip install 'limecep\[regex\]'"):
        RegexOptions(pattern="(?P<a>.)")
    # The formats that are known need nothing.
    assert read("a=1", preset="logfmt") == [{"a": "1"}]
