"""What conditions are made of."""

from __future__ import annotations

import pytest

from limecep.language.parser import parse
from limecep.model.expression import Binary, Constant, Expression


def condition(text: str) -> Expression | None:
    return parse(f"PATTERN A a WHERE {text} WITHIN 1 s").where


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12),
        ("-3", -3),
        ("0.5", 0.5),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("9" * 30, int("9" * 30)),
        ("TRUE", True),
        ("null", None),
        ("5 minutes", 300),
        ("1.5 h", 5400),
        ("20 ms", 0.02),
        ("2 `days`", 172_800),
        ("''", ""),
    ],
)
def test_a_literal_is_a_constant_of_its_type(text: str, value: object) -> None:
    where = condition(f"$p = {text}")
    assert isinstance(where, Binary)
    assert isinstance(where.right, Constant)
    assert where.right.value == value
    assert type(where.right.value) is type(value)
