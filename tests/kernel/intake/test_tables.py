"""The rows of tables, as they are read."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from limecep import ComponentSpec
from limecep.clock import ManualClock
from limecep.config.model import ComponentConfig, TimeConfig
from limecep.contracts.codec import Undecodable
from limecep.contracts.context import Context
from limecep.contracts.source import Message
from limecep.errors import ContractBreach
from limecep.intake.tables import MessageRows, Reading, TableConfig, digest, read_table, unread
from limecep.model.table import Table, TableRow
from limecep.spec import NoOptions
from limecep.testing.bench import SilentLogger

if TYPE_CHECKING:
    from collections.abc import Sequence

SECOND = 1_000_000


class Brought:
    def __init__(self, rows: Sequence[Any]) -> None:
        self._rows = rows

    def rows(self) -> Sequence[Any]:
        return self._rows


def reading(*rows: Any, key: tuple[str, ...] = ("m",), time: TimeConfig | None = None) -> Reading:
    spec = ComponentSpec(kind="table", name="t", factory="x:X", summary="x")
    config = TableConfig(
        name="t",
        component=ComponentConfig(spec=spec, options=NoOptions()),
        key=key,
        from_time=time,
        table=Table("t", key, time is not None),
    )
    context = Context(label="tables.t", clock=ManualClock(), counters=Counter(), logger=SilentLogger())
    return read_table(config, lambda spec, context, channel, options: Brought(rows), context)


def listed(found: Reading) -> list[tuple[Any, ...]]:
    return [(*row.key, row.begins) for row in found.rows]


def problems(found: Reading) -> list[tuple[str, str, str, str]]:
    return [(key, p.severity, p.code, p.message) for key, p in found.problems]


def test_keys_are_in_one_spelling_and_a_boolean_is_no_number() -> None:
    found = reading({"m": 1.0}, {"m": True}, {"m": "1"}, {"m": 2.5})
    assert listed(found) == [(1, None), (True, None), ("1", None), (2.5, None)]
    assert [type(row.key[0]) for row in found.rows] == [int, bool, str, float]
    assert found.problems == []


def test_of_rows_of_one_key_the_last_counts_and_that_is_told() -> None:
    found = reading({"m": 1, "v": 1}, {"m": 2, "v": 1}, {"m": 1.0, "v": 2})
    assert {row.key: row.values["v"] for row in found.rows} == {(1,): 2, (2,): 1}
    ((key, severity, code, said),) = problems(found)
    assert (key, severity, code) == ("channel", "warning", "duplicate-row")
    assert said == "table 't' has several rows for one key, and the last counts: 1 at row 1 and row 3"


def test_only_the_first_of_many_are_shown() -> None:
    found = reading(*({"m": 1} for _ in range(9)))
    assert problems(found)[0][3].endswith("; 1 at row 3 and row 4; ...")


def test_rows_of_one_key_may_hold_from_several_times_on() -> None:
    time = TimeConfig(field="since", format="epoch_s")
    rows = [{"m": 1, "since": s, "v": s} for s in (9, 3, 5, 3.0)]
    found = reading(*rows, time=time)
    assert listed(found) == [(1, 3 * SECOND), (1, 5 * SECOND), (1, 9 * SECOND)]
    assert "for one key and time, and the last counts: 1 at row 2 and row 4" in problems(found)[0][3]


@pytest.mark.parametrize(
    ("format", "value", "microseconds"),
    [
        ("iso8601", "2026-01-01T00:00:00Z", 1_767_225_600_000_000),
        ("iso8601", datetime(2026, 1, 1, tzinfo=UTC), 1_767_225_600_000_000),
        ("epoch_s", 1767225600.123457, 1_767_225_600_123_457),
        ("epoch_s", "1767225600.5", 1_767_225_600_500_000),
        ("epoch_ms", 1767225600000, 1_767_225_600_000_000),
        ("%d.%m.%Y", "01.01.2026", 1_767_225_600_000_000),
    ],
)
def test_times_are_read_as_those_of_sources_are(format: str, value: Any, microseconds: int) -> None:
    time = TimeConfig(field="since", format=format, zone="UTC" if "%" in format else None)
    assert listed(reading({"m": 1, "since": value}, time=time)) == [(1, microseconds)]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"v": 1}, "row 2: there is no value in the column 'm' of the key"),
        ({"m": None}, "row 2: there is no value in the column 'm' of the key"),
        ({"m": [1]}, "row 2: the column 'm' of the key holds [1], which is no key"),
        ({"m": float("nan")}, "row 2: "),
        ({"m": 1, 5: 1}, "row 2: the field 5 has a name that is no text"),
        ({"m": 2, "o": object()}, "row 2: 'o' "),
    ],
)
def test_a_row_that_cannot_be_used_is_an_error(row: Any, said: str) -> None:
    found = reading({"m": 1, "v": 1}, row)
    ((key, severity, code, message),) = problems(found)
    assert (key, severity, code) == ("channel", "error", "bad-row")
    assert message.startswith("1 row of table 't' cannot be used: ")
    assert said in message


@pytest.mark.parametrize("row", [{"m": 1, "o": object()}, {"m": 1, 5: 1}, {"m": object()}])
def test_a_row_that_is_alone_is_told_for_what_is_wrong_with_it(row: Any) -> None:
    """It has its columns, whatever stands in them."""
    assert [p.code for _, p in reading(row).problems] == ["bad-row"]


def test_a_row_without_its_time_is_an_error() -> None:
    rows = [{"m": 1, "since": 5}, {"m": 1}, {"m": 1, "since": "soon"}]
    found = reading(*rows, time=TimeConfig(field="since", format="epoch_s"))
    ((_, severity, code, message),) = problems(found)
    assert (severity, code) == ("error", "bad-row")
    assert "2 rows of table 't' cannot be used: row 2: no from_time: 'since' is missing" in message
    assert "row 3: from_time 'since'" in message


def test_a_column_that_no_row_has_is_told_by_its_name() -> None:
    found = reading({"mm": 1, "sinc": 1}, {"mm": 2}, time=TimeConfig(field="since", format="epoch_s"))
    assert [(key, p.code, p.hint) for key, p in found.problems] == [
        ("key", "unknown-column", "did you mean 'mm'?"),
        ("from_time", "unknown-column", "did you mean 'sinc'?"),
    ]


def test_a_key_may_be_within_an_object() -> None:
    assert listed(reading({"a": {"b": 5}}, key=("a.b",))) == [(5, None)]
    assert listed(reading({"a.b": 5}, key=("`a.b`",))) == [(5, None)]


def test_no_rows_are_told() -> None:
    assert problems(reading())[0][:3] == ("channel", "warning", "empty-table")


def test_what_is_no_row_is_a_breach_of_the_contract() -> None:
    with pytest.raises(ContractBreach, match="gives 5 as a row, which is no mapping"):
        reading(5)


def test_a_digest_tells_rows_from_others_whatever_their_order() -> None:
    one, other = TableRow((1,), None, {"a": 1, "b": 2}), TableRow((2,), None, {"a": 1})
    assert digest([one, other]) == digest([other, TableRow((1,), None, {"b": 2, "a": 1})])
    changed = [[one], [one, other._replace(values={"a": 2})], [one, other._replace(begins=5)]]
    assert len({digest(rows) for rows in [[one, other], *changed]}) == 4


class Untyped:
    """A codec of cells, a message a row; `x` is none."""

    untyped = True

    def decode(self, messages: Sequence[Message]) -> list[Any]:
        return [
            (m, Undecodable("no row") if m.value == b"x" else {"m": m.value.decode(), "t": m.value.decode()})
            for m in messages
        ]

    def finish(self) -> list[Any]:
        return [(Message(b"", "c", "c:9"), {"m": "last"})]


def test_cells_are_what_they_read_as_and_know_how_they_were_written() -> None:
    rows = MessageRows(Untyped())  # type: ignore[arg-type]
    messages = [Message(value, "c", f"c:{n}") for n, value in enumerate((b"007", b"2.50", b"true", b"x"), 1)]
    found = [*rows.read(messages), *rows.finish()]
    assert [r.get("m") for r in found] == ["007", 2.5, True, "last"]
    assert [r.written.get("t") for r in found] == ["007", "2.50", "true", None]
    assert [r.position for r in found] == ["c:1", "c:2", "c:3", "c:9"]
    assert rows.refused == [("c:4", "no row")]


def test_why_it_cannot_be_read_names_the_table_and_where_its_rows_are() -> None:
    spec = ComponentSpec(kind="table", name="t", factory="x:X", summary="x")
    config = TableConfig(
        name="t",
        component=ComponentConfig(spec=spec, options=NoOptions()),
        channel="rows.csv",
        key=("m",),
        table=Table("t", ("m",)),
    )
    assert unread(config, OSError("disk")) == "table 't' (rows.csv) cannot be read: disk"
    assert unread(config, OSError("no rows.csv")) == "table 't' cannot be read: no rows.csv"
