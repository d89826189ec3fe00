"""Texts that look like something, against SQLite's and RE2's own answers."""

from __future__ import annotations

import re
import sqlite3
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from limecep_functions import searching

_TEXT = st.text("ab%_", max_size=9)


@given(_TEXT, st.text("ab%_", max_size=6))
@example("a%b", "a\\%b")
@example("a\\", "a\\")
def test_like_is_that_of_sql(text: str, pattern: str) -> None:
    with sqlite3.connect(":memory:") as connection:
        connection.execute("PRAGMA case_sensitive_like = ON")
        # SQLite takes no pattern that ends with its escape.
        given = f"{pattern}\\" if pattern.endswith("\\") else pattern
        (expected,) = connection.execute("SELECT ? LIKE ? ESCAPE '\\'", (text, given)).fetchone()
    assert searching.like(text, pattern) is bool(expected)


def test_a_long_text_and_many_percents_end_soon() -> None:
    assert searching.like("a" * 20_000 + "b", "%a" * 400 + "%c") is False
    assert searching.like("a", "%" * 1001) is None


@pytest.mark.parametrize(
    ("text", "pattern", "found"),
    [
        ("GET /api/x", "^GET /api/", True),
        ("GET /api/x", "^/api/", False),
        ("añb", "a.b", True),
        ("x" * 10_000, "(x+x+)+y", False),
        ("a", "(?=a)", None),
        ("a", "(", None),
    ],
)
def test_an_expression_is_found_or_none(text: str, pattern: str, found: Any) -> None:
    pytest.importorskip("re2")
    assert searching.matches(text, pattern) is found
    if found is not None and len(text) < 100:
        assert bool(re.search(pattern, text)) is found
    vet: Any = searching.matches
    assert bool(vet.vet(None, pattern)) is (found is None)
