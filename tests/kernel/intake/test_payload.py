"""Cells and declared fields become what they read as, or nothing."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limecep.intake.payload import CONVERTERS, plain


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12),
        ("0", 0),
        ("-3", -3),
        ("1.50", 1.5),
        (".5", 0.5),
        ("5.", 5.0),
        ("1e5", 100000.0),
        ("-2.5E-3", -0.0025),
        ("true", True),
        ("True", True),
        ("TRUE", True),
        ("false", False),
        ("False", False),
        ("FALSE", False),
        ("123456789012345678901", 123456789012345678901),
    ],
)
def test_plain_numbers_and_booleans_become_such(text: str, value: object) -> None:
    assert plain(text) == value
    assert type(plain(text)) is type(value)


@pytest.mark.parametrize(
    "text",
    ["007", "-007", "1_000", "nan", "inf", "-inf", "Infinity", "1e999", "+5", "0x1f", "1,5", " 1", "1 ",
     "yes", "tRUE", "", "-", ".", "1e", "٣", "9" * 41, "1.2.3", "2026-01-05"],
)  # fmt: skip
def test_other_text_stays_text(text: str) -> None:
    assert plain(text) == text
    assert type(plain(text)) is str


@given(st.text() | st.from_regex(r"-?[0-9]*\.?[0-9]*(e[0-9]+)?", fullmatch=True))
def test_no_cell_becomes_a_number_that_is_not_finite(text: str) -> None:
    value = plain(text)
    assert isinstance(value, str) or math.isfinite(value)


@pytest.mark.parametrize(
    ("type_", "value", "converted"),
    [
        ("float", 1, 1.0),
        ("float", "2.5", 2.5),
        ("float", True, None),
        ("float", "warm", None),
        ("float", 10**400, None),
        ("int", "12", 12),
        ("int", 3.0, 3),
        ("int", 3.5, None),
        ("int", "007", 7),
        ("int", "+5", 5),
        ("int", " -05 ", -5),
        ("int", "2.0", 2),
        ("int", "+-5", None),
        ("int", "1_000", None),
        ("int", "1,000", None),
        ("int", "0x1f", None),
        ("float", "+.5", 0.5),
        ("float", "-007.50", -7.5),
        ("float", "00", 0.0),
        ("float", "+1e3", 1000.0),
        ("float", "nan", None),
        ("float", "+", None),
        ("float", "+true", None),
        ("str", "007", "007"),
        ("str", 1.5, "1.5"),
        ("str", True, "true"),
        ("str", ["a"], None),
        ("bool", "false", False),
        ("bool", 1, True),
        ("bool", "0", False),
        ("bool", 2, None),
    ],
)
def test_declared_fields_convert_or_are_missing(type_: str, value: object, converted: object) -> None:
    result = CONVERTERS[type_](value)
    assert result == converted
    assert type(result) is type(converted)
