"""The options of time formats."""

from __future__ import annotations

import pytest

from limecep_times.config import SinceOptions


def test_counting_begins_on_a_day_or_at_a_time() -> None:
    assert SinceOptions(begin="1899-12-30").instant.isoformat() == "1899-12-30T00:00:00+00:00"
    assert SinceOptions(begin="1980-01-06T00:00:00+01:00").instant.utcoffset() is not None
    with pytest.raises(ValueError, match="'begin' is no date and no time in ISO 8601: the day"):
        SinceOptions(begin="the day")
