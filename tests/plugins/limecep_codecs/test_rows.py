"""Rows: a column is there where each record has a value in it."""

from __future__ import annotations

import pytest

from limecep.contracts.source import Lines, Message
from limecep_codecs.rows import CellRows, Rows, values_of

TWO = Lines([b"a;1", b"b;"], "c", 1)


def made(names: list[str], cells: list[str]) -> dict[str, str]:
    return dict(zip(names, cells, strict=True))


def test_a_column_of_records_is_there_where_all_have_the_field() -> None:
    rows = Rows(TWO, [{"id": "a", "n": None}, {"id": "b"}])
    assert rows.column("id") == ["a", "b"]
    with pytest.raises(LookupError):
        rows.column("n")


def test_a_column_of_cells_is_there_where_none_is_missing() -> None:
    rows = CellRows(TWO, ["a", "1", "\n", "b", "-"], ["id", "n"], frozenset({"", "-"}), made)
    assert rows.column("id") == ["a", "b"]
    assert rows.record(1) == {"id": "b", "n": "-"}
    for name in ("n", "other"):
        with pytest.raises(LookupError):
            rows.column(name)


def test_messages_that_did_not_come_whole_have_no_values() -> None:
    whole, cut = Message(b"a", "c", "c:1"), Message(b"b", "c", "c:2", error="it is too long")
    assert values_of(TWO) == TWO.values
    assert values_of([whole]) == [b"a"]
    assert values_of([whole, cut]) is None
