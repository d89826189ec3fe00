"""The runner that a file names, or the command line instead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from limecep import ComponentSpec, option
from limecep.config.loader import Loaded, load
from limecep.problems import Problem
from limecep.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from limecep.config.model import PipelineConfig

PIPELINE = """\
version: 1
sources:
  gas: {type: file, channel: gas.jsonl, as: Gas, time: t}
patterns:
  p: {query: "PATTERN SEQ(Gas a, Gas b) WITHIN 5 seconds"}
sinks: {out: {type: stdout}}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterOptions:
    nodes: int = option(1, help="How many.")

    def vet(self, config: PipelineConfig) -> Iterator[tuple[tuple[str, ...], Problem]]:
        for source in config.sources:
            if self.nodes > 9:
                problem = Problem(code="too-many", message=f"'{source.name}' is too small for that")
                yield ("sources", source.name, "nowhere"), problem


@pytest.fixture
def registry(registry: Registry) -> Registry:
    def runner(name: str, **more: Any) -> ComponentSpec:
        return ComponentSpec(kind="runner", name=name, factory="nowhere:Nothing", summary="Runs.", **more)

    return Registry([*registry.specs(), runner("local"), runner("cluster", options=ClusterOptions)])


def loaded(text: str, registry: Registry, folder: Path, runner: str | None = None, *overrides: str) -> Loaded:
    file = folder / "p.yaml"
    file.write_text(PIPELINE + text)
    return load(file, registry, overrides=overrides, environment={}, runner=runner)


@pytest.mark.parametrize(
    ("text", "runner", "overrides", "name", "nodes"),
    [
        ("runner: cluster", None, [], "cluster", 1),
        ("runner: {type: cluster, nodes: 3}", None, [], "cluster", 3),
        ("runner: cluster", None, ["runner.nodes=4"], "cluster", 4),
        ("", "cluster", ["runner.nodes=4"], "cluster", 4),
        ("runner: local", "cluster", ["runner.nodes=4"], "cluster", 4),
        ("runner: cluster", "cluster", ["runner.nodes=4"], "cluster", 4),
        ("runner: {type: cluster, nodes: 3}", "cluster", [], "cluster", 3),
        ("runner: {type: cluster, nodes: 3}", "local", [], "local", None),
    ],
)
def test_a_runner_is_named_with_its_options(
    text: str,
    runner: str | None,
    overrides: list[str],
    name: str,
    nodes: int | None,
    registry: Registry,
    tmp_path: Path,
) -> None:
    found = loaded(text, registry, tmp_path, runner, *overrides)
    assert not found.problems
    assert found.config is not None
    assert found.config.runner is not None
    assert found.config.runner.spec.name == name
    assert getattr(found.config.runner.options, "nodes", None) == nodes


@pytest.mark.parametrize("text", ["", "runner:"])
def test_without_one_a_pipeline_runs_in_this_process(text: str, registry: Registry, tmp_path: Path) -> None:
    config = loaded(text, registry, tmp_path).config
    assert config is not None
    assert config.runner is None


def test_one_that_is_not_there_is_told_where_it_was_named(registry: Registry, tmp_path: Path) -> None:
    (problem,) = loaded("", registry, tmp_path, "clustr").problems
    assert "no runner named 'clustr'" in problem.message
    assert "did you mean 'cluster'?" in problem.hint
    assert problem.place is not None
    assert problem.place.file == "--runner"


def test_what_it_cannot_do_is_told_at_the_place_it_is_about(registry: Registry, tmp_path: Path) -> None:
    found = loaded("runner: {type: cluster, nodes: 10}", registry, tmp_path)
    assert found.config is None
    (problem,) = found.problems
    assert problem.code == "too-many"
    assert problem.place is not None
    assert problem.place.text.strip().startswith("gas:")
