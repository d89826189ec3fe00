"""`limecep run` on a pipeline made up here: how it starts, ends, and what it says."""

from __future__ import annotations

import json
import signal
from asyncio import CancelledError
from decimal import Decimal
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
import structlog

from limecep import ComponentSpec, __version__, cli
from limecep.cli import run
from limecep.cli.exits import Exit
from limecep.config.loader import Loaded
from limecep.contracts.runner import Progress
from limecep.errors import ConfigurationError, RunFailure
from limecep.problems import Problem
from limecep.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

REPORT: dict[str, Any] = {
    "events": {"read": 2, "in_order": 2, "invalid": 0},
    "patterns": {
        "p": {
            "emitted": 1,
            "corrected": 0,
            "retracted": 0,
            "live": 1,
            "engine_runs": 1,
            "on_demand_runs": 0,
            "events_handed": 2,
            "slack_waits": 0,
        }
    },
    "sources": {},
    "sinks": {"late": {"records": 0}},
    "seconds": 0.5,
    "events_per_second": 4.0,
    "peak_rss_bytes": 2**20,
    "version": __version__,
}
STATISTICS: dict[str, Any] = {
    "events": 2,
    "late": 1,
    "ratio": 0.5,
    "lateness": {"average": 3.0, "minimum": 3.0, "maximum": 3.0},
    "types": {},
    "sources": {},
    "patterns": {},
}
WARNING = Problem(code="w", message="careful", severity="warning")
ERROR = Problem(code="e", message="wrong", hint="mend it")


class FakePipeline:
    """Does what its test says, and notes what was asked of it."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.duration: float | None = None
        self.during: Callable[[Callable[[], bool]], None] = lambda stop: None
        self.refusal: ConfigurationError | None = None

    def from_config(self, config: object, registry: object) -> FakePipeline:
        if self.refusal:
            raise self.refusal
        return self

    def run(self, stop: Callable[[], bool], duration_seconds: float | None) -> None:
        self.calls.append("run")
        self.duration = duration_seconds
        self.during(stop)

    def progress(self) -> Progress:
        return Progress(fraction=0.5, events=7, event_time=None)

    def report(self) -> dict[str, Any]:
        self.calls.append("report")
        return {**REPORT, "statistics": STATISTICS}

    def close(self) -> None:
        self.calls.append("close")


@pytest.fixture
def loaded() -> Loaded:
    sinks = [SimpleNamespace(of="updates"), SimpleNamespace(of="late", name="late", channel="l.jsonl")]
    config = SimpleNamespace(sources=[], sinks=sinks, runner=None, secrets=None)
    return Loaded(config=config, problems=[])  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def pipeline(monkeypatch: pytest.MonkeyPatch, loaded: Loaded) -> FakePipeline:
    fake = FakePipeline()
    monkeypatch.setattr(run, "Pipeline", fake)
    monkeypatch.setattr(run, "load", lambda *_, **__: loaded)
    return fake


def test_a_run_ends_with_its_accounting_as_one_log_record(
    pipeline: FakePipeline, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["run", "p.yaml"]) == Exit.FINE
    assert pipeline.calls == ["run", "close", "report"]
    said = capsys.readouterr()
    assert said.out == ""
    record = json.loads(said.err.splitlines()[-1])
    assert (record["event"], record["level"]) == ("run finished", "info")
    assert {k: record[k] for k in REPORT} == REPORT
    assert "statistics" not in record


@pytest.mark.usefixtures("pipeline")
def test_statistics_are_a_record_of_their_own_when_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", "p.yaml", "--stats"]) == Exit.FINE
    statistics, finished = map(json.loads, capsys.readouterr().err.splitlines()[-2:])
    assert (statistics["event"], finished["event"]) == ("statistics", "run finished")
    assert {k: statistics[k] for k in STATISTICS} == STATISTICS


def test_on_a_terminal_statistics_are_tables(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert cli.main(["run", "p.yaml", "--stats"]) == Exit.FINE
    assert "all        2  1 (50.0%)" in capsys.readouterr().err


def test_on_a_terminal_the_accounting_is_for_people(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert cli.main(["run", "p.yaml"]) == Exit.FINE
    assert "events    2 read = 2 in order\n" in capsys.readouterr().err


def test_the_report_is_written_as_json(tmp_path: Path) -> None:
    assert cli.main(["run", "p.yaml", "--report", str(tmp_path / "r.json")]) == Exit.FINE
    assert json.loads((tmp_path / "r.json").read_text()) == {**REPORT, "statistics": STATISTICS}


def test_what_json_does_not_know_is_written_as_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    late = [
        {"reason": "invalid", "source": "s", "pattern": None, "count": 1, "example": {"at": Decimal("1.5")}}
    ]
    monkeypatch.setitem(REPORT, "late", late)
    assert cli.main(["run", "p.yaml", "--quiet", "--report", str(tmp_path / "r.json")]) == Exit.FINE
    assert json.loads((tmp_path / "r.json").read_text())["late"][0]["example"] == {"at": "1.5"}


def test_a_report_that_cannot_be_written_is_a_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["run", "p.yaml", "--report", str(tmp_path / "no/r.json")]) == Exit.FAILED
    assert "limecep: the report cannot be written: " in capsys.readouterr().err


@pytest.mark.parametrize(("text", "seconds"), [("30s", 30.0), ("1.5m", 90.0), ("250ms", 0.25)])
def test_for_is_a_duration(text: str, seconds: float, pipeline: FakePipeline) -> None:
    assert cli.main(["run", "p.yaml", "--for", text]) == Exit.FINE
    assert pipeline.duration == seconds


@pytest.mark.parametrize("text", ["30", "soon", "30 parsecs"])
def test_for_with_anything_else_is_a_usage_error(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(["run", "p.yaml", "--for", text])
    assert caught.value.code == Exit.USAGE
    assert f"argument --for: '{text}' " in capsys.readouterr().err


@pytest.mark.parametrize("terminal", [True, False])
def test_quiet_is_quiet_but_for_errors(
    monkeypatch: pytest.MonkeyPatch,
    loaded: Loaded,
    pipeline: FakePipeline,
    capsys: pytest.CaptureFixture[str],
    terminal: bool,
) -> None:
    def during(stop: Callable[[], bool]) -> None:
        stop()
        structlog.get_logger().warning("careful")

    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal)
    loaded.problems.append(WARNING)
    pipeline.during = during
    assert cli.main(["run", "p.yaml", "--quiet"]) == Exit.FINE
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(run, "load", lambda *_, **__: Loaded(config=None, problems=[ERROR, WARNING]))
    assert cli.main(["run", "p.yaml", "--quiet"]) == Exit.REFUSED
    assert capsys.readouterr().err == "error: wrong [e]\n    mend it\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_run_in_order(number: signal.Signals, pipeline: FakePipeline) -> None:
    def during(stop: Callable[[], bool]) -> None:
        assert not stop()
        signal.raise_signal(number)
        assert stop()

    pipeline.during = during
    assert cli.main(["run", "p.yaml"]) == Exit.FINE
    assert pipeline.calls == ["run", "close", "report"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_before_the_run_begins_ends_it_well(
    number: signal.Signals,
    loaded: Loaded,
    pipeline: FakePipeline,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def loading(*_: object, **__: object) -> Loaded:
        signal.raise_signal(number)
        return loaded

    monkeypatch.setattr(run, "load", loading)
    assert cli.main(["run", "p.yaml"]) == Exit.FINE
    assert pipeline.calls == ["close", "report"]
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "limecep: stopped before the run began: nothing was read"
    assert json.loads(said[-1])["event"] == "run finished"


def test_what_was_lost_and_what_clocks_did_are_log_records(
    pipeline: FakePipeline, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    counts = {
        "read": 9,
        "unconverted": {"v": 2},
        "ambiguous_times": 3,
        "ragged_lines": 1,
        "first_ragged": "x:2",
    }
    monkeypatch.setitem(REPORT, "sources", {"gas": counts})
    assert cli.main(["run", "p.yaml"]) == Exit.FINE
    said = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [(line["level"], line["event"]) for line in said[:-1]] == [
        ("warning", "missing: v in 2 records of source gas: it is not of the type in 'payload'"),
        ("warning", "1 ragged line of source gas, first at x:2"),
        (
            "warning",
            "times of source gas: 3 given twice by a change of the clocks ('fold' says which is meant)",
        ),
    ]


def test_warnings_are_shown_and_do_not_stop_a_run(loaded: Loaded, capsys: pytest.CaptureFixture[str]) -> None:
    loaded.problems.append(WARNING)
    assert cli.main(["run", "p.yaml"]) == Exit.FINE
    assert "warning: careful [w]" in capsys.readouterr().err


def test_a_configuration_with_errors_is_refused(
    monkeypatch: pytest.MonkeyPatch, pipeline: FakePipeline, capsys: pytest.CaptureFixture[str]
) -> None:
    refused = Loaded(config=None, problems=[ERROR, WARNING])
    monkeypatch.setattr(run, "load", lambda *_, **__: refused)
    assert cli.main(["run", "p.yaml"]) == Exit.REFUSED
    said = capsys.readouterr()
    assert said.out == ""
    assert "error: wrong [e]\n    mend it\n" in said.err
    assert pipeline.calls == []


def test_a_pipeline_that_cannot_be_put_together_is_refused(
    pipeline: FakePipeline, capsys: pytest.CaptureFixture[str]
) -> None:
    pipeline.refusal = ConfigurationError([ERROR])
    assert cli.main(["run", "p.yaml"]) == Exit.REFUSED
    assert "error: wrong [e]" in capsys.readouterr().err


def test_a_run_whose_matches_nobody_reads_any_more_ends_quietly(
    pipeline: FakePipeline, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def during(stop: Callable[[], bool]) -> None:
        raise BrokenPipeError

    abandoned: list[bool] = []
    monkeypatch.setattr(run, "abandon_output", lambda: abandoned.append(True))
    pipeline.during = during
    assert cli.main(["run", "p.yaml"]) == Exit.FINE
    assert abandoned == [True]
    assert pipeline.calls == ["run", "close", "report"]
    assert capsys.readouterr().err == ""


def test_a_run_that_cannot_go_on_closes_everything_and_fails(
    pipeline: FakePipeline, capsys: pytest.CaptureFixture[str]
) -> None:
    def during(stop: Callable[[], bool]) -> None:
        raise RunFailure("the disk is full")

    pipeline.during = during
    assert cli.main(["run", "p.yaml", "--quiet"]) == Exit.FAILED
    assert pipeline.calls == ["run", "close", "report"]
    assert capsys.readouterr().err == "limecep: the disk is full\n"


@pytest.mark.parametrize(
    ("error", "said", "failure"),
    [
        (RunFailure("the disk is full"), "limecep: the disk is full", "the disk is full"),
        (ZeroDivisionError("zero"), "limecep: internal error: ZeroDivisionError: zero", "zero"),
        (ValueError(), "limecep: internal error: ValueError", "ValueError"),
    ],
)
def test_a_run_that_fails_accounts_for_what_it_did(
    error: Exception,
    said: str,
    failure: str,
    pipeline: FakePipeline,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def during(stop: Callable[[], bool]) -> None:
        raise error

    pipeline.during = during
    assert cli.main(["run", "p.yaml", "--report", str(tmp_path / "r.json")]) == Exit.FAILED
    first, last = capsys.readouterr().err.splitlines()
    assert first.startswith(said)
    record = json.loads(last)
    assert (record["event"], record["level"], record["failure"]) == ("run failed", "error", failure)
    assert {k: record[k] for k in REPORT} == REPORT
    report = json.loads((tmp_path / "r.json").read_text())
    assert report == {**REPORT, "statistics": STATISTICS, "failure": failure}


@pytest.mark.parametrize("error", [SystemExit(0), CancelledError(0)])
def test_a_run_is_not_ended_by_a_component_that_ends_the_process_or_cancels_itself(
    error: BaseException, pipeline: FakePipeline, capsys: pytest.CaptureFixture[str]
) -> None:
    def during(stop: Callable[[], bool]) -> None:
        raise error

    pipeline.during = during
    assert cli.main(["run", "p.yaml", "--quiet"]) == Exit.FAILED
    assert pipeline.calls == ["run", "close", "report"]
    said = capsys.readouterr().err
    assert said.startswith(f"limecep: {__file__} raised ")
    assert said.endswith(f"{type(error).__name__}: 0\n")


def test_why_a_run_failed_is_told_once_whatever_fails_after_it(
    pipeline: FakePipeline,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def during(stop: Callable[[], bool]) -> None:
        raise RunFailure("the engine cannot be made")

    def failing() -> None:
        raise RunFailure("nor anything else")

    pipeline.during = during
    monkeypatch.setattr(pipeline, "close", failing)
    monkeypatch.setattr(pipeline, "report", failing)
    assert cli.main(["run", "p.yaml", "--report", str(tmp_path / "r.json")]) == Exit.FAILED
    assert capsys.readouterr().err == "limecep: the engine cannot be made\n"
    assert json.loads((tmp_path / "r.json").read_text()) == {"failure": "the engine cannot be made"}


def test_a_run_that_cannot_be_made_leaves_a_report_of_that(
    pipeline: FakePipeline, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def failing(*given: object) -> FakePipeline:
        raise RunFailure("a sink cannot be made")

    (tmp_path / "r.json").write_text("of an earlier run")
    monkeypatch.setattr(pipeline, "from_config", failing)
    assert cli.main(["run", "p.yaml", "--report", str(tmp_path / "r.json")]) == Exit.FAILED
    assert json.loads((tmp_path / "r.json").read_text()) == {"failure": "a sink cannot be made"}


def test_a_runner_that_is_named_runs_it(
    loaded: Loaded, pipeline: FakePipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = FakePipeline()
    made: list[tuple[object, ...]] = []

    def make(self: Registry, *args: object) -> FakePipeline:
        made.append(args)
        return elsewhere

    there = SimpleNamespace(name="there")
    loaded.config.runner = SimpleNamespace(spec=there, options="so")  # type: ignore[union-attr, misc, assignment]
    monkeypatch.setattr(Registry, "make", make)
    assert cli.main(["run", "p.yaml"]) == Exit.FINE
    assert elsewhere.calls == ["run", "close", "report"]
    assert not pipeline.calls
    ((spec, config, registry, options),) = made
    assert (spec, config, options) == (there, loaded.config, "so")
    assert isinstance(registry, Registry)


def test_a_runner_that_ends_the_process_while_it_is_made_fails_the_run(
    loaded: Loaded, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def make(self: Registry, *args: object) -> None:
        raise SystemExit(0)

    spec = ComponentSpec(kind="runner", name="there", factory="x:Y", summary="Runs.")
    loaded.config.runner = SimpleNamespace(spec=spec, options="so")  # type: ignore[union-attr, misc, assignment]
    monkeypatch.setattr(Registry, "make", make)
    assert cli.main(["run", "p.yaml"]) == Exit.FAILED
    assert capsys.readouterr().err == "limecep: runner 'there' raised SystemExit: 0\n"
