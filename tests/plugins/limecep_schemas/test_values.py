"""Values that Avro has and JSON has not."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from decimal import Decimal
from uuid import UUID

import pytest

from limecep.contracts.codec import Spelled
from limecep.intake.times import time_reader
from limecep_schemas.values import plain, spelled


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (datetime(2026, 1, 5, 10, 0, 0, 250_000, UTC), "2026-01-05T10:00:00.250000Z"),
        (datetime(2026, 1, 5, 10), "2026-01-05T10:00:00"),
        (date(2026, 1, 5), "2026-01-05"),
        (time(10, 0, 0, 5000), "10:00:00.005000"),
        (Decimal("1.50"), 1.5),
        (Decimal("15"), 15),
        (Decimal("1E+2"), 100),
        (b"\x00\xff", "AP8="),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (float("nan"), None),
        (float("-inf"), None),
        (2**60, 2**60),
        (None, None),
        ({"a": [{"b": b"\x01"}]}, {"a": [{"b": "AQ=="}]}),
    ],
)
def test_a_value_is_told_as_json_knows_it(value: object, told: object) -> None:
    found = plain(value)
    assert found == told
    assert type(found) is type(told)


def test_a_source_reads_the_time_without_a_format() -> None:
    read = time_reader("iso8601", None)
    for microsecond in (0, 1, 250_000):
        instant = datetime(2026, 1, 5, 10, 0, 0, microsecond, UTC)
        assert read(plain(instant)) == 1_767_607_200_000_000 + microsecond
    assert time_reader("iso8601", "UTC")(plain(datetime(2026, 1, 5, 10))) == 1_767_607_200_000_000


def test_numbers_keep_the_decimals_that_the_schema_gives_them() -> None:
    found = spelled({"a": Decimal("1.50"), "b": Decimal("7"), "c": 0.1, "d": float("nan")})
    assert found == {"a": "1.50", "b": 7, "c": "0.1", "d": None}
    assert type(found["a"]) is type(found["c"]) is Spelled
