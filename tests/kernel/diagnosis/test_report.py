"""What is said at the end of a run stands in the figures of patterns and sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.runtime.pipeline import Pipeline

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.registry import Registry

SOURCE = {"type": "file", "channel": "s.csv", "as": "A", "time": {"field": "t", "format": "epoch_s"}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "s.csv").write_text("t,v,w\n1,7,x\n2,8,9\n")
    return tmp_path


def report(folder: Path, registry: Registry, query: str, **source: Any) -> dict[str, Any]:
    document = {
        "version": 1,
        "sources": {"s": {**SOURCE, **source}},
        "patterns": {"p": {"query": f"PATTERN {query} WITHIN 1 min"}},
        "sinks": {"o": {"type": "none"}},
    }
    pipeline = Pipeline.from_dict(document, registry=registry, root=folder)
    pipeline.run()
    pipeline.close()
    return pipeline.report()


def test_what_is_wrong_with_a_pattern_and_with_a_source_each_has_its_place(
    folder: Path, installed: Registry
) -> None:
    said = report(folder, installed, "SEQ(A a) WHERE a.v > 90", key="nr")
    assert [r["code"] for r in said["patterns"]["p"]["why_none"]] == ["never-held"]
    assert said["patterns"]["p"]["emitted"] == 0
    (absent,) = said["sources"]["s"]["absent_fields"]
    assert (absent["key"], absent["field"], absent["have"]) == ("key", "nr", ["t", "v", "w"])
    assert said["sources"]["s"]["read"] == 2


def test_a_field_that_only_became_nothing_is_not_absent(folder: Path, installed: Registry) -> None:
    (folder / "s.csv").write_text("t,v,w\n1,7,x\n2,8,y\n")
    counts = report(folder, installed, "SEQ(A a)", payload={"w": "float", "v": "int"})["sources"]["s"]
    assert counts["unconverted"] == {"w": 2}
    assert "absent_fields" not in counts


def test_a_column_of_several_kinds_is_told_once(folder: Path, installed: Registry) -> None:
    said = report(folder, installed, "SEQ(A a, A b) WHERE a.w > 3 OR b.v > 3")
    assert [c["column"] for c in said["sources"]["s"]["mixed_columns"]] == ["w"]
    assert "suspicions" not in said["patterns"]["p"]


def test_where_nothing_is_wrong_nothing_is_added(folder: Path, installed: Registry) -> None:
    said = report(folder, installed, "SEQ(A a) WHERE a.v > 3")
    assert said["patterns"]["p"].keys() & {"why_none", "suspicions"} == set()
    assert "absent_fields" not in said["sources"]["s"]
