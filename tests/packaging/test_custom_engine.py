"""The example of a third-party distribution: it installs, registers, passes its tests, and runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Site

pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).parents[2] / "examples/custom_engine"

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
def site(site_of: Callable[[Path], Site]) -> Site:
    """A folder with the distribution installed in it."""
    return site_of(EXAMPLE)


def test_it_is_shown_with_its_options(site: Site, tmp_path: Path) -> None:
    done = site.run("limecep", "plugins", "show", "engine/naive", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "from plugin 'naive' of limecep-naive 0.1.0" in done.stdout
    assert "  tries (integer, default 10)" in done.stdout


def test_it_runs_in_a_pipeline(site: Site, tmp_path: Path) -> None:
    (tmp_path / "pipeline.yaml").write_text(PIPELINE)
    (tmp_path / "events.csv").write_text(EVENTS)
    done = site.run("limecep", "run", "pipeline.yaml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = [json.loads(line)["events"] for line in done.stdout.splitlines()]
    # All matches under skip-till-next-match: the next b is always the first, the end event too.
    assert sorted(found, key=str) == [
        {"a": ["a1"], "b": ["b2", "b3"], "c": ["c4"]},
        {"a": ["a1"], "b": ["b2"], "c": ["c4"]},
    ]


def test_a_wrong_option_is_told_apart(site: Site, tmp_path: Path) -> None:
    (tmp_path / "pipeline.yaml").write_text(PIPELINE.replace("tries: 100", "tries: 0"))
    done = site.run("limecep", "check", "pipeline.yaml", cwd=tmp_path)
    assert done.returncode == 1
    assert "pipeline.yaml:9:" in done.stdout
    assert "'tries' must be at least 1" in done.stdout


def test_its_own_tests_pass(site: Site) -> None:
    done = site.run("pytest", "-q", "-p", "no:cacheprovider", "tests", cwd=EXAMPLE)
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout
