"""Cells of lines, and those that are numbers."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limecep_codecs.cells import Cells, plain_with_comma
from limecep_codecs.config import CsvOptions


@pytest.mark.parametrize(
    ("text", "value"),
    [("3,14", 3.14), ("-0,5", -0.5), (",5", 0.5), ("1,", 1.0), ("1,5e3", 1500.0), ("7", 7), ("true", True),
     ("1.234", "1.234"), ("1.234,5", "1.234,5"), ("1,2,3", "1,2,3"), ("a,b", "a,b"), ("007", "007"),
     ("00,5", "00,5"), ("", "")],
)  # fmt: skip
def test_numbers_with_a_decimal_comma(text: str, value: Any) -> None:
    found = plain_with_comma(text)
    assert (found, type(found)) == (value, type(value))


@given(
    st.lists(st.text("a ,\t;", max_size=6), min_size=1, max_size=4),
    st.sampled_from([",", "\t", " "]),
    st.booleans(),
)
def test_cells_of_many_lines_are_those_of_each(lines: list[str], delimiter: str, trim: bool) -> None:
    cells = Cells(CsvOptions(delimiter=delimiter, trim=trim))
    each = [cells.trimmed(line) if trim else line.split(delimiter) for line in lines]
    flat = [cell for row in each for cell in (*row, "\n")]
    assert cells.flat("\n".join(lines)) == flat[:-1]
