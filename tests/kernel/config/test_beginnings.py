"""Where a pattern begins: one of three words, or a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.config.loader import load_dict

if TYPE_CHECKING:
    from limecep.registry import Registry


def loaded(begins: Any, installed: Registry) -> Any:
    pattern = {"query": "PATTERN SEQ(A a) WITHIN 1 s", "from": begins}
    return load_dict({"version": 1, "patterns": {"p": pattern}}, installed)


@pytest.mark.parametrize(
    ("given", "read"),
    [("now", "now"), ("beginning", "beginning"), ("1970-01-01T00:00:01+00:00", 1_000_000)],
)
def test_words_and_times_are_read(given: str, read: Any, installed: Registry) -> None:
    (pattern,) = loaded(given, installed).checked().patterns
    assert (pattern.begins, pattern.announce) == (read, True)


@pytest.mark.parametrize("given", ["yesterday", "2026-03-01T00:00:00", 12])
def test_what_is_neither_is_told_with_what_would_be(given: Any, installed: Registry) -> None:
    (problem,) = [p for p in loaded(given, installed).problems if p.severity == "error"]
    assert "neither a time with its zone nor one of now, memory, beginning" in problem.message
    assert problem.hint == "write it as 2026-03-01T00:00:00Z"
