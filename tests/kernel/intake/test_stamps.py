"""A strptime text means what it means to Python."""

from __future__ import annotations

import contextlib
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limecep.intake.stamps import Form

DATES = ["%Y-%m-%d", "%y%m%d", "%d/%b/%Y", "%B %d, %Y", "%a %d %b %Y", "%A, %d.%m.%Y", "%Y/%j", "%G-W%V-%u",
         "%G%V%a", "%Y %U %w", "%Y %W %A", "%Y %W %w", "%x", "%Y"]  # fmt: skip
TIMES = ["", " %H:%M:%S", "T%H%M%S", " %I:%M:%S %p", " %H:%M:%S.%f", " %X", " %H"]
ZONES = ["", " %z", "%z"]

offsets = st.integers(-14 * 60, 14 * 60).map(lambda n: timezone(timedelta(minutes=n)))


@given(
    st.datetimes(datetime(1970, 1, 1), datetime(2068, 12, 31), timezones=offsets),
    st.sampled_from(DATES),
    st.sampled_from(TIMES),
    st.sampled_from(ZONES),
)
def test_stamps_are_read_as_python_reads_them(when: datetime, day: str, time: str, zone: str) -> None:
    format = day + time + zone
    text = when.strftime(format)
    assert Form(format).read(text) == datetime.strptime(text, format)


@given(st.text(alphabet="%YmdHMSfjbBaApIzGVuUWwyLcxX :-/.T0", max_size=12), st.text(max_size=20))
def test_odd_forms_and_stamps_raise_nothing_else(format: str, text: str) -> None:
    with contextlib.suppress(ValueError, OverflowError):
        Form(format).read(text)


@pytest.mark.parametrize(
    ("format", "year", "day"),
    [
        ("%Y-%m-%d", True, True),
        ("%b %d %H:%M:%S", False, True),
        ("%j %H:%M %z", False, True),
        ("%H:%M:%S", False, False),
        ("%G-W%V-%u", True, True),
    ],
)
def test_a_form_knows_what_stamps_say(format: str, year: bool, day: bool) -> None:
    form = Form(format)
    assert (form.has_year, form.has_day) == (year, day)


def test_29_february_needs_a_year_that_has_it() -> None:
    form = Form("%b %d")
    assert form.read("Feb 29", 2024) == datetime(2024, 2, 29)
    with pytest.raises(ValueError, match="day is out of range"):
        form.read("Feb 29", 2026)
