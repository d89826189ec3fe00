"""With state, workers that are killed again and again tell what one process tells that is left alone."""

from __future__ import annotations

import json
import subprocess
import sys
import zlib
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from limecep import Pipeline, cli
from limecep.errors import RunFailure
from limecep.runtime import feeds, pipeline
from limecep_local.divided import Division
from limecep_sqlite.store import SqliteStore
from tests.plugins.limecep_local.conftest import REGISTRY, config_of, divided, ran, write
from tests.plugins.limecep_local.test_divided import KINDS, by_key

if TYPE_CHECKING:
    from limecep.config.model import PipelineConfig


class Killed(BaseException):
    """The process is no more."""


class Fate:
    """Says when the process that writes the state is killed: around its commits, or while workers are at
    work."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
        self._chosen = Random(seed)
        self._left = 0
        monkeypatch.setattr(SqliteStore, "commit", self._around(SqliteStore.commit))
        monkeypatch.setattr(Division, "_collect", self._around(Division._collect))
        monkeypatch.setattr(Division, "ask", self._around(Division.ask))

    def _around(self, act: Any) -> Any:
        def acted(*arguments: Any, **named: Any) -> Any:
            self._step()
            found = act(*arguments, **named)
            self._step()
            return found

        return acted

    def _step(self) -> None:
        self._left -= 1
        if self._left == 0:
            raise Killed

    def live(self, config: PipelineConfig, workers: int) -> Pipeline | None:
        """Runs the pipeline; None if it was killed."""
        self._left = self._chosen.randrange(1, 25)
        pipeline = divided(config, workers)
        try:
            pipeline.run()
        except Killed:
            return None
        finally:
            self._left = 0
            pipeline.close()
        return pipeline


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeds, "BATCH_MESSAGES", 16)
    # Whoever is killed every few steps gets nowhere but by committing each batch.
    monkeypatch.setattr(pipeline, "SETTLE_SECONDS", 0.0)


def told(root: Path) -> dict[str, list[dict[str, Any]]]:
    """What a consumer has who takes records of one match, revision and operation for one."""
    found = {}
    for sink in ("out", "ids"):
        records = map(json.loads, (root / f"{sink}.jsonl").read_text().splitlines())
        seen: dict[tuple[Any, ...], dict[str, Any]] = {}
        for record in records:
            name = record["match"], record["revision"], record["op"]
            assert seen.setdefault(name, record) == record
        found[sink] = list(seen.values())
    return found


def figures(pipeline: Pipeline) -> dict[str, Any]:
    report = pipeline.report()
    return {name: report[name] for name in ("events", "patterns", "statistics", "evicted")}


@pytest.mark.parametrize("kind", ["several partitions", "waiting for time", "refusing", "slack", "final"])
def test_what_is_told_is_what_one_process_tells_that_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    seed = zlib.crc32(kind.encode())
    workers = 2 + seed % 2
    write(tmp_path, seed, 80)
    alone = Pipeline(config_of(tmp_path, KINDS[kind], state={"dir": "alone"}), REGISTRY)
    ran(alone)
    expected, sums = told(tmp_path), figures(alone)
    for sink in ("out", "ids"):
        (tmp_path / f"{sink}.jsonl").unlink()
    config, fate, lives = config_of(tmp_path, KINDS[kind], state={"dir": "state"}), Fate(monkeypatch, seed), 0
    while (ended := fate.live(config, workers)) is None:
        lives += 1
        assert lives < 100
    assert lives > 1
    found = told(tmp_path)
    for sink in ("out", "ids"):
        assert by_key(found[sink]) == by_key(expected[sink])
    assert figures(ended) == sums


def test_late_events_find_older_ones_in_the_journal_as_in_one_process(tmp_path: Path) -> None:
    write(tmp_path, seed=5)
    kept = {"retention": {"events": 40}}
    patterns = KINDS["several partitions"]
    alone = Pipeline(config_of(tmp_path, patterns, state={"dir": "alone"}, **kept), REGISTRY)
    expected, _ = ran(alone)
    pipeline = divided(config_of(tmp_path, patterns, state={"dir": "state"}, **kept), 2)
    found, _ = ran(pipeline)
    assert alone.report()["retrieved"]["times"] > 5
    assert by_key(found["out"]) == by_key(expected["out"])
    assert found["late"] == expected["late"]
    assert figures(pipeline) == figures(alone)


def test_a_state_shows_what_workers_know_as_if_they_were_one_process(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, seed=5)
    said = []
    for workers, folder in enumerate(("alone", "state"), start=1):
        config = config_of(tmp_path, KINDS["waiting for time"], state={"dir": folder})
        ran(Pipeline(config, REGISTRY) if workers == 1 else divided(config, workers))
        capsys.readouterr()
        assert cli.main(["state", "show", str(tmp_path / folder)]) == 0
        shown = json.loads(capsys.readouterr().out)
        assert shown.pop("workers") == workers
        # Workers have several batches in one transaction.
        del shown["path"], shown["bytes"], shown["batches"]
        said.append(shown)
    assert said[1]["patterns"]["p"]["pending"] > 0
    assert said[1] == said[0]


@pytest.mark.parametrize(("before", "now"), [(1, 2), (2, 1), (2, 3)])
def test_a_state_is_that_of_a_number_of_workers(tmp_path: Path, before: int, now: int) -> None:
    write(tmp_path, seed=5, count=20)
    config = config_of(tmp_path, KINDS["kleene"], state={"dir": "state"})
    first, second = (Pipeline(config, REGISTRY) if n == 1 else divided(config, n) for n in (before, now))
    ran(first)
    with pytest.raises(RunFailure, match=r"it was kept with .*, and this run has .*state reset"):
        ran(second)


@pytest.mark.slow
def test_a_kill_of_workers_or_of_the_run_changes_nothing_that_is_told() -> None:
    campaign = Path(__file__).parents[3] / "benchmarks/kill.py"
    command = [sys.executable, str(campaign), "--transport", "file", "--workers", "2", "--kills", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    print(done.stdout, done.stderr)
    assert done.returncode == 0
    assert "1 kills over file" in done.stdout
