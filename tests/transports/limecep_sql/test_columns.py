"""Records as rows."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import sqlalchemy as sa

from limecep.encoding import to_json
from limecep.testing.messages import records
from limecep_sql.columns import made, problem, row

RECORD = {**records(1)[0], "key": {"room": "k1"}}


def test_a_table_that_is_made_has_them_all() -> None:
    found = row(made("t", None, {}, upsert=False), RECORD, to_json(RECORD))
    assert json.loads(found.pop("record")) == RECORD
    assert json.loads(found.pop("key")) == {"room": "k1"}
    assert found == {
        "match_id": "m0",
        "revision": 1,
        "op": "emit",
        "pattern": "p",
        "start_time": datetime(2026, 1, 5, 10, 0, 3, tzinfo=UTC),
        "end_time": datetime(2026, 1, 5, 10, 0, 21, tzinfo=UTC),
        "detected": datetime(2026, 1, 5, 10, 0, 21, 500_000, tzinfo=UTC),
        "reason": None,
        "source": None,
    }


def test_a_table_that_is_there_has_what_it_has() -> None:
    columns = [sa.Column("record", sa.JSON()), sa.Column("end_time", sa.Text()), sa.Column("mine", sa.Text())]
    table = sa.Table("t", sa.MetaData(), *columns)
    assert row(table, RECORD, to_json(RECORD)) == {"record": RECORD, "end_time": "2026-01-05T10:00:21Z"}
    assert problem(table, {}, upsert=False) == ""
    assert "'match_id'" in problem(table, {}, upsert=True)
    assert "none of the columns" in problem(
        sa.Table("t", sa.MetaData(), sa.Column("mine", sa.Text())), {}, upsert=False
    )


def test_values_have_columns_of_their_names_and_kinds_unless_these_are_taken() -> None:
    kinds = {"mean": "float", "n": "int", "high": "bool", "room": "str", "what": "", "op": "int"}
    table = made("t", None, kinds, upsert=True)
    assert {c.name: type(c.type) for c in table.columns if c.name in kinds} == {
        "mean": sa.Double, "high": sa.Boolean, "room": sa.Text, "what": sa.Text, "op": sa.Text,
    }  # fmt: skip
    record = {**RECORD, "values": {"mean": 2.5, "n": 3, "high": True, "room": "k1", "what": [1], "op": 7}}
    found = row(table, record, b"{}")
    assert [found[name] for name in ("mean", "high", "room", "what", "op")] == [
        2.5,
        True,
        "k1",
        "[1]",
        "emit",
    ]
    own = sa.Table("u", sa.MetaData(), *[sa.Column(name, sa.Text()) for name in ("mean", "room")])
    assert row(own, {**record, "values": {"mean": 2.5, "room": None}}, b"{}") == {"mean": "2.5", "room": None}
    assert problem(own, kinds, upsert=False) == ""
