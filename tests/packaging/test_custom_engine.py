"""The example of a third-party distribution: it installs, registers, passes its tests, and runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/custom_engine"

PIPELINE = """\
version: 1
name: custom
connectors: {files: {type: file}}
sources:
  all: {from: files, channel: events.csv, as: {field: type}, id: id, time: {field: time, format: epoch_s}}
patterns:
  p:
    query: PATTERN SEQ(A a, B+ b[], C c) WITHIN 10 seconds
    engine: {type: naive, tries: 100}
sinks: {out: {type: stdout, events: ids}}
"""
EVENTS = "id,type,time\na1,A,1\nb2,B,2\nb3,B,3\nc4,C,4\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the distribution installed in it."""
    folder = tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--target", folder, EXAMPLE], check=True, capture_output=True)
    return folder


def run(site: Path, *arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(site), *_path()])},
        capture_output=True,
        text=True,
    )


def _path() -> list[str]:
    return [p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p]


def test_it_is_shown_with_its_options(site: Path, tmp_path: Path) -> None:
    done = run(site, "limecep", "plugins", "show", "engine/naive", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "from plugin 'naive' of limecep-naive 0.1.0" in done.stdout
    assert "  tries (integer, default 10)" in done.stdout


def test_it_runs_in_a_pipeline(site: Path, tmp_path: Path) -> None:
    (tmp_path / "pipeline.yaml").write_text(PIPELINE)
    (tmp_path / "events.csv").write_text(EVENTS)
    done = run(site, "limecep", "run", "pipeline.yaml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = [json.loads(line)["events"] for line in done.stdout.splitlines()]
    # All matches under skip-till-next-match: the next b is always the first, the end event too.
    assert sorted(found, key=str) == [
        {"a": ["a1"], "b": ["b2", "b3"], "c": ["c4"]},
        {"a": ["a1"], "b": ["b2"], "c": ["c4"]},
    ]


def test_a_wrong_option_is_told_apart(site: Path, tmp_path: Path) -> None:
    (tmp_path / "pipeline.yaml").write_text(PIPELINE.replace("tries: 100", "tries: 0"))
    done = run(site, "limecep", "check", "pipeline.yaml", cwd=tmp_path)
    assert done.returncode == 1
    assert "pipeline.yaml:9:" in done.stdout
    assert "'tries' must be at least 1" in done.stdout


def test_its_own_tests_pass(site: Path) -> None:
    done = run(site, "pytest", "-q", "-p", "no:cacheprovider", "tests", cwd=EXAMPLE)
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout
