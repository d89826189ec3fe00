"""What is varied: keys with values, and all choices they make."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from limecep.errors import ConfigurationError
from limecep.host import Host
from limecep_lab.sweeps.documents import read_document
from limecep_lab.sweeps.grids import grid, read_grid, read_vary, together

REGISTRY = Host.load().registry
DOCUMENT = {
    "version": 1,
    "name": "p",
    "patterns": {"p": {"query": "PATTERN SEQ(A a, B b) WITHIN 10 s", "results": {"type": "corrected"},
                       "lateness": "score"}},
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("lateness.factor=0.5,1,1.5", [0.5, 1, 1.5]),
        ("lateness=accept,{type: bound, within: 5s}", ["accept", {"type": "bound", "within": "5s"}]),
        ("lateness.weights=[1,0,0],[.6,.2,.2]", [[1, 0, 0], [0.6, 0.2, 0.2]]),
        ("results.emit=final", ["final"]),
    ],
)
def test_values_are_yaml_with_commas_between(text: str, values: list[Any]) -> None:
    assert read_vary(text) == (text.partition("=")[0], values)


@pytest.mark.parametrize("text", ["lateness", "=1", "a..b=1", "lateness=", "lateness={", "lateness=] ["])
def test_what_is_no_key_with_values_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError):
        read_vary(text)


def test_a_file_has_lists_of_values(tmp_path: Path) -> None:
    file = tmp_path / "grid.yaml"
    file.write_text("lateness.factor: [0.5, 1]\nslack: [none, {type: fixed, wait: 2s}]\n")
    assert read_grid(str(file)) == {
        "lateness.factor": [0.5, 1],
        "slack": ["none", {"type": "fixed", "wait": "2s"}],
    }
    file.write_text("lateness.factor: 0.5\nslack: []\n")
    with pytest.raises(ConfigurationError) as told:
        read_grid(str(file))
    assert [p.place.line for p in told.value.problems if p.place] == [1, 2]


def test_every_combination_is_a_choice_and_those_that_look_for_the_same_share_a_truth() -> None:
    vary = {
        "select": ["stnm", "stam"],
        "lateness": ["accept", "score"],
        "results.emit": ["eager", "complete"],
    }
    found = grid(DOCUMENT, vary, REGISTRY, Path())
    assert [tuple(c.values.values()) for c in found.choices][:3] == [
        ("stnm", "accept", "eager"), ("stnm", "accept", "complete"), ("stnm", "score", "eager"),
    ]  # fmt: skip
    assert [c.truth for c in found.choices] == [0, 0, 0, 0, 1, 1, 1, 1]
    assert [t.patterns[0].select for t in found.truths] == ["stnm", "stam"]


def test_what_a_match_is_depends_on_what_is_skipped_and_on_the_engine() -> None:
    found = grid(
        DOCUMENT, {"results.skip": ["none", "past-last"], "engine": ["maximal", "nfa"]}, REGISTRY, Path()
    )
    assert [c.truth for c in found.choices] == [0, 1, 2, 3]


def test_a_choice_that_makes_no_pipeline_is_told_with_its_values() -> None:
    with pytest.raises(ConfigurationError) as told:
        grid(DOCUMENT, {"slack": ["none"], "lateness.factor": [1, "much"]}, REGISTRY, Path())
    assert "(with slack=none, lateness.factor=much)" in str(told.value)
    assert "patterns.p.lateness.factor" in str(told.value)


def test_numbers_from_the_environment_are_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMIT", "50")
    file = tmp_path / "p.yaml"
    file.write_text(
        'version: 1\nname: p\nparams:\n  limit: ${LIMIT}\n  text: "${LIMIT}"\n'
        "patterns: {p: {query: PATTERN SEQ(A a) WITHIN 1 s}}\n"
    )
    (choice,) = grid(read_document(file, REGISTRY), {"slack": ["none"]}, REGISTRY, tmp_path).choices
    assert choice.config.params == {"limit": 50, "text": "50"}


@pytest.mark.parametrize("key", ["sources.all.channel", "connectors.log.root"])
def test_the_recording_is_the_same_for_all_choices(key: str) -> None:
    with pytest.raises(ConfigurationError, match="one recording is read"):
        grid(DOCUMENT, {key: ["a.jsonl", "b.jsonl"]}, REGISTRY, Path())


def test_a_key_is_varied_once_and_has_values() -> None:
    assert together([("slack", ["none"]), ("select", ["stam"])]) == {"slack": ["none"], "select": ["stam"]}
    with pytest.raises(ConfigurationError, match="'slack' is varied twice"):
        together([("slack", ["none"]), ("slack", ["adaptive"])])
    with pytest.raises(ConfigurationError, match="'slack' has no values"):
        grid(DOCUMENT, {"slack": []}, REGISTRY, Path())
    with pytest.raises(ConfigurationError, match="'params' must be a block of keys"):
        grid(DOCUMENT, {"params": [1]}, REGISTRY, Path())
