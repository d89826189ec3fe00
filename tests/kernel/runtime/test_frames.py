"""Tables of updates."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from limecep import Pipeline, Updates
from limecep.runtime.frames import COLUMNS
from limecep.testing.streams import written

if TYPE_CHECKING:
    from limecep.registry import Registry

LIBRARIES = {"pandas": "pandas", "arrow": "pyarrow", "polars": "polars"}


@pytest.fixture
def updates(installed: Registry) -> Updates:
    """Of two patterns with other variables, and keys of two types."""
    document = {
        "version": 1,
        "patterns": {
            "p": {"query": "PATTERN SEQ(A a, B b) WITHIN 10 s PARTITION BY v", "slack": "none"},
            "q": {"query": "PATTERN SEQ(C c) WITHIN 10 s", "slack": "none"},
        },
    }
    events = written("a1 b2 a3 b4 c5.5")
    for event, v in zip(events, (1, 1, "1", "1", None), strict=True):
        event.payload = {"v": v}
    with Pipeline.from_dict(document, registry=installed) as pipeline:
        return pipeline.feed(events)


def columns(frame: Any) -> dict[str, list[Any]]:
    if hasattr(frame, "to_pydict"):
        return dict(frame.to_pydict())
    return {name: frame[name].to_list() for name in frame.columns}


@pytest.mark.parametrize("name", LIBRARIES)
def test_a_table_has_a_row_for_each_update(name: str, updates: Updates) -> None:
    pytest.importorskip(LIBRARIES[name])
    found = columns(getattr(updates, f"to_{name}")())
    assert list(found) == [*COLUMNS, "key.v", "events.a", "events.b", "events.c"]
    assert found["pattern"] == ["p", "p", "q"]
    assert found["events.a"] == [["a1"], ["a3"], None]
    assert found["events.c"] == [None, None, ["c5.5"]]
    assert found["end"] == [datetime.fromtimestamp(t, UTC) for t in (2, 4, 5.5)]
    assert found["revision"] == [1, 1, 1]
    assert found["latency"] == [0.0] * 3
    # A column of one type keeps 1 and "1" apart.
    assert [str(v) for v in found["key.v"]] == (
        ["1", "1", "None"] if name == "pandas" else ["1", '"1"', "None"]
    )


@pytest.mark.parametrize("name", LIBRARIES)
def test_an_empty_table_has_the_columns_and_types_of_others(name: str, updates: Updates) -> None:
    pytest.importorskip(LIBRARIES[name])
    empty, full = (getattr(u, f"to_{name}")() for u in (Updates(), updates))
    assert list(columns(empty)) == list(COLUMNS)
    schema = "dtypes" if name == "pandas" else "schema"
    for column in COLUMNS:
        kinds = [
            getattr(frame, schema)[column] if name != "arrow" else frame.schema.field(column).type
            for frame in (empty, full)
        ]
        assert kinds[0] == kinds[1]


def test_a_library_that_is_missing_is_named(updates: Updates, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, module in LIBRARIES.items():
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(
            ModuleNotFoundError, match=f"needs {module}, which is not installed: pip install {module}"
        ):
            getattr(updates, f"to_{name}")()
