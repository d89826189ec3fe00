"""The `tables` block."""

from __future__ import annotations

from asyncio import CancelledError
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from limecep import ComponentSpec
from limecep.config.loader import load_dict
from limecep.config.schema import schema
from limecep.errors import RunFailure
from limecep.local import component
from limecep.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from limecep.config.loader import Loaded

LIMITS = "machine,max,on,since\np1,80,true,2026-01-01T00:00:00Z\np2,95.5,false,2026-01-02T00:00:00Z\n"
FILES = {"from": "files", "channel": "limits.csv", "key": "machine"}
QUERY = "PATTERN SEQ(A a) WHERE a.v > limits[a.m].max WITHIN 1 s"


@component("table")
class Reluctant:
    """A table that is read when a run begins."""

    def __init__(self, channel: str, options: Any, context: Any) -> None: ...

    def rows(self) -> Iterator[dict[str, Any]]:
        raise AssertionError("nobody asks it here")


@component("table", capabilities=frozenset({"checked"}))
class Faulty(Reluctant):
    """A table that fails."""

    def rows(self) -> Iterator[dict[str, Any]]:
        raise KeyError("oh")


@component("table", capabilities=frozenset({"checked"}))
class Cancelled(Reluctant):
    """A table that cancels what it does."""

    def rows(self) -> Iterator[dict[str, Any]]:
        raise CancelledError


@component("table", capabilities=frozenset({"checked"}))
class Away(Reluctant):
    """A table that is not there."""

    def rows(self) -> Iterator[dict[str, Any]]:
        raise RunFailure("the server is away")


@component("table", capabilities=frozenset({"checked"}))
class Wrong(Reluctant):
    """A table without rows."""

    def rows(self) -> Iterator[Any]:
        yield 5


@pytest.fixture
def loaded(installed: Registry, tmp_path: Path) -> Any:
    specs = [vars(c)["__limecep_component__"] for c in (Reluctant, Faulty, Cancelled, Away, Wrong)]
    registry = Registry([*specs, *installed.specs()])

    def load(tables: Any, *, rows: str = LIMITS, query: str = QUERY) -> Loaded:
        (tmp_path / "limits.csv").write_text(rows)
        document = {
            "version": 1,
            "tables": tables,
            "sources": {"s": {"type": "file", "channel": "s.jsonl", "as": "A", "id": "id", "time": "t"}},
            "patterns": {"p": {"query": query}},
        }
        found = load_dict(document, registry, root=tmp_path)
        valid = jsonschema.Draft7Validator(schema(registry)).is_valid(document)
        assert valid or found.config is None, "the schema refuses what the loader takes"
        return found

    return load


def test_a_table_is_read_with_its_rows(loaded: Any) -> None:
    found = loaded({"limits": FILES})
    assert found.problems == []
    config = found.checked()
    (table,) = config.tables
    assert (table.name, table.component.spec.name, table.channel) == ("limits", "files", "limits.csv")
    assert (table.codec.spec.name, table.key, table.from_time) == ("csv", ("machine",), None)
    assert [(r.key, r.values["max"], r.values["on"]) for r in table.table.rows.listed] == [
        (("p1",), 80, True),
        (("p2",), 95.5, False),
    ]
    assert config.patterns[0].tables == ("limits",)


def test_a_key_may_be_of_several_columns_and_rows_may_have_a_time(loaded: Any) -> None:
    query = "PATTERN SEQ(A a) WHERE a.v > limits[a.m, a.on].max WITHIN 1 s"
    found = loaded({"limits": {**FILES, "key": ["machine", "on"], "from_time": "since"}}, query=query)
    assert found.problems == []
    (table,) = found.checked().tables
    assert table.table.timed
    assert [(r.key, r.begins) for r in table.table.rows.listed] == [
        (("p1", True), 1_767_225_600_000_000),
        (("p2", False), 1_767_312_000_000_000),
    ]


@pytest.mark.parametrize("tables", [None, {}])
def test_there_may_be_none(tables: Any, loaded: Any) -> None:
    query = "PATTERN SEQ(A a) WITHIN 1 s"
    assert loaded(tables, query=query).checked().tables == ()


@pytest.mark.parametrize(
    ("block", "path", "said", "hint"),
    [
        ({"from": "files", "key": "machine"}, "", "needs 'channel'", "channel: limits.csv"),
        ({"from": "files", "channel": "limits.csv"}, "", "needs 'key'", "rows are looked up"),
        ({"channel": "limits.csv", "key": "machine"}, "", "needs 'from'", "of the kind table"),
        ({**FILES, "from": "fils"}, ".from", "no table named 'fils'", "did you mean 'files'?"),
        ({**FILES, "from": 5}, ".from", "must be the name of a component", "known: "),
        ({**FILES, "kye": 1}, ".kye", "has no key 'kye'", "did you mean 'key'?"),
        ({**FILES, "kye": 1, "from": "fils"}, ".kye", "has no key 'kye'", "did you mean 'key'?"),
        ({**FILES, "max_line": 0}, ".max_line", "must be at least 1 byte", ""),
        ({**FILES, "key": []}, ".key", "is an empty list", ""),
        ({**FILES, "key": ["machine", "machine"]}, ".key[1]", "names 'machine' twice", ""),
        ({**FILES, "key": "$topic[0]"}, ".key", "no levels of a channel", ""),
        ({**FILES, "key": "machne"}, ".key", "has the column 'machne'", "did you mean 'machine'?"),
        ({**FILES, "from_time": "sinc"}, ".from_time", "has the column 'sinc'", "did you mean 'since'?"),
        ({**FILES, "from_time": "$topic[0]"}, ".from_time", "no levels of a channel", ""),
        ({**FILES, "from_time": "max"}, ".channel", "2 rows of table 'limits' cannot be used", "mend"),
        ({**FILES, "from_time": {"field": "since", "format": "epoch_x"}}, "", "unknown time format", ""),
        (
            {**FILES, "from_time": {"field": "since", "format": "%b %d", "zone": "UTC", "year": "arrival"}},
            ".from_time.year",
            "'from_time' cannot have the year of the arrival",
            "year: 2026",
        ),
        ({**FILES, "channel": "limits.txt"}, ".channel", "does not tell its format", "add 'format'"),
        ({**FILES, "channel": "-"}, ".channel", "cannot be read from standard input", "into a file"),
        ({**FILES, "format": "csvv"}, ".format", "no codec named", "did you mean 'csv'?"),
        ({"from": "reluctant", "key": "m", "format": "csv"}, ".format", "brings rows, and no messages", ""),
        (
            {"from": "faulty", "key": "m"},
            "",
            "raises KeyError: 'oh'",
            f"report it to its author: {__file__}:44",
        ),
        ({"from": "cancelled", "key": "m"}, "", "raises CancelledError", "report it to its author"),
        ({"from": "wrong", "key": "m"}, "", "gives 5 as a row", "report it to its author"),
        ("limits.csv", "", "'limits' must be a block", "write it under 'from'"),
    ],
)
def test_mistakes_are_told_where_they_are(block: Any, path: str, said: str, hint: str, loaded: Any) -> None:
    found = loaded({"limits": block})
    assert found.config is None
    errors = [p for p in found.problems if p.severity == "error"]
    assert not [p for p in errors if p.code in ("unknown-table", "not-read")]
    right = [p for p in errors if said in p.message and hint in p.hint and p.place]
    assert any(p.place.file == f"tables.limits{path}" or not path for p in right), "\n".join(map(str, errors))


@pytest.mark.parametrize(
    ("rows", "code", "said"),
    [
        ("machine,max\n", "empty-table", "has no rows"),
        (LIMITS + "p1,81,true,\n", "duplicate-row", "'p1' at limits.csv:2 and limits.csv:4"),
    ],
)
def test_odd_rows_are_told(rows: str, code: str, said: str, loaded: Any) -> None:
    found = loaded({"limits": FILES}, rows=rows)
    (problem,) = found.problems
    assert (problem.severity, problem.code) == ("warning", code)
    assert said in problem.message
    assert [r.values.get("max") for r in found.checked().tables[0].table.rows.listed] in ([], [95.5, 81])


def test_a_table_that_is_away_is_a_warning_and_its_columns_are_not_known(loaded: Any) -> None:
    query = "PATTERN SEQ(A a) WHERE a.v > limits[a.m].anything WITHIN 1 s"
    found = loaded({"limits": {"from": "away", "key": "m"}}, query=query)
    (problem,) = found.problems
    assert (problem.severity, problem.code) == ("warning", "unread-table")
    assert "table 'limits' cannot be read: the server is away" in problem.message
    assert found.checked().tables[0].table.rows.listed is None


def test_a_table_that_is_not_for_the_check_is_not_read(loaded: Any) -> None:
    found = loaded({"limits": {"from": "reluctant", "key": "m"}})
    assert found.problems == []
    assert found.checked().tables[0].table.rows.listed is None


def test_a_table_that_no_pattern_looks_into_is_told(loaded: Any) -> None:
    found = loaded({"limits": FILES, "others": FILES})
    assert [(p.code, p.place.file) for p in found.problems] == [("unused-table", "tables.others")]


def test_the_schema_knows_tables(installed: Registry) -> None:
    more = ComponentSpec(kind="table", name="x", factory="x:X", summary="x")
    made = schema(Registry([*installed.specs(), more]))["definitions"]["table"]["anyOf"]
    named = [one["properties"]["from"] for one in made]
    assert [one["const"] for one in named if "const" in one] == ["files", "sql", "x"]


def test_a_time_is_read_as_it_is_written_and_its_column_is_like_others(loaded: Any) -> None:
    rows = "machine,max,since\np1,80,1767225600.5\np2,81,20260101\n"
    time = {"field": "since", "format": "epoch_s"}
    (table,) = loaded({"limits": {**FILES, "from_time": time}}, rows=rows).checked().tables
    assert {r.key[0]: (r.begins, r.values["since"]) for r in table.table.rows.listed} == {
        "p1": (1_767_225_600_500_000, 1767225600.5),
        "p2": (20_260_101_000_000, 20260101),
    }
