"""Cells that are numbers."""

from __future__ import annotations

from typing import Any

import pytest

from limecep_codecs.cells import plain_with_comma


@pytest.mark.parametrize(
    ("text", "value"),
    [("3,14", 3.14), ("-0,5", -0.5), (",5", 0.5), ("1,", 1.0), ("1,5e3", 1500.0), ("7", 7), ("true", True),
     ("1.234", "1.234"), ("1.234,5", "1.234,5"), ("1,2,3", "1,2,3"), ("a,b", "a,b"), ("007", "007"),
     ("00,5", "00,5"), ("", "")],
)  # fmt: skip
def test_numbers_with_a_decimal_comma(text: str, value: Any) -> None:
    found = plain_with_comma(text)
    assert (found, type(found)) == (value, type(value))
