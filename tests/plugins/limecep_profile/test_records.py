"""Records of files."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING, Any

import pytest
import structlog

from limecep.embedding.documents import Findings, SourceText, parse
from limecep.errors import ConfigurationError
from limecep.host import Host
from limecep_profile.records import Records, plain_value

if TYPE_CHECKING:
    from pathlib import Path

REGISTRY = Host.load().registry


def records(path: Path, format: Any = None) -> Records:
    return Records(path, REGISTRY, structlog.get_logger(), format)


def test_objects_inside_are_read_by_their_path(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text('{"a": {"b": 1, "c": {"d": {"e": 2}}}, "f": [1], "g": {}}\n')
    assert list(records(file)) == [{"a.b": 1, "a.c.d": {"e": 2}, "f": [1], "g": {}}]


def test_cells_are_what_they_read_as(tmp_path: Path) -> None:
    file = tmp_path / "x.csv.gz"
    file.write_bytes(gzip.compress(b"a,b,c\n1,x,2.5\n2,,true\n"))
    first, second = records(file)
    assert first == {"a": 1, "b": "x", "c": 2.5}
    assert (second["a"], second.get("b"), second["c"]) == (2, None, True)


def test_what_cannot_be_read_is_counted_in_each_pass_anew(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text('{"a": 1}\n{"a"\n[]\n')
    read = records(file)
    for _ in range(2):
        assert list(read) == [{"a": 1}]
        assert read.unreadable == 1
    assert read.first_error.startswith("x.jsonl:2: not JSON")


def test_a_codec_may_be_named_with_its_options(tmp_path: Path) -> None:
    file = tmp_path / "x.dat"
    file.write_text("a;b\n1;2\n")
    assert list(records(file, {"type": "csv", "delimiter": ";"})) == [{"a": 1, "b": 2}]
    with pytest.raises(ConfigurationError, match="no codec named 'cvs'"):
        records(file, "cvs")


def test_nodes_become_values() -> None:
    node = parse(SourceText("x", "{a: [1, x], b: {c: true}}"), Findings())
    assert node is not None
    assert plain_value(node) == {"a": [1, "x"], "b": {"c": True}}
