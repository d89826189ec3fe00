"""Observers see a run, and are in nobody's way."""

from __future__ import annotations

import json
import subprocess
import sys
from threading import Event as Flag
from threading import Thread
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from structlog.testing import capture_logs

from limecep import Pipeline, component
from limecep.clock import Stopwatch, pause
from limecep.errors import ComponentFailure, RunFailure
from limecep.runtime import observing
from limecep.runtime.observed import Observed

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.contracts.observer import Figures

WAIT = 10.0


class Noting:
    """Notes what is done with it."""

    noted: ClassVar[list[str]] = []

    def __init__(self, options: Any, context: Any) -> None:
        self._context = context

    def open(self) -> None:
        self.note("open")

    def observe(self, figures: Figures) -> None:
        self.note(figures.phase + (f": {figures.failure}" if figures.failure else ""))

    def close(self) -> None:
        self.note("close")

    def note(self, what: str) -> None:
        self.noted.append(f"{self._context.label} {what}")


@component("observer", "noting")
class Plain(Noting):
    """Notes what is done with it."""


@component("observer", "alive")
class Alive(Noting):
    """Notes signs of life, too."""

    def pulse(self) -> None:
        self.note("pulse")


@component("observer", "failing")
class Failing(Noting):
    """Fails where it is told to."""

    where: ClassVar[str] = ""

    def note(self, what: str) -> None:
        super().note(what)
        if what == self.where:
            self._context.counters["failed"] += 1
            raise ValueError(f"no {what}")

    def pulse(self) -> None:
        if self.where == "pulse":
            self.note("pulse")


@component("sink")
class Waiting:
    """Waits, as for a broker that is away, until it is let on."""

    counts_only = False
    on: ClassVar[Flag] = Flag()

    def __init__(self, channel: str, settings: Any, options: Any, context: Any) -> None:
        self._context = context

    def open(self) -> None: ...

    def send(self, records: Any) -> None:
        while not self.on.is_set():
            pause(0.01)
            self._context.raise_if_stopped("a record was not sent")

    def flush(self) -> None: ...

    def close(self) -> None: ...


@pytest.fixture(autouse=True)
def _anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Noting, "noted", [])
    monkeypatch.setattr(Waiting, "on", Flag())


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observing, "EVERY_SECONDS", 0.0)


def pipeline(folder: Path, observers: Any, sink: str = "none", **source: Any) -> Pipeline:
    events = [{"type": kind, "id": f"{kind}{t}", "t": t} for t in range(3) for kind in "AB"]
    (folder / "s.jsonl").write_text("".join(f"{json.dumps(e)}\n" for e in events))
    plain = {"type": "file", "channel": "s.jsonl", "as": {"field": "type"}, "id": "id"}
    return Pipeline.from_dict(
        {
            "version": 1,
            "sources": {"s": {**plain, "time": {"field": "t", "format": "epoch_s"}, **source}},
            "patterns": {"p": {"query": "PATTERN SEQ(A a, B b) WITHIN 1 s"}},
            "sinks": {"out": {"type": sink}},
            "observers": observers,
        },
        root=folder,
        plugins=[Plain, Alive, Failing, Waiting],
    )


def until(what: str) -> None:
    watch = Stopwatch()
    while what not in Noting.noted:
        assert watch.seconds < WAIT, f"{what} never happened: {Noting.noted}"
        pause(0.005)


def test_they_see_the_beginning_the_course_and_the_end_in_their_order(tmp_path: Path) -> None:
    with pipeline(tmp_path, {"one": {"type": "noting"}, "two": {"type": "noting"}}) as run:
        run.run()
    course = ["open", "starting", "running", "ended", "close"]
    for name in ("one", "two"):
        assert [n.split(" ", 1)[1] for n in Noting.noted if f".{name} " in n] == course
    assert Noting.noted[:2] == ["observers.one open", "observers.two open"]


def test_they_are_told_no_more_than_once_a_second(tmp_path: Path) -> None:
    run = pipeline(tmp_path, {"o": {"type": "noting"}}, follow=True)
    run.run(duration_seconds=1.3)
    run.close()
    assert Noting.noted.count("observers.o running") == 2


@pytest.mark.usefixtures("often")
def test_signs_of_life_come_while_a_sink_waits_and_no_figures_do(tmp_path: Path) -> None:
    run = pipeline(tmp_path, {"o": {"type": "alive"}}, sink="waiting")
    thread = Thread(target=run.run)
    thread.start()
    until("observers.o pulse")
    pause(0.05)
    before = Noting.noted.count("observers.o running")
    pulses = Noting.noted.count("observers.o pulse")
    pause(0.2)
    assert Noting.noted.count("observers.o pulse") > pulses
    assert Noting.noted.count("observers.o running") == before
    Waiting.on.set()
    thread.join(WAIT)
    assert not thread.is_alive()
    assert Noting.noted[-2:] == ["observers.o ended", "observers.o close"]
    run.close()


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("where", ["open", "starting", "running", "ended", "close", "pulse"])
def test_one_that_fails_ends_the_run_and_is_named(
    tmp_path: Path, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Failing, "where", where)
    run = pipeline(tmp_path, {"bad": {"type": "failing"}, "good": {"type": "noting"}}, follow=True)
    said = rf"^observers\.bad: observer 'failing'.* raised ValueError: no {where}$"
    with pytest.raises(ComponentFailure, match=said):
        run.run(duration_seconds=0.3)
    assert "observers.bad close" in Noting.noted
    if where != "open":
        assert Noting.noted[-1] == "observers.good close"
    if where in ("running", "pulse"):
        assert any(n.startswith("observers.good failed: observers.bad: observer") for n in Noting.noted)
    run.close()


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("where", ["open", "starting", "running", "ended", "pulse"])
def test_a_run_that_is_spared_the_failure_of_one_goes_on_without_it(
    tmp_path: Path, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Failing, "where", where)
    observers = {"bad": {"type": "failing", "on_error": "disable"}, "good": {"type": "noting"}}
    run = pipeline(tmp_path, observers, follow=True)
    with capture_logs() as logs:
        run.run(duration_seconds=0.3)
    report = run.report()
    run.close()
    [logged] = [entry for entry in logs if entry["event"].startswith("disabled after an error")]
    assert f"ValueError: no {where}" in logged["reason"]
    assert report["observers"]["bad"] == {"failed": 1, "disabled": logged["reason"]}
    assert report["observers"]["good"] == {}
    assert report["events"]["read"] == 6
    assert Noting.noted[-2:] == ["observers.good ended", "observers.good close"]
    # It is closed once, and not told anything after that.
    mine = [n for n in Noting.noted if n.startswith("observers.bad")]
    assert mine[-1] == "observers.bad close"
    assert mine.count("observers.bad close") == 1


def test_they_see_why_a_run_fails_and_do_not_hide_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Failing, "where", "close")
    run = pipeline(tmp_path, {"o": {"type": "failing"}})
    (tmp_path / "s.jsonl").unlink()
    with pytest.raises(RunFailure, match=r"s\.jsonl"):
        run.run()
    assert Noting.noted[-2].startswith("observers.o failed: ")
    assert "s.jsonl" in Noting.noted[-2]
    run.close()


def test_figures_that_cannot_be_made_any_more_do_not_hide_it_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures = Observed.figures

    def broken(self: Observed, phase: Any, failure: str = "") -> Figures:
        if phase == "failed":
            raise KeyError("what was being changed")
        return figures(self, phase, failure)

    monkeypatch.setattr(Observed, "figures", broken)
    run = pipeline(tmp_path, {"o": {"type": "noting"}})
    (tmp_path / "s.jsonl").unlink()
    with pytest.raises(RunFailure, match=r"s\.jsonl"):
        run.run()
    assert Noting.noted[-1] == "observers.o close"
    run.close()


def test_one_that_fails_keeps_no_other_from_seeing_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Failing, "where", "ended")
    run = pipeline(tmp_path, {"bad": {"type": "failing"}, "good": {"type": "noting"}})
    with pytest.raises(ComponentFailure):
        run.run()
    assert "observers.good ended" in Noting.noted
    run.close()


def test_a_report_of_a_pipeline_without_observers_has_none(tmp_path: Path) -> None:
    run = pipeline(tmp_path, {})
    run.run()
    run.close()
    assert "observers" not in run.report()


@pytest.mark.usefixtures("often")
def test_a_pipeline_that_a_program_feeds_tells_them_with_each_call(tmp_path: Path) -> None:
    with pipeline(tmp_path, {"o": {"type": "noting"}}) as fed:
        fed.feed([{"type": "A", "t": "1970-01-01T00:00:01Z"}], type="type", time="t")
        fed.advance(5_000_000)
    # The second call of `running` is `finish`, which the end of the block calls.
    course = ["open", "starting", "running", "running", "running", "ended", "close"]
    assert Noting.noted == [f"observers.o {what}" for what in course]


def test_a_pipeline_without_observers_imports_nothing_of_them(tmp_path: Path) -> None:
    pipeline(tmp_path, {}).close()
    code = (
        "import sys\n"
        "from limecep import Pipeline\n"
        "run = Pipeline.from_dict({'version': 1, 'sources': {'s': {'type': 'file', 'channel': 's.jsonl', "
        "'as': {'field': 'type'}, 'id': 'id', 'time': {'field': 't', 'format': 'epoch_s'}}}, "
        "'patterns': {'p': {'query': 'PATTERN SEQ(A a, B b) WITHIN 1 s'}}, "
        "'sinks': {'o': {'type': 'none'}}})\n"
        "run.run()\n"
        "print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    loaded = done.stdout.split()
    assert "limecep.runtime.pipeline" in loaded
    assert [m for m in loaded if "observ" in m and not m.endswith((".plugin", ".config"))] == [
        "limecep_observers"
    ]
