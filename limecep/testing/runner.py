"""The conformance suite for runners: subclass it in a test module, and pytest runs it.

from limecep.testing.runner import RunnerConformance

class TestMyRunner(RunnerConformance):
    def make_runner(self, config, registry):
        return MyRunner(config, registry, MyOptions())
"""

from __future__ import annotations

import json
from argparse import Namespace
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from limecep.cli import run
from limecep.cli.exits import Exit
from limecep.cli.signals import Stop
from limecep.config.loader import load_dict
from limecep.contracts.runner import OPTIONAL, Progress, Runner
from limecep.errors import RunFailure
from limecep.host import Host
from limecep.registry import Plugin
from limecep.runtime.pipeline import Pipeline
from limecep.spec import ComponentSpec
from limecep.testing.bounded import Bounded
from limecep.testing.spelling import check_spelling
from limecep.testing.streams import SECOND, disorder, stream

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from limecep.config.model import PipelineConfig
    from limecep.registry import Registry

_EVERY_LATE = {"lateness": {"type": "bound", "within": "1h"}}


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallPipeline:
    """A pipeline that is tried.

    Attributes:
        name: What it is about.
        patterns: Its patterns, as in YAML.
        late: The part of its events that come late.
    """

    name: str
    patterns: Mapping[str, Mapping[str, Any]]
    late: float = 0.0


def _one(name: str, query: str, late: float = 0.0, **more: Any) -> SmallPipeline:
    pattern = {"query": f"PATTERN {query} PARTITION BY k", **_EVERY_LATE, **more}
    return SmallPipeline(name=name, patterns={"p": pattern}, late=late)


#: Small pipelines. Their events have the types A, B and C, a key `k` and a number `v`.
PIPELINES: tuple[SmallPipeline, ...] = (
    _one("sequences", "SEQ(A a, B b) WITHIN 10 s"),
    _one("conditions", "SEQ(A a, B b, C c) WHERE a.v < b.v AND c.v > 2 WITHIN 20 s", late=0.3),
    _one("groups", "SEQ(A a, B+ b[], C c) WITHIN 10 s", late=0.3),
    _one("absence", "SEQ(A a, !C c, B b) WITHIN 10 s", late=0.3),
    _one("corrections", "SEQ(A a, B b) WITHIN 5 s", late=0.5, select="stam"),
    SmallPipeline(
        name="several patterns",
        patterns={
            "p": {"query": "PATTERN SEQ(A a, B b) WITHIN 5 s PARTITION BY k", **_EVERY_LATE},
            "q": {"query": "PATTERN SEQ(B b, C c) WITHIN 5 s PARTITION BY k", **_EVERY_LATE},
        },
        late=0.2,
    ),
)


class Failing:
    """An engine that fails at the first end event."""

    results: ClassVar[str] = "maximal"

    def __init__(self, plan: Any, options: Any, context: Any) -> None: ...

    def matches(self, end: Any, view: Any) -> Any:
        """Raises."""
        raise ValueError("worn out")

    def count(self, end: Any, view: Any) -> None:
        """Counts nothing."""


_FAILING = ComponentSpec(
    kind="engine", name="failing", factory="limecep.testing.runner:Failing", summary="Fails"
)


class RunnerConformance(Bounded):
    """What every runner must do. A test class: subclass it and say how the runner is made.

    Attributes:
        call_seconds: As of `Bounded`. A whole run is one call.
        pipelines: The pipelines tried; leave out what it does not run.
    """

    call_seconds: ClassVar[float] = 60.0
    pipelines: ClassVar[tuple[SmallPipeline, ...]] = PIPELINES

    def make_runner(self, config: PipelineConfig, registry: Registry) -> Runner:
        """A new runner of a pipeline."""
        raise NotImplementedError

    def objection(self, config: PipelineConfig) -> str:
        """Why its options refuse a pipeline, which is then not tried; "" where they do not."""
        return ""

    @pytest.fixture
    def registry(self) -> Registry:
        """The components there are."""
        return Host.load().with_plugins(_FAILING).registry

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Spreads the tests over the pipelines."""
        if "small" in metafunc.fixturenames:
            metafunc.parametrize("small", self.pipelines, ids=[p.name for p in self.pipelines])

    # -- what goes out -------------------------------------------------------------------------------------

    def test_the_results_are_those_of_one_process(
        self, small: SmallPipeline, registry: Registry, tmp_path: Path
    ) -> None:
        """What goes out, folded over its matches."""
        here, there = (self._written(small, registry, tmp_path / name) for name in ("here", "there"))
        runner = self._made(there, registry)
        local = Pipeline.from_config(here, registry)
        for each in (local, runner):
            each.run(lambda: False, None)
            each.close()
        expected, got = _live(here), _live(there)
        assert expected, "the pipeline finds nothing: there is nothing to compare"
        missing, wrong = sorted(expected - got), sorted(got - expected)
        assert not missing, f"{len(missing)} of {len(expected)} matches are missing: {missing[:5]}"
        assert not wrong, f"{len(wrong)} matches stand that are none: {wrong[:5]}"

    def test_its_accounting_has_the_form_of_one_process(self, registry: Registry, tmp_path: Path) -> None:
        """And says how many events were read, and how many matches of each pattern went out."""
        small = self.pipelines[0]
        here, there = (self._written(small, registry, tmp_path / name) for name in ("here", "there"))
        runner, local = self._made(there, registry), Pipeline.from_config(here, registry)
        for each in (local, runner):
            each.run(lambda: False, None)
            each.close()
        expected, got = local.report(), runner.report()
        lacking = sorted(expected.keys() - got.keys())
        assert not lacking, f"the report has no {', '.join(lacking)}"
        assert got["events"]["read"] == expected["events"]["read"]
        assert got["patterns"].keys() == expected["patterns"].keys()
        for name, counts in expected["patterns"].items():
            assert got["patterns"][name]["live"] == counts["live"], f"pattern {name}: live matches"
        json.dumps(got)

    def test_it_says_how_far_it_is_or_nothing(self, registry: Registry, tmp_path: Path) -> None:
        """At any time, also before a run."""
        runner = self._made(self._written(self.pipelines[0], registry, tmp_path), registry)
        for turn in range(2):
            told = runner.progress()
            assert told is None or isinstance(told, Progress), f"progress is {told!r}"
            assert told is None or told.fraction is None or 0 <= told.fraction <= 1, f"progress is {told}"
            if turn == 0:
                runner.run(lambda: False, None)
        runner.close()

    # -- how it ends ---------------------------------------------------------------------------------------

    def test_it_ends_when_it_is_asked_to(self, registry: Registry, tmp_path: Path) -> None:
        """It asks, ends in order, and has a report all the same."""
        runner = self._made(self._written(self.pipelines[0], registry, tmp_path, endless=True), registry)
        asked = []

        def stop() -> bool:
            asked.append(True)
            return len(asked) > 3

        runner.run(stop, None)
        runner.close()
        assert asked, "it never asks whether it is to end"
        assert runner.report()["stopped"] is not None, "the report does not say that the run was stopped"

    def test_it_ends_when_its_time_is_up(self, registry: Registry, tmp_path: Path) -> None:
        """Although its input goes on."""
        runner = self._made(self._written(self.pipelines[0], registry, tmp_path, endless=True), registry)
        runner.run(lambda: False, 0.5)
        runner.close()

    def test_it_may_be_closed_twice_and_without_a_run(self, registry: Registry, tmp_path: Path) -> None:
        """Whoever cleans up need not know how far it came."""
        runner = self._made(self._written(self.pipelines[0], registry, tmp_path), registry)
        runner.close()
        runner.close()
        assert runner.report()["events"]["read"] == 0

    # -- what goes wrong -----------------------------------------------------------------------------------

    def test_an_error_of_a_component_is_named(self, registry: Registry, tmp_path: Path) -> None:
        """With its place in the pipeline, the component and what it raised."""
        runner = self._made(self._written(self.pipelines[0], registry, tmp_path, engine="failing"), registry)
        with pytest.raises(RunFailure) as raised:
            runner.run(lambda: False, None)
        runner.close()
        for part in ("patterns.p", "engine 'failing'", "ValueError: worn out"):
            assert part in str(raised.value), f"{part} is not told: {raised.value}"
        assert runner.report()["events"], "there is no report of a run that failed"

    def test_what_is_not_there_is_named(self, registry: Registry, tmp_path: Path) -> None:
        """A source that cannot be read fails the run."""
        config = self._written(self.pipelines[0], registry, tmp_path)
        (tmp_path / "in.jsonl").unlink()
        runner = self._made(config, registry)
        with pytest.raises(RunFailure, match=r"in\.jsonl"):
            runner.run(lambda: False, None)
        runner.close()

    @pytest.mark.parametrize("fails", [False, True], ids=["a run that ends", "a run that fails"])
    def test_the_exit_code_says_how_it_ended(
        self, fails: bool, registry: Registry, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """As of `limecep run`: 0, or 3 with an error on standard error and in the report."""
        more: dict[str, Any] = {"engine": "failing"} if fails else {}
        document = self._document(self.pipelines[0], tmp_path, **more)
        (tmp_path / "p.json").write_text(json.dumps({**document, "runner": {"type": "tried"}}))

        def factory(config: PipelineConfig, registry: Registry, options: object) -> Runner:
            # Whether it can be sent to other processes does not depend on this suite.
            return self._made(replace(config, runner=None), registry)

        tried = ComponentSpec(kind="runner", name="tried", factory=factory, summary="The one that is tried")
        plugin = Plugin(
            name="tried", module=__name__, distribution="tried", version="", path="", specs=(tried,)
        )
        code = run.execute(
            Namespace(
                file=str(tmp_path / "p.json"),
                overrides=[],
                duration=None,
                stop_timeout=60.0,
                report=tmp_path / "report.json",
                allow_invalid=False,
                stats=False,
                verify=None,
                quiet=True,
                log_level="error",
                runner=None,
                stop=Stop(),
                registry=registry.extended([plugin]),
            )
        )
        assert code == (Exit.FAILED if fails else Exit.FINE)
        report = json.loads((tmp_path / "report.json").read_text())
        assert ("failure" in report) == fails
        assert ("worn out" in capsys.readouterr().err) == fails

    def test_no_optional_ability_is_misspelt(self, registry: Registry, tmp_path: Path) -> None:
        """The kernel would not find it."""
        runner = self._made(self._written(self.pipelines[0], registry, tmp_path), registry)
        check_spelling(runner, Runner, OPTIONAL)
        runner.close()

    # -- how -----------------------------------------------------------------------------------------------

    def _made(self, config: PipelineConfig, registry: Registry) -> Runner:
        if why := self.objection(config):
            pytest.skip(why)
        return self.make_runner(config, registry)

    def _document(
        self, small: SmallPipeline, folder: Path, *, endless: bool = False, **more: Any
    ) -> dict[str, Any]:
        folder.mkdir(exist_ok=True)
        drawn = stream(
            1, 200, attributes={"k": lambda random: random.choice("xyz"), "v": lambda r: r.randrange(9)}
        )
        events = disorder(drawn, 1, small.late, 8 * SECOND)
        lines = (
            {"type": e.type, "id": e.id, "t": e.t_gen / SECOND, "arrived": e.t_arr / SECOND, **e.payload}
            for e in events
        )
        (folder / "in.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        source = {
            "type": "file", "channel": "in.jsonl", "as": {"field": "type"}, "id": "id",
            "time": {"field": "t", "format": "epoch_s"}, "arrival": {"field": "arrived", "format": "epoch_s"},
        }  # fmt: skip
        if endless:
            del source["arrival"]
            source["follow"] = True  # type: ignore[assignment]
        return {
            "version": 1,
            "sources": {"s": source},
            "patterns": {name: {**pattern, **more} for name, pattern in small.patterns.items()},
            "sinks": {"out": {"type": "file", "path": "out.jsonl"}},
        }

    def _written(
        self, small: SmallPipeline, registry: Registry, folder: Path, *, endless: bool = False, **more: Any
    ) -> PipelineConfig:
        document = self._document(small, folder, endless=endless, **more)
        return load_dict(document, registry, root=folder).checked()


def _live(config: PipelineConfig) -> set[tuple[str, str]]:
    """The patterns and contents of the matches that stand at the end of a change log."""
    latest: dict[str, tuple[int, str, str]] = {}
    path = config.root / "out.jsonl"
    for line in path.read_text().splitlines() if path.exists() else ():
        record = json.loads(line)
        entry = record["revision"], record["pattern"], "" if record["op"] == "retract" else record["content"]
        latest[record["match"]] = max(latest.get(record["match"], entry), entry)
    return {(pattern, content) for _, pattern, content in latest.values() if content}
