"""`limecep run` ends soon after a signal, whatever it is doing, and says what it leaves undone."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from time import sleep
from typing import TYPE_CHECKING, Any

import pytest

from limecep.clock import Stopwatch

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

#: How soon a run has to end, in seconds; the machine may be busy with other tests.
SOON = 4.0
WAIT = 30.0

#: A plugin whose components take as long as the environment says, and write a file when they begin to.
PLUGIN = """\
import os
import time
from limecep import ComponentSpec, hookimpl
from limecep_file.sinks import FileSink
from limecep_file.replay import Again
from limecep_lateness.bound import Bound
from limecep_lateness.config import BoundOptions
from limecep_maximal.config import MaximalOptions
from limecep_maximal.engine import MaximalEngine


def linger(what, look=None):
    if os.environ.get("LINGER") != what:
        return
    open("begun", "w").close()
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            if look is not None:
                look()
            time.sleep(0.01)
        except BaseException:
            if what != "immortal engine":
                raise


class Engine(MaximalEngine):
    def __init__(self, plan, options, context):
        super().__init__(plan, options, context)
        self.look, find = context.raise_if_stopped, self.matches

        def matches(end, view):
            if end.id == "b40":
                linger("engine", self.look)
                linger("stubborn engine")
                linger("immortal engine")
            return find(end, view)

        self.matches, self.matches_of, self.count = matches, lambda *_: None, lambda *_: None


def again(log, read=Again._read):
    linger("retrieval")
    return read(log)


Again._read = again


class Sink(FileSink):
    def __init__(self, channel, settings, options, context):
        super().__init__(context.root / "out.jsonl", context)
        self.look = context.raise_if_stopped

    def send(self, records):
        linger("stubborn sink")
        linger("sink", lambda: self.look("the sink lingers"))
        super().send(records)

    def close(self):
        linger("closing sink")
        super().close()


class Observer:
    def __init__(self, options, context):
        linger("making observer")

    def open(self):
        linger("opening observer")

    def observe(self, figures):
        linger(f"{figures.phase} observer")

    def close(self):
        linger("closing observer")


def lingering(x: float) -> float:
    linger("function")
    return x


class Lateness(Bound):
    def __init__(self, plan, options, context):
        linger("making policy")
        super().__init__(plan, options, context)


@hookimpl
def limecep_observers():
    return [ComponentSpec(kind="observer", name="slow", factory="slowly:Observer", summary="s")]


@hookimpl
def limecep_functions():
    return [
        ComponentSpec(
            kind="function",
            name="lingering",
            factory="slowly:lingering",
            signature="(x: float) -> float",
            summary="s",
        )
    ]


@hookimpl
def limecep_lateness_policies():
    return [
        ComponentSpec(
            kind="lateness", name="slow", factory="slowly:Lateness", options=BoundOptions, summary="s"
        )
    ]


@hookimpl
def limecep_engines():
    return [
        ComponentSpec(
            kind="engine",
            name="slow",
            factory="slowly:Engine",
            options=MaximalOptions,
            summary="s",
            example="e",
        )
    ]


@hookimpl
def limecep_sinks():
    return [ComponentSpec(kind="sink", name="slow", factory="slowly:Sink", summary="s", example="e")]
"""

PIPELINE: dict[str, Any] = {
    "version": 1,
    "sources": {
        "s": {"type": "file", "channel": "e.jsonl", "as": {"field": "type"}, "id": "id",
              "time": {"field": "t", "format": "epoch_s"}}
    },
    "patterns": {"p": {"query": "PATTERN SEQ(A a, B b) WITHIN 3 s", "engine": "slow", "lateness": "accept",
                       "slack": "none"}},
    "sinks": {"out": {"type": "slow"}},
}  # fmt: skip

#: The engine, as a user is told of it.
ENGINE = "patterns.p: engine 'slow' of plugin 'slowly' of slowly 1"

#: A match every two seconds, and one late event.
EVENTS = " ".join(f"a{t} b{t + 1}" for t in range(1, 81, 2)) + " a39.5"


class Runs:
    """Runs of one pipeline in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "slowly.py").write_text(PLUGIN)
        installed = folder / "slowly-1.dist-info"
        installed.mkdir()
        (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: slowly\nVersion: 1\n")
        (installed / "entry_points.txt").write_text("[limecep]\nslowly = slowly\n")
        self.write(EVENTS)

    def write(self, events: str) -> None:
        """What the source brings: `a1` is an A at 1 s."""
        lines = [{"type": e[0].upper(), "id": e, "t": float(e[1:])} for e in events.split()]
        (self.folder / "e.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))

    def start(self, *arguments: str, linger: str = "", **more: Any) -> subprocess.Popen[str]:
        (self.folder / "p.yaml").write_text(json.dumps({**PIPELINE, **more}))
        (self.folder / "begun").unlink(missing_ok=True)
        return subprocess.Popen(
            [sys.executable, "-m", "limecep", "run", "p.yaml", "--report", "report.json", *arguments],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(self.folder), "LINGER": linger},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def finish(self, **more: Any) -> Mapping[str, Any]:
        """Runs to the end of the input; gives the report."""
        process = self.start(**more)
        _, said = process.communicate(timeout=WAIT)
        assert process.returncode == 0, said
        return self.report

    def stop(self, process: subprocess.Popen[str], *numbers: signal.Signals) -> tuple[int, str]:
        """Sends signals once a component lingers; gives the exit code, and what was said."""
        try:
            watch = Stopwatch()
            while not (self.folder / "begun").exists():
                assert process.poll() is None, process.communicate()
                assert watch.seconds < WAIT
                sleep(0.02)
            watch = Stopwatch()
            for number in numbers or (signal.SIGTERM,):
                process.send_signal(number)
                sleep(0.1)
            _, said = process.communicate(timeout=WAIT)
            assert watch.seconds < SOON
        finally:
            process.kill()
            process.communicate()
        return process.returncode, said

    @property
    def report(self) -> dict[str, Any]:
        read: dict[str, Any] = json.loads((self.folder / "report.json").read_text())
        return read

    @property
    def net(self) -> set[str]:
        """The contents of the matches that are live, by what the sinks took; a record may come twice."""
        live: dict[str, tuple[int, str]] = {}
        for line in (self.folder / "out.jsonl").read_text().splitlines():
            r = json.loads(line)
            if r["revision"] >= live.get(r["match"], (0, ""))[0]:
                live[r["match"]] = (r["revision"], "" if r["op"] == "retract" else r["content"])
        return {content for _, content in live.values() if content}


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return Runs(tmp_path)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What is found in the end."""
    runs = Runs(tmp_path_factory.mktemp("undisturbed"))
    runs.finish()
    return runs.net


STATE: dict[str, Any] = {"state": {"dir": "state"}}


@pytest.mark.parametrize(
    ("engine", "number"), [("engine", signal.SIGTERM), ("stubborn engine", signal.SIGINT)]
)
def test_an_evaluation_is_cut_off(runs: Runs, engine: str, number: signal.Signals) -> None:
    code, said = runs.stop(runs.start(linger=engine), number)
    assert code == 0, said
    report = runs.report
    # b40 was taken in, and what comes after it was not looked at.
    assert report["events"]["read"] == 40
    hung = {} if engine == "engine" else {"hung": ENGINE}
    assert report["stopped"] == {"cut_off": True, "input_left": True, "not_looked_at": 41, **hung}
    # What was found before it went out.
    assert report["patterns"]["p"]["emitted"] == len(runs.net) == 19
    assert json.loads(said.splitlines()[-1])["stopped"] == report["stopped"]


@pytest.mark.parametrize("linger", ["engine", "stubborn engine", "sink", "stubborn sink"])
def test_with_state_the_next_run_finds_what_an_undisturbed_one_does(
    runs: Runs, linger: str, undisturbed: set[str]
) -> None:
    code, said = runs.stop(runs.start(linger=linger, **STATE))
    assert code == 0, said
    stopped = runs.report
    if "sink" in linger:
        # What was committed waits for it.
        assert stopped["events"]["read"] == 81
        assert stopped["state"]["unsent"] == 41
        assert stopped["stopped"]["not_looked_at"] == 0
    else:
        # Of a batch that was cut off nothing is kept.
        assert stopped["events"]["read"] == stopped["patterns"]["p"]["emitted"] == 0
        assert stopped["stopped"]["not_looked_at"] == 81
        assert runs.net == set()
    report = runs.finish(**STATE)
    assert report["events"]["read"] == 81
    assert report["stopped"] is None
    assert runs.net == undisturbed


@pytest.mark.parametrize("sink", ["sink", "stubborn sink"])
def test_without_state_a_sink_that_did_not_take_everything_fails_the_run(runs: Runs, sink: str) -> None:
    code, said = runs.stop(runs.start(linger=sink))
    assert code == 3
    why = "the sink lingers" if sink == "sink" else "out did not take all records"
    assert runs.report["failure"] == f"the run had to end: {why}"
    assert f"limecep: the run had to end: {why}" in said


@pytest.mark.parametrize("state", [{}, STATE], ids=["without state", "with state"])
def test_what_is_done_at_the_end_of_the_input_is_cut_off(
    runs: Runs, state: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """What waited for slack, or for time."""
    patterns = {"p": {**PIPELINE["patterns"]["p"], "results": {"type": "corrected", "emit": "slack"},
                      "slack": {"type": "fixed", "wait": "1h"}}}  # fmt: skip
    more = {**state, "patterns": patterns}
    code, said = runs.stop(runs.start(linger="engine", **more))
    assert code == 0, said
    assert runs.report["stopped"] == {"cut_off": True, "input_left": False, "not_looked_at": 0}
    assert runs.net == set()
    if state:
        runs.finish(**more)
        whole = Runs(tmp_path_factory.mktemp("whole"))
        whole.finish(**more)
        assert runs.net == whole.net != set()


def test_a_retrieval_is_cut_off(runs: Runs) -> None:
    # One batch, and what reaches back behind what memory keeps of it.
    runs.write(" ".join(f"a{t}" for t in range(1, 4_097)) + " b3.5")
    code, said = runs.stop(runs.start(linger="retrieval", retention={"events": 20}))
    assert code == 0, said
    stopped = {"cut_off": True, "input_left": True, "not_looked_at": 0}
    # It is the plugin that has reading linger.
    assert runs.report["stopped"] == {**stopped, "hung": "a component of plugin 'slowly' of slowly 1"}
    assert runs.finish(retention={"events": 20})["patterns"]["p"]["emitted"] == 3


def test_a_run_whose_time_is_up_is_cut_off_alike(runs: Runs) -> None:
    for engine in ("engine", "stubborn engine"):
        process = runs.start("--for", "1s", linger=engine)
        _, said = process.communicate(timeout=WAIT)
        assert process.returncode == 0, said
        assert runs.report["seconds"] < 1 + SOON
        assert runs.report["stopped"]["cut_off"]


@pytest.mark.parametrize("engine", ["engine", "stubborn engine"])
def test_an_evaluation_of_a_worker_is_cut_off_and_named_if_it_does_not_look(runs: Runs, engine: str) -> None:
    pattern = {**PIPELINE["patterns"]["p"], "query": "PATTERN SEQ(A a, B b) WITHIN 3 s PARTITION BY k",
               "lateness": {"type": "bound", "within": "1h"}}  # fmt: skip
    lines = (runs.folder / "e.jsonl").read_text().replace("}", ', "k": 1}')
    (runs.folder / "e.jsonl").write_text(lines)
    more = {"runner": {"type": "local", "workers": 2}, "patterns": {"p": pattern}}
    code, said = runs.stop(runs.start(linger=engine, **more))
    assert code == 0, said
    assert runs.report["stopped"].get("hung") == (None if engine == "engine" else ENGINE)


def test_closing_is_cut_off_and_named(runs: Runs) -> None:
    code, said = runs.stop(runs.start(linger="closing sink"))
    assert code == 0, said
    sink = "sinks.out: sink 'slow' of plugin 'slowly' of slowly 1"
    assert runs.report["stopped"] == {
        "cut_off": True, "input_left": False, "not_looked_at": 0, "hung": sink,
    }  # fmt: skip
    assert len(runs.net) == 41


@pytest.mark.parametrize("when", ["making", "ended", "closing"])
def test_an_observer_that_hangs_is_named(runs: Runs, when: str) -> None:
    code, said = runs.stop(runs.start(linger=f"{when} observer", observers={"o": {"type": "slow"}}))
    assert code == 0, said
    stopped = runs.report["stopped"]
    assert stopped["hung"] == "observers.o: observer 'slow' of plugin 'slowly' of slowly 1"
    assert stopped["input_left"] == (when == "making")


def test_a_function_that_hangs_is_named(runs: Runs) -> None:
    query = "PATTERN SEQ(A a, B b) WHERE lingering(a.t) < b.t WITHIN 3 s"
    code, said = runs.stop(
        runs.start(linger="function", patterns={"p": {**PIPELINE["patterns"]["p"], "query": query}})
    )
    assert code == 0, said
    assert runs.report["stopped"]["hung"] == "patterns.p: function 'lingering' of plugin 'slowly' of slowly 1"


def test_what_hangs_while_it_is_made_is_named_and_not_made_again(runs: Runs) -> None:
    pattern = {**PIPELINE["patterns"]["p"], "lateness": {"type": "slow", "within": "1h"}}
    code, said = runs.stop(runs.start(linger="making policy", patterns={"p": pattern}))
    assert code == 0, said
    assert runs.report["stopped"] == {
        "cut_off": True, "input_left": True, "not_looked_at": 0,
        "hung": "patterns.p: lateness policy 'slow' of plugin 'slowly' of slowly 1",
    }  # fmt: skip


def test_what_cannot_be_cut_off_is_ended_and_named(runs: Runs) -> None:
    code, said = runs.stop(runs.start("--stop-timeout", "2s", linger="immortal engine"))
    assert (code, said) == (3, f"limecep: the run did not end within 2 s: {ENGINE} goes on\n")


def test_a_second_signal_ends_the_process_at_once(runs: Runs) -> None:
    process = runs.start(linger="stubborn engine")
    code, _ = runs.stop(process, signal.SIGINT, signal.SIGTERM)
    assert code == -signal.SIGTERM
    assert not (runs.folder / "report.json").exists()
