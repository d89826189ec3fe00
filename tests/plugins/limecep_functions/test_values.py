"""Functions of values of any kind, against Python's own answers."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from limecep.model.instants import Instant
from limecep_functions import values

KINDS = ["is_text", "is_number", "is_boolean", "is_list", "is_object"]


@pytest.mark.parametrize(
    ("function", "arguments", "value"),
    [
        ("coalesce", (None, 0, 5), 0),
        ("coalesce", (False, 1), False),
        ("coalesce", (None, None), None),
        ("coalesce", ("",), ""),
        ("least", (3, 1.5, 2), min(3, 1.5, 2)),
        ("least", ("b", "a"), "a"),
        ("least", (1, "a"), None),
        ("least", (1, None), None),
        ("least", (True, 2), None),
        ("least", (math.nan, 1), None),
        ("greatest", (3, 1.5), max(3, 1.5)),
        ("greatest", ("b", "a"), "b"),
        ("greatest", ([1], [2]), None),
        ("greatest", (5,), 5),
        ("choose", (True, 1, 2), 1),
        ("choose", (False, 1, 2), 2),
        ("choose", (None, 1, 2), 2),
        ("choose", (False, 1), None),
        ("hashed", ("a",), "167004e8304614a8"),
        ("hashed", (2.0,), values.hashed(2)),
        ("hashed", (None,), None),
        ("text", (Instant(0),), "1970-01-01T00:00:00Z"),
        ("number", ("12",), int("12")),
        ("number", (" -1.5e3 ",), float("-1.5e3")),
        ("number", (".5",), 0.5),
        ("number", ("+7",), 7),
        ("number", ("1_000",), None),
        ("number", ("١٢",), None),
        ("number", ("0x10",), None),
        ("number", ("nan",), None),
        ("number", ("1e999",), None),
        ("number", ("9" * 1000,), 10**1000 - 1),
        ("number", ("9" * 1001,), None),
        ("number", ("",), None),
        ("number", (3,), 3),
        ("number", (10**400,), 10**400),
        ("number", (math.inf,), None),
        ("number", (True,), None),
        ("number", ([1],), None),
        ("number", (None,), None),
        ("text", ("x",), "x"),
        ("text", (12,), str(12)),
        ("text", (2.0,), "2"),
        ("text", (-0.0,), "0"),
        ("text", (0.1,), json.dumps(0.1)),
        ("text", (1e22,), str(10**22)),
        ("text", (10**22,), str(10**22)),
        ("text", (-(10**999),), str(-(10**999))),
        ("text", (10**1000,), None),
        ("text", (True,), json.dumps(True)),
        ("text", (math.nan,), None),
        ("text", (-math.inf,), None),
        ("text", ([1],), None),
        ("text", (None,), None),
    ],
)
def test_a_value_gives(function: str, arguments: tuple[Any, ...], value: object) -> None:
    found = getattr(values, function)(*arguments)
    assert (type(found), found) == (type(value), value)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("", "is_text"),
        (0, "is_number"),
        (1.5, "is_number"),
        (True, "is_boolean"),
        ([], "is_list"),
        ({}, "is_object"),
        (None, ""),
        (math.nan, ""),
    ],
)
def test_a_value_is_of_one_kind_at_most(value: object, kind: str) -> None:
    assert {name for name in KINDS if getattr(values, name)(value)} == {kind} - {""}
