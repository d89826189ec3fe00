"""Functions of texts, against Python's own answers."""

from __future__ import annotations

from typing import Any

import pytest

from limecep_functions import texts

SIGMA = "ΟΔΟΣ"


@pytest.mark.parametrize(
    ("function", "arguments", "value"),
    [
        ("lower", ("Ärger",), "ärger"),
        ("lower", (SIGMA,), "οδος"),
        ("upper", ("straße",), "STRASSE"),
        ("trim", (" \t a b\n",), "a b"),
        ("length", ("",), 0),
        ("length", ("añ😀",), 3),
        ("substring", ("GR-123", 1, 2), "GR-123"[0:2]),
        ("substring", ("GR-123", 4), "GR-123"[3:]),
        ("substring", ("GR-123", 5, 9), "23"),
        ("substring", ("GR-123", 7), ""),
        ("substring", ("GR-123", 2, 0), ""),
        ("substring", ("GR-123", 0), None),
        ("substring", ("GR-123", -1, 2), None),
        ("substring", ("GR-123", 1, -1), None),
        ("replaced", ("a-b-c", "-", ""), "a-b-c".replace("-", "")),
        ("replaced", ("aaa", "aa", "b"), "ba"),
        ("replaced", ("abc", "", "x"), "abc"),
        ("contains", ("disk error", "err"), True),
        ("contains", ("disk", "Disk"), False),
        ("contains", ("disk", ""), True),
        ("starts_with", ("k-17", "k-"), True),
        ("starts_with", ("k-17", "17"), False),
        ("ends_with", ("k-17", "17"), True),
        ("ends_with", ("k-17", "k-"), False),
        ("split", ("a/b/c", "/", 2), ["a", "b", "c"][1]),
        ("split", ("a/b/c", "/", -1), "c"),
        ("split", ("a/b/c", "/", 4), None),
        ("split", ("a/b/c", "/", -4), None),
        ("split", ("a/b/c", "/", 0), None),
        ("split", ("abc", "", 1), None),
        ("split", ("", "/", 1), ""),
        ("concat", ("a",), "a"),
        ("concat", ("a", "-", "b"), "-".join("ab")),
    ],
)
def test_a_text_gives(function: str, arguments: tuple[Any, ...], value: object) -> None:
    found = getattr(texts, function)(*arguments)
    assert (type(found), found) == (type(value), value)
