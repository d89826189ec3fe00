"""The conformance suite for time formats: subclass it in a test module, and pytest runs it.

from limecep.testing.time import TimeConformance

class TestMyFormat(TimeConformance):
    samples = (("2.5", datetime(1970, 1, 3, 12, tzinfo=UTC)),)

    def make_format(self, context):
        return MyFormat(MyOptions(), context)
"""

from __future__ import annotations

import contextlib
from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limecep.clock import ManualClock
from limecep.contracts.codec import Spelled
from limecep.contracts.context import Context
from limecep.contracts.time import TimeFormat
from limecep.errors import ContractBreach
from limecep.intake.brought_times import brought_reader
from limecep.intake.times import Unreadable
from limecep.testing.bench import SilentLogger
from limecep.testing.bounded import Bounded
from limecep.testing.spelling import check_spelling

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.from_regex(r"[0-9.:TZ /-]{1,20}", fullmatch=True),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=4,
)


class TimeConformance(Bounded):
    """What every time format must do. A test class: subclass it and say how the format is made.

    Attributes:
        samples: Values with the instants that they are, in microseconds since 1970 or as datetimes. Without
            any the suite does not know whether times are read right.
    """

    samples: ClassVar[Sequence[tuple[Any, int | datetime]]] = ()

    def make_format(self, context: Context) -> Any:
        """A new time format."""
        raise NotImplementedError("say how the time format is made")

    def test_samples_are_read(self) -> None:
        """Each is the instant that the test says."""
        if not self.samples:
            pytest.skip("give 'samples': values, and the instants that they are")
        read = brought_reader("mine", self._made())
        for value, instant in self.samples:
            meant = brought_reader("given", _As(instant))(None)
            assert read(value) == meant, f"{value!r} is read as another time"

    def test_what_is_no_time_is_told_as_that(self) -> None:
        """Whatever stands in the field, it gives an instant or raises ValueError."""
        read = brought_reader("mine", self._made())

        @settings(max_examples=300, deadline=None, database=None)
        @given(_VALUES)
        def check(value: Any) -> None:
            try:
                with contextlib.suppress(Unreadable):
                    read(value)
            except ContractBreach as breach:
                raise AssertionError(f"it {breach}") from None
            except Exception as error:
                said = f"{value!r}: raises {error!r}, where only ValueError is expected"
                raise AssertionError(said) from error

        check()

    def test_numbers_are_read_however_they_are_spelled(self) -> None:
        """Codecs of text give numbers as text, and those of JSON as they are spelled where it matters."""
        read = brought_reader("mine", self._made())
        for value, _ in self.samples:
            if type(value) in (int, float):
                assert read(Spelled(repr(value))) == read(value), f"{value!r} is another time as text"

    def test_a_value_is_the_same_instant_each_time(self) -> None:
        """Messages are read again after a crash, and by other processes."""
        one, other = brought_reader("mine", self._made()), brought_reader("mine", self._made())
        values = [value for value, _ in self.samples]
        assert [one(v) for v in values] == [other(v) for v in values[::-1]][::-1] == [one(v) for v in values]

    def test_no_method_is_misspelt(self) -> None:
        """The kernel would not call it."""
        check_spelling(type(self._made()), TimeFormat, ())

    def _made(self) -> Any:
        return self.make_format(
            Context(label="sources.s.time", clock=ManualClock(), counters=Counter(), logger=SilentLogger())
        )


class _As:
    """Reads everything as one instant."""

    def __init__(self, instant: int | datetime) -> None:
        self._instant = instant

    def read(self, value: Any) -> int | datetime:
        return self._instant
