"""What is said of records that gave no event."""

from __future__ import annotations

import pytest

from limecep.diagnosis.unusable import wrong
from limecep.intake.times import OUT_OF_RANGE


@pytest.mark.parametrize(
    ("error", "fields", "said"),
    [
        ("no time: 'time' is missing", ["tima", "v"], "it has 'tima', 'v'; did you mean 'tima'?"),
        ("no time: 'time' is missing", [], "it has no fields"),
        ("no time: 'time' is missing", ["time;v"], "it has one field, 'time;v': is the delimiter \";\"?"),
        (f"'time' {OUT_OF_RANGE}", ["time"], "is 'format' the unit of its numbers?"),
        # A plugin has its own words.
        ("'time' is no time of the format 'mine': it is out of range", ["time"], ""),
        ("'id' is odd", ["id"], ""),
    ],
)
def test_what_was_probably_meant_is_said_behind_the_error(error: str, fields: list[str], said: str) -> None:
    assert wrong(error, fields) == (f"{error}; {said}" if said else error)
