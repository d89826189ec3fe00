"""JSON of whatever a record holds."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from limecep.encoding import DEPTH, frozen, to_canonical_json, to_json

NAN, INF = float("nan"), float("inf")
#: Half of a pair of surrogates, which UTF-8 has no bytes for.
HALF = "\ud83d"


def nested(depth: int) -> Any:
    value: Any = "x"
    for n in range(depth):
        value = [value] if n % 2 else {"a": value}
    return value


@pytest.mark.parametrize("encode", [to_json, to_canonical_json])
@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"é": [1, 2.5, True, None]}, '{"é":[1,2.5,true,null]}'),
        ([NAN, INF, -INF, 1.5], "[null,null,null,1.5]"),
        ({"a": Path("x/y"), "b": date(2026, 1, 5)}, '{"a":"x/y","b":"2026-01-05"}'),
        (Decimal("1.5"), '"1.5"'),
        ({(1, 2): "x"}, '{"(1, 2)":"x"}'),
        ("half \ud83d", '"half ?"'),
        ({HALF: [NAN, INF, 0.5, False, None, "é", 7, Path("x")]},
         '{"?":[null,null,0.5,false,null,"é",7,"x"]}'),
        ({HALF: (1, INF)}, '{"?":[1,null]}'),
        ({HALF: [frozenset({1}), {2}]}, '{"?":[[1],[2]]}'),
        (2**70, str(2**70)),
    ],
)  # fmt: skip
def test_everything_has_a_text(encode: Any, value: object, text: str) -> None:
    assert encode(value).decode() == text


def test_equal_values_have_one_canonical_text_and_others_keep_their_order() -> None:
    for more in ({}, {HALF: 1}):
        one, other = {**more, "b": {"d": 3, "c": 2}, "a": 1}, {"a": 1, "b": {"c": 2, "d": 3}, **more}
        assert to_canonical_json(one) == to_canonical_json(other)
        assert to_json(one).endswith(b'"b":{"d":3,"c":2},"a":1}')


def test_what_is_too_deep_is_null() -> None:
    assert json.loads(to_json({HALF: nested(DEPTH - 1)})) == {"?": nested(DEPTH - 1)}
    too_deep = to_json({HALF: nested(DEPTH)})
    assert b"null" in too_deep
    assert b"x" not in too_deep


def test_lists_of_json_become_tuples_in_lists_too() -> None:
    assert frozen([1, [2, [3]], "x"]) == (1, (2, (3,)), "x")
    assert frozen("x") == "x"
