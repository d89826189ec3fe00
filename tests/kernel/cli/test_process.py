"""`limecep run` as a process: what comes in and goes out while it runs, and how it ends."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from contextlib import contextmanager
from time import sleep
from typing import IO, TYPE_CHECKING, Any

import pytest

from limecep.clock import Stopwatch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

WAIT = 20.0
COMMAND = (sys.executable, "-c", "import sys; from limecep.cli import main; sys.exit(main())")
PIPELINE = """\
version: 1
sources:
  s: {type: file, channel: "CHANNEL", as: {field: type}, id: id, time: {field: t, format: epoch_s}}
patterns:
  p: {query: "PATTERN SEQ(A a, B b) WITHIN 10 s"}
  waits: {query: "PATTERN SEQ(A a, B b, !C c) WITHIN 10 s"}
sinks:
  out: {type: stdout, events: ids}
"""


def line(name: str) -> str:
    return json.dumps({"type": name[0].upper(), "id": name, "t": int(name[1:])}) + "\n"


def lines(text: str) -> str:
    return "".join(map(line, text.split()))


@contextmanager
def started(
    folder: Path, channel: str, *arguments: str, command: Sequence[str] = COMMAND
) -> Iterator[subprocess.Popen[str]]:
    """The command runs; whatever happens, it does not outlive the test."""
    follow = "" if channel == "-" else ", follow: true"
    (folder / "p.yaml").write_text(PIPELINE.replace('"CHANNEL"', f'"{channel}"{follow}'))
    process = subprocess.Popen(
        [*command, "run", "p.yaml", *arguments],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def piped(process: subprocess.Popen[str]) -> tuple[IO[str], IO[str]]:
    assert process.stdin is not None
    assert process.stdout is not None
    return process.stdin, process.stdout


def finished(said: str) -> dict[str, Any]:
    """The accounting, which is the last that is said."""
    report: dict[str, Any] = json.loads(said.splitlines()[-1])
    assert report["event"] == "run finished"
    return report


def test_standard_input_is_answered_while_it_is_open(tmp_path: Path) -> None:
    with started(tmp_path, "-") as process:
        into, out = piped(process)
        into.write(lines("a1 b2"))
        into.flush()
        record = json.loads(out.readline())
        assert (record["op"], record["pattern"], record["events"]) == (
            "emit",
            "p",
            {"a": ["a1"], "b": ["b2"]},
        )
        assert process.poll() is None
        rest, said = process.communicate(lines("x3"), timeout=WAIT)
        assert process.returncode == 0
    # The end of the input is the end of time.
    assert [json.loads(r)["pattern"] for r in rest.splitlines()] == ["waits"]
    assert finished(said)["events"]["read"] == 3


def test_empty_standard_input_is_no_trouble(tmp_path: Path) -> None:
    with started(tmp_path, "-") as process:
        out, said = process.communicate("", timeout=WAIT)
        assert (process.returncode, out) == (0, "")
    assert finished(said)["events"]["read"] == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("channel", ["-", "e.jsonl"])
def test_a_signal_ends_a_run_in_order(tmp_path: Path, channel: str, number: signal.Signals) -> None:
    (tmp_path / "e.jsonl").write_text(lines("a1 b2"))
    with started(tmp_path, channel, "--report", "r.json") as process:
        into, out = piped(process)
        if channel == "-":
            into.write(lines("a1 b2"))
            into.flush()
        assert json.loads(out.readline())["pattern"] == "p"
        process.send_signal(number)
        watch = Stopwatch()
        process.wait(WAIT)
        assert watch.seconds < 5
        rest, said = process.communicate()
        assert (process.returncode, rest) == (0, "")
    report = json.loads((tmp_path / "r.json").read_text())
    assert finished(said)["patterns"] == report["patterns"]
    assert report["events"]["read"] == 2
    # What time had not decided is left open, and said.
    assert (report["patterns"]["p"]["emitted"], report["patterns"]["waits"]["pending"]) == (1, 1)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_while_a_run_starts_ends_it_in_order(tmp_path: Path, number: signal.Signals) -> None:
    # The command's own imports are most of its start; -c has the folder it runs in on its path.
    (tmp_path / "interrupting.py").write_text(
        "import os, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'limecep.cli.run':\n"
        f"            os.kill(os.getpid(), {int(number)})\n"
        "sys.meta_path.insert(0, Finder())\n"
    )
    (tmp_path / "e.jsonl").write_text(lines("a1 b2"))
    command = (*COMMAND[:2], f"import interrupting; {COMMAND[2]}")
    with started(tmp_path, "e.jsonl", command=command) as process:
        out, said = process.communicate(timeout=WAIT)
        assert (process.returncode, out) == (0, "")
    assert "limecep: stopped before the run began: nothing was read" in said.splitlines()
    assert finished(said)["events"]["read"] == 0


def test_a_run_ends_when_its_time_is_up(tmp_path: Path) -> None:
    (tmp_path / "e.jsonl").write_text(lines("a1 b2"))
    watch = Stopwatch()
    with started(tmp_path, "e.jsonl", "--for", "500ms") as process:
        out, said = process.communicate(timeout=WAIT)
        assert process.returncode == 0
    assert watch.seconds >= 0.5
    assert [json.loads(r)["pattern"] for r in out.splitlines()] == ["p"]
    assert finished(said)["patterns"]["waits"]["pending"] == 1


def test_a_run_whose_matches_nobody_reads_any_more_ends(tmp_path: Path) -> None:
    with started(tmp_path, "-") as process:
        into, out = piped(process)
        into.write(lines("a1 b2"))
        into.flush()
        assert out.readline()
        out.close()
        process.stdout = None
        watch = Stopwatch()
        n = 3
        while process.poll() is None:
            assert watch.seconds < WAIT
            try:
                into.write(lines(f"a{n} b{n + 1}"))
                into.flush()
            except BrokenPipeError:
                break
            n += 2
            sleep(0.05)
        process.wait(WAIT)
        assert process.returncode == 0


def test_a_file_that_vanished_fails_in_words(tmp_path: Path) -> None:
    with started(tmp_path, "no.jsonl") as process:
        out, said = process.communicate(timeout=WAIT)
        assert (process.returncode, out) == (3, "")
    assert said.startswith("limecep: there is no file no.jsonl")
    report = json.loads(said.splitlines()[-1])
    assert (report["event"], report["events"]["read"]) == ("run failed", 0)
    assert report["failure"].startswith("there is no file no.jsonl")
