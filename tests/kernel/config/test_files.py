"""Sinks whose files are in the way of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Change, Edited, IsTold


@pytest.mark.parametrize(
    ("change", "line", "said", "hint"),
    [
        (
            ("{type: stdout}", "{type: file, path: a}\n  two: {to: log, channel: ./x/../a}"),
            19,
            "sinks 'out' and 'two' write the same file [conflict]",
            "",
        ),
        (("{type: stdout}", "{to: log, channel: gas.csv}"), 18, "a file that source 'gas' reads", ""),
        (
            ("{type: stdout}", "{to: log, channel: '{pattern}.csv'}"),
            18,
            "put in for {pattern}",
            "no templates",
        ),
    ],
)
def test_a_mistake_is_named_where_it_stands(
    is_told: IsTold, change: Change, line: int, said: str, hint: str
) -> None:
    is_told(change, line, said, hint)


def test_sinks_that_write_no_files_are_in_nobody_s_way(edited: Edited) -> None:
    two = "{type: broker, url: x, channel: gas.csv}\n  two: {type: broker, url: x, channel: gas.csv}"
    assert edited(("{type: stdout}", two)).problems == []


@pytest.mark.parametrize(
    ("sink", "column"),
    [("{to: log, channel: gas.csv}", 27), ("{type: file, path: gas.csv}", 27), ("{to: log, channel: -}", 0)],
)
def test_it_is_told_where_the_file_is_named(edited: Edited, sink: str, column: int) -> None:
    places = [p.place for p in edited(("{type: stdout}", sink)).problems if p.code == "conflict"]
    assert [p.column for p in places if p] == [column] * bool(column)


@pytest.mark.parametrize(("read", "conflicts"), [("'*.csv'", True), ("'*.txt'", False), ("'[ab].csv'", True)])
def test_a_source_may_read_the_files_that_a_glob_fits(edited: Edited, read: str, conflicts: bool) -> None:
    source = f"from: log, channel: {read}, as: GasLeak, id: id, time: ts, format: csv"
    loaded = edited(source, ("{type: stdout}", "{type: file, path: a.csv}"))
    assert ("conflict" in [p.code for p in loaded.problems]) is conflicts
