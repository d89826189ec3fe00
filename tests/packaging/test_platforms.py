"""Where limecep can be installed, and what it does where a system lacks what only POSIX has."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

#: Extras of other extras, those for who works on limecep itself, and Spark, whose distribution is no wheel.
OTHER = {"all", "data", "dev", "lint", "spark"}
MANYLINUX, MUSLLINUX = ("manylinux2014", "manylinux_2_28"), ("musllinux_1_2",)

#: Takes away what Windows has not, once the standard library has what it needs, and gives the one module that
#: only Windows has: its lock is one that another opening of the file cannot take either.
WITHOUT_POSIX = """
import fcntl, http.server, logging.handlers, os, select, selectors, signal, socket, sqlite3, ssl, subprocess
import sys, tempfile, time, types

def locking(descriptor, how, count):
    assert os.lseek(descriptor, 0, os.SEEK_CUR) > 1_000_000
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

sys.modules["msvcrt"] = types.SimpleNamespace(LK_NBLCK=2, locking=locking)
sys.modules |= dict.fromkeys(["fcntl", "grp", "posix", "pwd", "resource", "termios"])
for module, names in {
    os: "fork register_at_fork getuid killpg mkfifo statvfs sysconf O_DIRECTORY O_NOCTTY O_NONBLOCK",
    select: "poll",
    signal: "SIGALRM SIGHUP SIGKILL SIGUSR1 SIGUSR2 setitimer pthread_sigmask",
    time: "CLOCK_BOOTTIME CLOCK_MONOTONIC CLOCK_REALTIME clock_gettime clock_gettime_ns",
}.items():
    for name in names.split():
        vars(module).pop(name, None)

from limecep.cli import main

sys.exit(main(sys.argv[1:]))
"""


def requirements(extras: set[str]) -> list[str]:
    """What is installed beside limecep."""
    return PROJECT["dependencies"] + [r for e in sorted(extras) for r in PROJECT["optional-dependencies"][e]]


def pip(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed"]
    return subprocess.run(
        [*command, "--retries", "1", "--only-binary", ":all:", *arguments], capture_output=True, text=True
    )


@pytest.fixture(scope="session")
def registry() -> None:
    """A package registry that can be reached."""
    done = pip("--no-deps", "sortedcontainers")
    if done.returncode:
        pytest.skip(f"no package registry can be reached: {done.stderr.strip().splitlines()[-1]}")


@pytest.mark.usefixtures("registry")
@pytest.mark.parametrize(
    ("python", "machine", "systems"),
    [
        ("3.11", "aarch64", MANYLINUX),
        ("3.13", "aarch64", MANYLINUX),
        ("3.13", "aarch64", MUSLLINUX),
        ("3.13", "x86_64", MUSLLINUX),
    ],
    ids=lambda given: given if isinstance(given, str) else given[0],
)
def test_everything_it_needs_has_a_wheel(
    python: str, machine: str, systems: tuple[str, ...], tmp_path: Path
) -> None:
    extras = set(PROJECT["optional-dependencies"]) - OTHER
    if systems is MUSLLINUX:
        # Those of the image, whose base is Alpine.
        told = re.search(r"^ARG EXTRAS=(.+)$", (ROOT / "Containerfile").read_text(), re.MULTILINE)
        assert told is not None
        extras = set(told[1].split(","))
    platforms = [option for s in systems for option in ("--platform", f"{s}_{machine}")]
    report = tmp_path / "report.json"
    done = pip(
        *platforms, "--python-version", python, "--target", str(tmp_path), "--report", str(report),
        *requirements(extras),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    wheels = [i["download_info"]["url"].rpartition("/")[2] for i in json.loads(report.read_text())["install"]]
    assert any(w.startswith("msgspec") and machine in w for w in wheels), wheels


def without_posix(*arguments: object) -> list[str]:
    return [sys.executable, "-c", WITHOUT_POSIX, *map(str, arguments)]


@pytest.fixture
def pipeline(tmp_path: Path) -> Path:
    """Finds something in a file that it follows, and keeps a state."""
    (tmp_path / "log.jsonl").write_text('{"event":"Opened","time":"2026-01-05T10:00:00Z","id":1}\n')
    path = tmp_path / "door.yaml"
    path.write_text("""\
version: 1
name: door
sources:
  log: {type: file, channel: log.jsonl, follow: true, as: {field: event}, time: time, id: id}
patterns:
  opened: {query: "PATTERN SEQ(Opened o) WITHIN 1 minute"}
sinks:
  out: {type: stdout}
state: {dir: state}
""")
    return path


def test_a_run_with_a_state_needs_nothing_that_only_posix_has(pipeline: Path) -> None:
    run = subprocess.Popen(
        without_posix("run", pipeline), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert run.stdout is not None
    assert json.loads(run.stdout.readline())["op"] == "emit"
    second = subprocess.run(without_posix("run", pipeline), capture_output=True, text=True)
    assert second.returncode == 3
    assert f"is in use by process {run.pid}" in second.stderr
    run.send_signal(signal.SIGINT)
    said = run.communicate(timeout=20)[1]
    assert run.returncode == 0, said
    assert '"event": "run finished"' in said
    reset = without_posix("state", "reset", pipeline.parent / "state")
    assert subprocess.run(reset, capture_output=True).returncode == 0
    assert not (pipeline.parent / "state").exists()


def test_what_does_not_end_there_is_ended_all_the_same(pipeline: Path) -> None:
    (pipeline.parent / "mine.py").write_text("""\
import time
from limecep.api import component

@component("function")
def endless(value: int) -> bool:
    'Does not end.'
    print("begun", flush=True)
    while True:
        time.sleep(0.1)
""")
    text = pipeline.read_text().replace("Opened o)", "Opened o) WHERE endless(o.id)")
    pipeline.write_text(text + "plugins: [./mine.py]\n")
    run = subprocess.Popen(
        without_posix("run", pipeline, "--stop-timeout", "0.2s"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert run.stdout is not None
    assert run.stdout.readline() == "begun\n"
    run.send_signal(signal.SIGINT)
    said = run.communicate(timeout=20)[1]
    assert run.returncode == 3
    assert "limecep: the run did not end within 0.2 s" in said
    assert "goes on" in said
