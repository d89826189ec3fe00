"""The conformance suite for tables: subclass it in a test module, and pytest runs it.

from limecep.testing.table import TableConformance

class TestMyTable(TableConformance):
    samples = ({"machine": "press-1", "max": 80},)

    def make_table(self, channel, context):
        return MyTable(channel, MyOptions(), context)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.errors import RunFailure
from limecep.intake.fields import Unusable
from limecep.intake.given import attributes
from limecep.intake.tables import MessageRows
from limecep.testing.bench import SilentLogger
from limecep.testing.bounded import Bounded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.codec import Codec


class TableConformance(Bounded):
    """What every table must do. A test class: subclass it and say how the table is made.

    Attributes:
        channel: The channel that it is made with.
        root: The folder that relative paths are below.
        samples: The rows that it gives, in their order. Without any the suite does not know whether they are
            right.
        absent: A channel where nothing is; "" where there is no such.
    """

    channel: ClassVar[str] = ""
    root: ClassVar[Path] = Path()
    samples: ClassVar[Sequence[Mapping[str, Any]]] = ()
    absent: ClassVar[str] = ""

    def make_table(self, channel: str, context: Context) -> Any:
        """A new table."""
        raise NotImplementedError("say how the table is made")

    def make_codec(self, context: Context) -> Codec | None:
        """The codec of its messages, for one with the capability `messages`."""
        return None

    def test_it_gives_its_rows(self) -> None:
        """Each of them, in their order."""
        if not self.samples:
            pytest.skip("give 'samples': the rows that it gives")
        assert self._rows() == [dict(row) for row in self.samples]

    def test_rows_are_values_by_names_of_columns(self) -> None:
        """As a program would feed them: numbers, texts, booleans, dates, lists and objects."""
        for number, row in enumerate(self._rows(), start=1):
            try:
                attributes(row)
            except Unusable as error:
                raise AssertionError(f"row {number} {error}") from None

    def test_it_gives_the_same_rows_each_time(self) -> None:
        """Where nothing has changed: a run that goes on from a state needs the rows that it had."""
        assert self._rows() == self._rows()

    def test_where_nothing_is_it_says_so(self) -> None:
        """A RunFailure says why: its text goes on after "cannot be read: "."""
        if not self.absent:
            pytest.skip("give 'absent': a channel where nothing is")
        with pytest.raises(RunFailure):
            self._rows(self.absent)

    def _made(self, channel: str) -> Any:
        context = Context(
            label="tables.t", clock=ManualClock(), counters=Counter(), logger=SilentLogger(), root=self.root
        )
        context.lines = True
        codec = self.make_codec(context)
        context.rows = None if codec is None else MessageRows(codec)
        return self.make_table(channel, context)

    def _rows(self, channel: str | None = None) -> list[dict[str, Any]]:
        found = []
        for row in self._made(self.channel if channel is None else channel).rows():
            assert isinstance(row, Mapping), f"{row!r} is no row: give a mapping of columns to values"
            found.append(dict(row))
        return found
