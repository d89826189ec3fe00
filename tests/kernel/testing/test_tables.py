"""The tables of random conditions."""

from __future__ import annotations

from typing import Any

from hypothesis import given, seed, settings
from hypothesis import strategies as st

from limecep.config.loader import load_dict
from limecep.host import Host
from limecep.language.parser import parse
from limecep.model.expression import Attribute, Binary, Constant
from limecep.model.table import columns_in
from limecep.testing import tables
from limecep.testing.tables import BLOCK, TABLES, looking_up

_COMPARISONS = st.just(Binary(">", Attribute("a", ("v",)), Constant(1)))


def test_they_are_a_plugin_with_the_same_rows() -> None:
    registry = Host.load().with_plugins(tables).registry
    document = {"version": 1, "tables": BLOCK, "patterns": {"p": {"query": "PATTERN SEQ(A a) WITHIN 1 s"}}}
    config = load_dict(document, registry).checked()
    assert {t.name: t.table for t in config.tables} == TABLES
    for table in config.tables:
        assert table.table.rows.listed == TABLES[table.name].rows.listed


def drawn(*, ended: bool) -> list[Any]:
    found = []

    @seed(1)
    @settings(max_examples=300, database=None)
    @given(looking_up(_COMPARISONS, ended=ended))
    def body(condition: Any) -> None:
        found.append(condition)
        assert parse(f"PATTERN A a WHERE {condition} WITHIN 1 s", tables=TABLES).where == condition

    body()
    return found


def test_conditions_look_into_all_of_them_and_read_back() -> None:
    assert {c.table.name for condition in drawn(ended=True) for _, c in columns_in(condition)} == {*TABLES}


def test_without_an_end_event_none_asks_for_it() -> None:
    assert not any("phases" in str(condition) for condition in drawn(ended=False))
