"""The suite for runners notices runners that are wrong on purpose."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from limecep.errors import RunFailure
from limecep.host import Host
from limecep.runtime.pipeline import Pipeline
from limecep.testing.runner import _FAILING, PIPELINES, RunnerConformance

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from limecep.config.model import PipelineConfig
    from limecep.contracts.runner import Runner
    from limecep.registry import Registry


class Right:
    def __init__(self, config: PipelineConfig, registry: Registry) -> None:
        self.config = config
        self.pipeline = Pipeline.from_config(config, registry)

    def run(self, stop: Callable[[], bool], duration_seconds: float | None) -> None:
        self.pipeline.run(stop, duration_seconds)

    def progress(self) -> Any:
        return self.pipeline.progress()

    def report(self) -> dict[str, Any]:
        return self.pipeline.report()

    def close(self) -> None:
        self.pipeline.close()


class Loses(Right):
    def close(self) -> None:
        super().close()
        written = self.config.root / "out.jsonl"
        written.write_text("".join(written.read_text().splitlines(keepends=True)[:-3]))


class Invents(Right):
    def close(self) -> None:
        super().close()
        with (self.config.root / "out.jsonl").open("a") as file:
            file.write('{"op": "emit", "match": "m", "revision": 1, "pattern": "p", "content": "none"}\n')


class ReportsNothing(Right):
    def report(self) -> dict[str, Any]:
        return {"events": super().report()["events"]}


class NeverAsks(Right):
    def run(self, stop: Callable[[], bool], duration_seconds: float | None) -> None:
        super().run(lambda: False, 0.3)


class Swallows(Right):
    def run(self, stop: Callable[[], bool], duration_seconds: float | None) -> None:
        with suppress(RunFailure):
            super().run(stop, duration_seconds)


class Hides(Right):
    def run(self, stop: Callable[[], bool], duration_seconds: float | None) -> None:
        try:
            super().run(stop, duration_seconds)
        except RunFailure:
            raise RunFailure("it has failed") from None


class ClosesOnce(Right):
    def close(self) -> None:
        super().close()
        del self.pipeline


class Guesses(Right):
    def progress(self) -> Any:
        return 0.5


class Misspells(Right):
    def overdu(self) -> float:
        return -1.0


def suite(runner: type[Right]) -> RunnerConformance:
    class Suite(RunnerConformance):
        def make_runner(self, config: PipelineConfig, registry: Registry) -> Runner:
            return runner(config, registry)

    return Suite()


class TestRight(RunnerConformance):
    pipelines: ClassVar = PIPELINES[:2]

    def make_runner(self, config: PipelineConfig, registry: Registry) -> Runner:
        return Right(config, registry)


@pytest.mark.parametrize(
    ("runner", "test", "said"),
    [
        (ReportsNothing, "its_accounting_has_the_form_of_one_process", "the report has no "),
        (NeverAsks, "it_ends_when_it_is_asked_to", "never asks"),
        (Swallows, "an_error_of_a_component_is_named", "DID NOT RAISE"),
        (Swallows, "what_is_not_there_is_named", "DID NOT RAISE"),
        (Hides, "an_error_of_a_component_is_named", "patterns.p is not told: it has failed"),
        (Guesses, "it_says_how_far_it_is_or_nothing", "progress is 0.5"),
        (Misspells, "no_optional_ability_is_misspelt", "did you mean 'overdue'"),
    ],
)
def test_a_runner_that_is_wrong_is_noticed(runner: type[Right], test: str, said: str, tmp_path: Path) -> None:
    registry = Host.load().with_plugins(_FAILING).registry
    with pytest.raises((AssertionError, pytest.fail.Exception), match=said):
        getattr(suite(runner), f"test_{test}")(registry, tmp_path)


@pytest.mark.parametrize(
    ("runner", "said"), [(Loses, "matches are missing"), (Invents, "matches stand that are none")]
)
def test_other_results_are_noticed(runner: type[Right], said: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=said):
        suite(runner).test_the_results_are_those_of_one_process(PIPELINES[0], Host.load().registry, tmp_path)


def test_one_that_can_be_closed_once_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(AttributeError):
        suite(ClosesOnce).test_it_may_be_closed_twice_and_without_a_run(Host.load().registry, tmp_path)


def test_a_failure_that_ends_well_is_noticed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    registry = Host.load().with_plugins(_FAILING).registry
    with pytest.raises(AssertionError):
        suite(Swallows).test_the_exit_code_says_how_it_ended(True, registry, tmp_path, capsys)


def test_a_pipeline_that_the_runner_refuses_is_not_tried(tmp_path: Path) -> None:
    refusing = suite(Right)
    refusing.objection = lambda config: "no keys"  # type: ignore[method-assign]
    with pytest.raises(pytest.skip.Exception, match="no keys"):
        refusing.test_it_may_be_closed_twice_and_without_a_run(Host.load().registry, tmp_path)
