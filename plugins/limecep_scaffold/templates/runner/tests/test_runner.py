"""The runner does what every runner must do, and what it is for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.api import RunFailure
from limecep.testing.runner import RunnerConformance
from limecep_mine.config import MineOptions
from limecep_mine.runner import MineRunner

if TYPE_CHECKING:
    from limecep.embedding.pipelines import PipelineConfig, Registry


class TestMineRunner(RunnerConformance):
    def make_runner(self, config: PipelineConfig, registry: Registry) -> MineRunner:
        return MineRunner(config, registry, MineOptions())


def test_a_run_that_fails_is_begun_again(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []

    class Broken:
        @classmethod
        def from_config(cls, config: object, registry: object) -> Broken:
            return cls()

        def run(self, stop: object, duration_seconds: object) -> None:
            begun.append(self)
            raise RunFailure("the disk is full")

        def close(self) -> None: ...

    monkeypatch.setattr("limecep_mine.runner.Pipeline", Broken)
    nothing: None = None
    runner = MineRunner(nothing, nothing, MineOptions(attempts=3))  # type: ignore[arg-type]
    with pytest.raises(RunFailure, match="the disk is full"):
        runner.run(lambda: False, None)
    assert len(begun) == 3
