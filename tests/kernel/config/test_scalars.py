from __future__ import annotations

import math

import pytest

from limecep.config.scalars import resolve


@pytest.mark.parametrize(
    "text", ["On", "yes", "no", "off", "1:30", "1_000", "2026-01-05", "0b1", "+.5.", "0x", "=", "<<"]
)
def test_what_only_yaml_1_1_turned_into_something_is_text(text: str) -> None:
    assert resolve(text) == text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("~", None),
        ("null", None),
        ("true", True),
        ("FALSE", False),
        ("1", 1),
        ("-17", -17),
        ("017", 17),
        ("0o17", 15),
        ("0x1F", 31),
        ("1.5", 1.5),
        (".5", 0.5),
        ("5.", 5.0),
        ("1e3", 1000.0),
        ("-.inf", -math.inf),
    ],
)
def test_the_core_schema_gives_values(text: str, value: object) -> None:
    assert resolve(text) == value
    assert type(resolve(text)) is type(value)


def test_nan_is_a_number() -> None:
    assert math.isnan(resolve(".nan"))  # type: ignore[arg-type]


def test_a_number_of_thousands_of_digits_is_text() -> None:
    assert resolve("9" * 5000) == "9" * 5000
