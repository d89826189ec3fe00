"""JSON and CSV: every record, and every line that is none, in order."""

from __future__ import annotations

import csv
import io
import logging
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limecep.clock import ManualClock
from limecep.contracts.codec import Undecodable
from limecep.contracts.context import Context
from limecep.contracts.source import Message
from limecep_codecs import csv_codec
from limecep_codecs.config import CsvOptions, JsonOptions
from limecep_codecs.csv_codec import CsvCodec
from limecep_codecs.json_codec import JsonCodec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.codec import Codec, Decoded

CONTEXT = Context(label="test", clock=ManualClock(), counters=Counter(), logger=logging.getLogger())


def json_codec(path: str = "") -> JsonCodec:
    return JsonCodec(JsonOptions(path=path), CONTEXT)


def csv_codec_of(**options: object) -> CsvCodec:
    return CsvCodec(CsvOptions(**options), CONTEXT)  # type: ignore[arg-type]


def messages(lines: Sequence[str | bytes], channel: str = "f") -> list[Message]:
    return [
        Message(line if isinstance(line, bytes) else line.encode(), channel, str(n))
        for n, line in enumerate(lines, 1)
    ]


def outcomes(decoded: Sequence[Decoded]) -> list[tuple[str, object]]:
    return [
        (message.position, record.error if isinstance(record, Undecodable) else record)
        for message, record in decoded
    ]


def read(codec: Codec, *lines: str | bytes) -> list[tuple[str, object]]:
    return outcomes(codec.decode(messages(lines))) + outcomes(codec.finish())


@pytest.mark.parametrize("codec", [json_codec(), csv_codec_of(columns=["a"])])
def test_what_the_transport_could_not_bring_is_not_read(codec: Codec) -> None:
    whole, cut = Message(b'{"a": 1}', "f", "1"), Message(b'{"a": 1}', "f", "2", error="too long")
    assert outcomes(codec.decode([whole, cut]))[1] == ("2", "too long")


def test_columns_are_named_by_the_first_line_of_each_channel() -> None:
    codec = csv_codec_of()
    first = codec.decode(messages(["\ufeffa, b\r", "1,2\r"], "x"))
    second = codec.decode(messages(["c", "3"], "y"))
    third = codec.decode(messages(["4,5"], "x"))
    assert [record for _, record in (*first, *second, *third)] == [
        {"a": "1", "b": "2"}, {"c": "3"}, {"a": "4", "b": "5"},
    ]  # fmt: skip


def test_columns_may_be_named_by_an_option() -> None:
    assert read(csv_codec_of(columns=["a", "", "b"], delimiter=";"), "1;x;2") == [("1", {"a": "1", "b": "2"})]


@pytest.mark.parametrize(
    "options", [{"delimiter": ""}, {"delimiter": "ab"}, {"delimiter": '"'}, {"columns": ["a", "a"]}]
)
def test_wrong_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"must be one character|must differ|twice"):
        CsvOptions(**options)  # type: ignore[arg-type]


def test_cells_may_be_quoted_empty_or_over_several_lines() -> None:
    found = read(csv_codec_of(), "a,b,c", '"x, ""y""",,1', '"one\r', "", 'two","",2', "3,4,5")
    assert found == [
        ("2", {"a": 'x, "y"', "c": "1"}),
        ("3", {"a": "one\r\n\ntwo", "c": "2"}),
        ("6", {"a": "3", "b": "4", "c": "5"}),
    ]


def test_too_many_or_too_few_cells_are_counted() -> None:
    assert read(csv_codec_of(), "a,b", "1", "1,2,3", "", "1,2") == [
        ("2", "1 cell where there are 2 columns ('ragged: read' takes such lines)"),
        ("3", "3 cells where there are 2 columns ('ragged: read' takes such lines)"),
        ("5", {"a": "1", "b": "2"}),
    ]


def test_a_repeated_header_is_no_record() -> None:
    assert read(csv_codec_of(), "a,b", "1,2", "a,b", "3,4") == [
        ("2", {"a": "1", "b": "2"}), ("4", {"a": "3", "b": "4"}),
    ]  # fmt: skip


@pytest.mark.parametrize("header", [b"a,\xff", "a,a"])
def test_under_an_unusable_header_every_line_is_invalid(header: str | bytes) -> None:
    found = read(csv_codec_of(), header, "1,2")
    assert [position for position, _ in found] == ["1", "2"]
    assert all("header" in str(error) or "UTF-8" in str(error) for _, error in found)


def test_a_quote_that_is_not_closed_costs_only_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_codec, "OPEN_LINES", 3)
    lines = ["a,b", '1,"2', "3,4", "5,6", "7,8", "9,10", '11,"12']
    assert read(csv_codec_of(), *lines) == [
        ("2", "not CSV: the quoted cell that begins here is not closed"),
        ("3", {"a": "3", "b": "4"}),
        ("4", {"a": "5", "b": "6"}),
        ("5", {"a": "7", "b": "8"}),
        ("6", {"a": "9", "b": "10"}),
        ("7", "not CSV: the quoted cell that begins here is not closed"),
    ]


def test_broken_bytes_inside_a_quoted_cell_cost_two_lines() -> None:
    found = read(csv_codec_of(), "a,b", '1,"2', b"\xff", "3,4")
    assert [(p, type(r) is dict) for p, r in found] == [("2", False), ("3", False), ("4", True)]


CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6)


@given(st.lists(st.lists(CELLS, min_size=3, max_size=3), max_size=6))
def test_what_is_written_as_csv_is_read_back(rows: list[list[str]]) -> None:
    rows = [row for row in rows if row != ["a", "b", "c"]]
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows([["a", "b", "c"], *rows])
    found = read(csv_codec_of(), *out.getvalue().split("\n")[:-1])
    assert [record for _, record in found] == [
        {name: cell for name, cell in zip("abc", row, strict=True) if cell} for row in rows
    ]


MUTATIONS = st.lists(
    st.tuples(st.integers(0, 40), st.sampled_from([*list('{}[]",:\\0a\x00\ufeff\r '), ""])), max_size=4
)


def mutated(line: str, mutations: list[tuple[int, str]]) -> str:
    for at, text in mutations:
        line = line[:at] + text + line[at + 1 :]
    return line


@given(st.lists(MUTATIONS, max_size=8), st.integers(0, 3))
def test_damaged_csv_is_read_in_order_and_no_line_twice(
    all_mutations: list[list[tuple[int, str]]], cut: int
) -> None:
    lines = ["id,t,v", *(mutated('g17,1.5,"a, b"', mutations) for mutations in all_mutations)]
    codec = csv_codec_of()
    batch = messages(lines)
    found = (
        outcomes(codec.decode(batch[:cut])) + outcomes(codec.decode(batch[cut:])) + outcomes(codec.finish())
    )
    positions = [int(position) for position, _ in found]
    assert positions == sorted(set(positions))
    # A line without a quote stands for itself unless a quoted cell is open around it.
    if not any('"' in line for line in lines):
        assert positions == [
            n for n, line in enumerate(lines, 1) if n > 1 and line.strip() and line != lines[0]
        ]


@given(st.lists(st.binary(max_size=20).map(lambda b: b.replace(b"\n", b"")), max_size=10))
def test_random_bytes_have_one_outcome_a_line(lines: list[bytes]) -> None:
    found = read(csv_codec_of(columns=["a", "b"]), *lines)
    positions = [int(position) for position, _ in found]
    assert positions == sorted(set(positions))
    assert len(read(json_codec(), *(b"x" + line for line in lines))) == len(lines)
