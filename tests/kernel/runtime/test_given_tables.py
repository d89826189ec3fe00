"""Rows of a program as tables of its pipeline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep import Event, Pipeline
from limecep.errors import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.registry import Registry

QUERY = "PATTERN SEQ(A a) WHERE a.v > limits[a.m].max WITHIN 1 s"
EVENTS = [Event("A", str(n), n * 1_000_000, payload={"m": "p", "v": 3}) for n in range(5)]
KEYED = {"limits": {"key": "m"}}


def found(registry: Registry, tables: Any, given: Any, **more: Any) -> list[str]:
    document = {"version": 1, "tables": tables, "patterns": {"p": {"query": QUERY}}}
    with Pipeline.from_dict(document, registry=registry, tables=given, **more) as pipeline:
        return [u.match.start.id for u in pipeline.feed(EVENTS)]


@pytest.mark.parametrize(("most", "ids"), [(2, ["0", "1", "2", "3", "4"]), (3, []), (None, [])])
def test_rows_of_a_program_are_looked_into(most: Any, ids: list[str], installed: Registry) -> None:
    assert found(installed, KEYED, {"limits": [{"m": "p", "max": most}]}) == ids


def test_they_take_the_place_of_those_that_the_file_names(installed: Registry, tmp_path: Path) -> None:
    table = {"from": "files", "channel": "gone.csv", "format": "csv", "max_line": 100, "key": "m"}
    table["from_time"] = {"field": "since", "format": "epoch_s"}
    rows = iter([{"m": "p", "max": 2, "since": 1}, {"m": "p", "max": 9, "since": 3}])
    assert found(installed, {"limits": table}, {"limits": rows}, root=tmp_path) == ["1", "2"]


def test_they_may_be_a_table_of_pandas(installed: Registry) -> None:
    pandas = pytest.importorskip("pandas")
    given = pandas.DataFrame({"m": ["p", "q"], "max": [2, 9]})
    assert len(found(installed, KEYED, {"limits": given})) == 5


def test_sources_may_be_given_too(installed: Registry) -> None:
    document = {"version": 1, "tables": KEYED, "patterns": {"p": {"query": QUERY}}}
    taken: list[Any] = []
    pipeline = Pipeline.from_dict(
        document,
        registry=installed,
        tables={"limits": [{"m": "p", "max": 2}]},
        sources={"events": EVENTS},
        sinks={"out": taken},
    )
    pipeline.run()
    pipeline.close()
    assert len(taken) == 5


@pytest.mark.parametrize("given", [5, "rows", {"m": "p", "max": 2}, [5]])
def test_what_is_no_rows_is_refused(given: Any, installed: Registry) -> None:
    with pytest.raises(TypeError):
        found(installed, KEYED, {"limits": given})


@pytest.mark.parametrize(
    ("tables", "said"), [(None, "table 'limits' needs 'key'"), ({"limits": {}}, "table 'limits' needs 'key'")]
)
def test_the_key_is_for_the_document_to_say(tables: Any, said: str, installed: Registry) -> None:
    with pytest.raises(ConfigurationError, match=said):
        found(installed, tables, {"limits": [{"m": "p"}]})
