"""Tables, their rows, and look-ups as they are written."""

from __future__ import annotations

import pickle

import pytest

from limecep.language.parser import parse
from limecep.model.expression import Attribute, Call, Constant, Expression, Position
from limecep.model.table import (
    Column,
    Rows,
    Table,
    TableRow,
    TimeOf,
    columns_in,
    kind_of,
    of_one_event,
)

LIMITS = Table("limits", ("machine",), False, Rows([TableRow(("p",), None, {"max": 5, "on": None})], "d"))
PAIRS = Table("pairs", ("x", "y"))
ODD = Table("odd one", ("x",))
TABLES = {t.name: t for t in (LIMITS, PAIRS, ODD)}


def where(condition: str) -> Expression:
    found = parse(f"PATTERN SEQ(A a, B+ b[]) WHERE {condition} WITHIN 1 s", tables=TABLES).where
    assert found is not None
    return found


@pytest.mark.parametrize(
    "condition",
    [
        "limits[a.machine].max > a.v",
        "pairs[a.x + 1, last(b).y].z.deep == 'x'",
        "limits[-1].max == 2",
        "limits['p'].max > 2",
        "limits[1].max > 2",
        "`odd one`[a.x].`max of it` > 2",
        "a.machine IN limits",
        "NOT a.machine IN limits",
        "(a.machine IN limits) == false",
        "a.v + 1 IN limits OR a.v > 3",
        "limits[limits[b[i].machine].next].max > 1",
    ],
)
def test_a_look_up_prints_as_it_is_written(condition: str) -> None:
    assert str(where(condition)) == condition
    assert where(str(where(condition))) == where(condition)


def test_tables_of_one_name_and_form_are_equal_whatever_their_rows() -> None:
    assert Table("limits", ("machine",)) == LIMITS
    assert Table("limits", ("machine",), True) != LIMITS
    assert Column(LIMITS, ("max",)) != Column(LIMITS, ("min",))


def test_rows_go_along_with_a_pattern_and_what_was_made_of_them_does_not() -> None:
    LIMITS.rows.indices[("max",)] = {"p": 5}
    pattern = parse("PATTERN SEQ(A a) WHERE limits[a.m].max > 3 AND a.m IN limits WITHIN 1 s", tables=TABLES)
    again = pickle.loads(pickle.dumps(pattern))
    assert again == pattern
    (_, one), (_, other) = columns_in(again.where)
    assert one.table.rows is other.table.rows
    assert (one.table.rows.listed, one.table.rows.digest) == (LIMITS.rows.listed, "d")
    assert one.table.rows.indices == {}


def test_what_is_filled_in_takes_the_place_of_what_was_known() -> None:
    rows = Rows()
    assert (rows.listed, dict(rows.columns)) == (None, {})
    rows.indices[("v",)] = {}
    rows.fill([TableRow((1,), None, {"v": 1}), TableRow((2,), None, {"v": "x", "w": None})], "d")
    assert rows.columns == {"v": {int, str}, "w": set()}
    assert rows.indices == {}


@pytest.mark.parametrize(
    ("types", "kind"),
    [
        ({int}, "int"),
        ({float}, "float"),
        ({int, float}, "float"),
        ({str}, "str"),
        ({bool}, "bool"),
        ({bool, int}, "object"),
        ({list}, "object"),
        (set(), "object"),
    ],
)
def test_a_column_has_the_kind_of_its_values(types: set[type], kind: str) -> None:
    assert kind_of(types) == kind


def test_a_column_says_what_it_takes_and_gives_as_functions_do() -> None:
    assert str(Column(LIMITS, ("max",)).signature) == "(machine: object, *key: object) -> int"
    assert Column(LIMITS, ("on",)).signature.result == "object"
    assert Column(PAIRS, ()).signature.result == "bool"
    assert not Column(LIMITS, ("max",)).signature.argument(0).missing


@pytest.mark.parametrize(
    ("condition", "of"),
    [
        ("limits[a.m].max > 1", Attribute("a", ("m",))),
        ("pairs[a.m, a.n + 1].max > 1", Attribute("a", ("m",))),
        ("pairs[a.m, b[i].n].max > 1", None),
        ("limits[last(b).m].max > 1", Attribute("b", ("m",), Position(-1))),
        ("pairs[b[1].m, b[2].m].max > 1", None),
        ("limits['p'].max > a.v", None),
        ("limits[max(b.m)].max > 1", None),
        ("pairs[a.m, count(b)].max > 1", None),
    ],
)
def test_a_key_is_of_one_event_or_not(condition: str, of: Attribute | None) -> None:
    ((lookup, _),) = columns_in(where(condition))
    assert of_one_event(lookup) == of


def test_an_instant_is_no_attribute_of_the_same_event() -> None:
    assert TimeOf("a", ()) != Attribute("a", ())
    dated = Call(Column(LIMITS, ("max",)), (Constant("p"), TimeOf("a", ())))
    assert str(dated) == "limits['p'].max"
