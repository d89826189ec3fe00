"""Pipelines as plain documents: values put in, and written again."""

from __future__ import annotations

from pathlib import Path

import pytest

from limecep.config.loader import load
from limecep.errors import ConfigurationError
from limecep.host import Host
from limecep_lab.sweeps.documents import read_document, with_values, written

ROOT = Path(__file__).parents[4]
REGISTRY = Host.load().registry
DOCUMENT = {
    "params": {"limit": 5},
    "patterns": {
        "one": {"query": "Q", "lateness": "accept"},
        "two": {"query": "Q", "lateness": {"type": "score", "factor": 2}},
    },
}


def test_a_value_is_put_into_each_pattern_into_one_or_at_the_top() -> None:
    changed = with_values(
        DOCUMENT,
        {"slack": "none", "patterns.two.lateness.factor": 3, "params.limit": 7, "retention.time": "1h"},
    )
    assert changed == {
        "params": {"limit": 7},
        "retention": {"time": "1h"},
        "patterns": {
            "one": {"query": "Q", "lateness": "accept", "slack": "none"},
            "two": {"query": "Q", "lateness": {"type": "score", "factor": 3}, "slack": "none"},
        },
    }
    assert DOCUMENT["params"] == {"limit": 5}


def test_a_component_that_is_but_named_or_left_out_becomes_a_block_for_its_options() -> None:
    patterns = with_values(DOCUMENT, {"lateness.within": "5s", "slack.trigger": "5%"})["patterns"]
    assert patterns["one"]["lateness"] == {"type": "accept", "within": "5s"}
    assert patterns["one"]["slack"] == {"trigger": "5%"}
    # The component itself comes before its options, in whatever order they are given.
    values = {"lateness.within": "5s", "lateness": "bound"}
    assert with_values(DOCUMENT, values)["patterns"]["two"]["lateness"] == {"type": "bound", "within": "5s"}


@pytest.mark.parametrize(
    "file",
    sorted(p for p in (ROOT / "examples").glob("*/*.yaml") if not p.name.endswith(".test.yaml")),
    ids=lambda p: p.stem,
)
def test_what_is_written_is_the_pipeline_that_was_read(file: Path, tmp_path: Path) -> None:
    environment = {"BROKER_URL": "mqtt://localhost:1883"}
    again = tmp_path / file.name
    again.write_text(written(read_document(file, REGISTRY)))
    # Beside the first, for the sake of relative paths.
    found, expected = (load(f, REGISTRY, environment=environment).config for f in (again, file))
    assert expected is not None
    assert found is not None
    assert (found.sources, found.patterns, found.sinks) == (
        expected.sources,
        expected.patterns,
        expected.sinks,
    )


def test_text_that_reads_as_a_number_stays_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X", "50")
    file, again = tmp_path / "p.yaml", tmp_path / "again.yaml"
    file.write_text(
        'version: 1\nname: "1e5"\nparams:\n  a: "0o17"\n  b: "${X}"\n  c: ${X}\n  d: "007"\n'
        "patterns: {p: {query: PATTERN SEQ(A a) WITHIN 1 s}}\n"
    )
    again.write_text(written(read_document(file, REGISTRY)))
    config = load(again, REGISTRY).config
    assert config is not None
    assert config.name == "1e5"
    assert config.params == {"a": "0o17", "b": "50", "c": 50, "d": "007"}


def test_what_is_wrong_with_a_file_is_told_at_its_place(tmp_path: Path) -> None:
    file = tmp_path / "p.yaml"
    file.write_text("version: 1\nname: p\npatterns:\n  p: {query: PATTERN SEQ(A a WITHIN 3 s}\n")
    with pytest.raises(ConfigurationError, match=r"p\.yaml:4:\d+: error"):
        read_document(file, REGISTRY)
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_document(tmp_path / "gone.yaml", REGISTRY)
