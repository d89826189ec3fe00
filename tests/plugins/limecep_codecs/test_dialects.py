"""CSV as programs write it: blanks, other marks, comments, lines before the header, words for nothing."""

from __future__ import annotations

import logging
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limecep.clock import ManualClock
from limecep.contracts.codec import Undecodable
from limecep.contracts.context import Context
from limecep.contracts.source import Message
from limecep_codecs.config import CsvOptions
from limecep_codecs.csv_codec import CsvCodec

if TYPE_CHECKING:
    from collections.abc import Sequence

CONTEXT = Context(label="test", clock=ManualClock(), counters=Counter(), logger=logging.getLogger())


def messages(lines: Sequence[str | bytes]) -> list[Message]:
    return [
        Message(line if isinstance(line, bytes) else line.encode(), "f", f"f:{n}")
        for n, line in enumerate(lines, 1)
    ]


def read(lines: Sequence[str | bytes], **options: Any) -> list[Any]:
    """The records of lines; for what is none, why."""
    codec = CsvCodec(CsvOptions(**options), CONTEXT)
    found = [*codec.decode(messages(lines)), *codec.finish()]
    return [record.error if isinstance(record, Undecodable) else record for _, record in found]


@pytest.mark.parametrize(
    ("lines", "options", "records"),
    [
        (["t, v,\ts ", " 1 , 5,x y\t"], {}, [{"t": "1", "v": "5", "s": "x y"}]),
        (['t, " v "', '1, " x"', '" 2" ,"y "'], {}, [{"t": "1", " v ": " x"}, {"t": " 2", " v ": "y "}]),
        (["a,b", '1, "x, ""y"" "', '2,"p", ', "3, "], {},
         [{"a": "1", "b": 'x, "y" '}, {"a": "2", "b": "p"}, {"a": "3"}]),
        (["a,b", '5" , 6"x" '], {}, [{"a": '5"', "b": '6"x"'}]),
        (["a, b", " 1, 2 "], {"trim": False}, [{"a": " 1", " b": " 2 "}]),
        (["a\tb", "1 \t x", "\t2"], {"delimiter": "\t"}, [{"a": "1", "b": "x"}, {"b": "2"}]),
        (["a b", '1 "x y"'], {"delimiter": " "}, [{"a": "1", "b": "x y"}]),
        (["a;b", "'x;''y''';\"2\""], {"delimiter": ";", "quote": "'"}, [{"a": "x;'y'", "b": '"2"'}]),
        (["a,b", '"1,"2"'], {"quote": ""}, [{"a": '"1', "b": '"2"'}]),
        (["# made by", "a,b", "1,#2", " #3,4"], {"comment": "#"}, [{"a": "1", "b": "#2"}]),
        (["a,b", '"x', '# y",1'], {"comment": "#"}, [{"a": "x\n# y", "b": "1"}]),
        (["Report", b"\xff", "a,b", "1,2"], {"skip": 2}, [{"a": "1", "b": "2"}]),
        (["Report", "1,2"], {"skip": 1, "columns": ["a", "b"]}, [{"a": "1", "b": "2"}]),
        (["a,b", "1,2"], {"columns": ["a", "b"]}, [{"a": "1", "b": "2"}]),
        (["a,b,c", "NA,-,"], {"nulls": ["NA", "-"]}, [{}]),
        (["a,b", "NAN, NA "], {"nulls": ["NA"]}, [{"a": "NAN"}]),
        (["a,b", "1,2,,", "3,4, ,"], {}, [{"a": "1", "b": "2"}, {"a": "3", "b": "4"}]),
        (["a,b", "1", "1,2,3"], {"ragged": "read"}, [{"a": "1"}, {"a": "1", "b": "2"}]),
    ],
)  # fmt: skip
def test_dialects(lines: list[str | bytes], options: dict[str, Any], records: list[Any]) -> None:
    assert read(lines, **options) == records


@pytest.mark.parametrize("lines", [["a,b\r1,2\r3,4\r"], ["a,b", '1,"2"\r3,4']])
def test_carriage_returns_that_end_lines_are_told(lines: list[str | bytes]) -> None:
    assert "a carriage return (\\r) stands in a cell without quotes" in read(lines)[0]


def test_ragged_lines_are_counted_and_the_first_is_named() -> None:
    for ragged in ("invalid", "read"):
        codec = CsvCodec(CsvOptions(ragged=ragged), CONTEXT)  # type: ignore[arg-type]
        assert codec.counted() == {}
        codec.decode(messages(["a,b", "1,2", "1,2,3", "1"]))
        said = {"ragged_lines": 2, "first_ragged": "f:3: 3 cells where there are 2 columns"}
        assert codec.counted() == said


PIECES = st.text(st.sampled_from('a1 \t",;#é'), max_size=5)


@given(st.lists(st.lists(PIECES, min_size=2, max_size=4), min_size=1, max_size=4), st.booleans())
def test_cells_without_quotes_read_alike_whichever_way_they_are_read(
    rows: list[list[str]], quoted: bool
) -> None:
    """A quoted cell beside them sends a line the slow way."""
    lines = [",".join(cell.replace('"', "").replace(",", "") for cell in row) for row in rows]
    columns = [f"c{n}" for n in range(9)]
    if quoted:
        lines = [f'"q",{line}' for line in lines]
    expected = []
    for line in lines:
        cells = ["q", *line[4:].split(",")] if quoted else line.split(",")
        record = {name: c for name, cell in zip(columns, cells, strict=False) if (c := cell.strip(" \t"))}
        if quoted or record or len(cells) > 1:
            expected.append(record)
    assert read(lines, columns=columns, ragged="read") == expected


@given(st.lists(PIECES.filter(lambda cell: cell == cell.strip()), min_size=2, max_size=4))
def test_what_is_written_with_blanks_between_cells_is_read_back(cells: list[str]) -> None:
    quoted = ['"' + cell.replace('"', '""') + '"' for cell in cells]
    columns = [f"c{n}" for n in range(len(cells))]
    wanted = {name: cell for name, cell in zip(columns, cells, strict=True) if cell}
    assert read([" , ".join(quoted)], columns=columns) == [wanted]
