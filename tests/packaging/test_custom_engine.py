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
    engine: {type: top, by: b.v, count: 2}
    select: stam
sinks: {out: {type: stdout, events: ids}}
"""


@pytest.fixture(scope="module")
def site(site_of: Callable[[Path], Site]) -> Site:
    """A folder with the distribution installed in it."""
    return site_of(EXAMPLE)


def test_it_is_shown_with_its_options(site: Site, tmp_path: Path) -> None:
    done = site.run("limecep", "plugins", "show", "engine/top", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "from plugin 'top' of limecep-top 0.1.0" in done.stdout
    assert "gives those of all matches of an end event that a rule of its own keeps" in done.stdout
    assert "  tries (integer, default 10)" in done.stdout


def test_it_runs_in_a_pipeline(site: Site) -> None:
    """As its README shows."""
    done = site.run("limecep", "run", "peaks.yaml", cwd=EXAMPLE / "pipeline")
    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in done.stdout.splitlines()]
    said = [(r["op"], r["match"][:6], r["events"]["h"]) for r in records]
    assert said == [
        ("emit", "628eb7", ["h2"]), ("emit", "b794fd", ["h3"]),
        ("retract", "b794fd", ["h3"]), ("emit", "eddcb6", ["h4"]),
    ]  # fmt: skip
    readme = (EXAMPLE / "README.md").read_text()
    assert all(f"hottest  {match}" in readme for _, match, _ in said)


def test_what_it_gives_is_explained(site: Site, tmp_path: Path) -> None:
    (tmp_path / "pipeline.yaml").write_text(PIPELINE)
    done = site.run("limecep", "explain", "pipeline.yaml", cwd=tmp_path)
    assert "of each end event the 2 with the greatest sum of b.v; chosen among" in done.stdout


def test_a_wrong_option_is_told_apart(site: Site, tmp_path: Path) -> None:
    (tmp_path / "pipeline.yaml").write_text(PIPELINE.replace("count: 2", "count: 0"))
    done = site.run("limecep", "check", "pipeline.yaml", cwd=tmp_path)
    assert done.returncode == 1
    assert "pipeline.yaml:9:" in done.stdout
    assert "'count' must be at least 1" in done.stdout


def test_its_own_tests_pass(site: Site) -> None:
    done = site.run("pytest", "-q", "-p", "no:cacheprovider", "tests", cwd=EXAMPLE)
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


def test_the_tests_of_its_pipeline_hold(site: Site) -> None:
    done = site.run("limecep", "test", "pipeline", cwd=EXAMPLE)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 test: 1 ok" in done.stdout
