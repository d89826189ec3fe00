"""Rows as messages."""

from __future__ import annotations

import datetime
import json
import uuid
from decimal import Decimal

from limecep_sql.rows import as_json, as_message

UTC = datetime.UTC


def test_values_become_those_of_json() -> None:
    values = {
        "none": None,
        "true": True,
        "text": "é",
        "float": 1.5,
        "exact": Decimal("12.50"),
        "no number": Decimal("NaN"),
        "at": datetime.datetime(2026, 1, 5, 10, 0, 0, 500_000, UTC),
        "day": datetime.date(2026, 1, 5),
        "long": datetime.timedelta(minutes=1),
        "bytes": b"\xff\x00",
        "id": uuid.UUID(int=1),
        "nested": {"a": [Decimal("1"), (1, 2)]},
    }
    made = as_json([*values], [*values.values()])
    assert b'"exact":12.50' in made
    assert json.loads(made) == {
        "none": None,
        "true": True,
        "text": "é",
        "float": 1.5,
        "exact": 12.5,
        "no number": None,
        "at": "2026-01-05T10:00:00.500000+00:00",
        "day": "2026-01-05",
        "long": 60.0,
        "bytes": "/wA=",
        "id": "00000000-0000-0000-0000-000000000001",
        "nested": {"a": [1, [1, 2]]},
    }


def test_a_column_may_hold_a_message_as_it_is() -> None:
    assert as_message(None) == b""
    assert as_message(b"\xff") == b"\xff"
    assert as_message(memoryview(b"x")) == b"x"
    assert as_message(' {"a": "é"}') == ' {"a": "é"}'.encode()
    assert as_message({"a": Decimal("1.0")}) == b'{"a":1.0}'
