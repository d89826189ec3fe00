"""The example of a distribution with a policy: it installs, registers, passes its tests, and runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Site

pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).parents[2] / "examples/custom_policy"

PIPELINE = """\
version: 1
name: custom
connectors: {files: {type: file}}
sources:
  all: {from: files, channel: events.csv, as: {field: type}, id: id, time: {field: time, format: epoch_s}}
patterns:
  p:
    query: PATTERN SEQ(A a, B b) WITHIN 10 seconds
    lateness: {type: by_type, within: {A: 2s}, otherwise: 1m}
sinks:
  out: {type: stdout, events: ids}
  late: {type: file, path: late.jsonl, of: late}
"""
EVENTS = "id,type,time\nb9,B,9\na3,A,3\na8,A,8\nb5,B,5\n"


@pytest.fixture(scope="module")
def site(site_of: Callable[[Path], Site]) -> Site:
    """A folder with the distribution installed in it."""
    return site_of(EXAMPLE)


def test_it_is_shown_with_its_options(site: Site, tmp_path: Path) -> None:
    done = site.run("limecep", "plugins", "show", "lateness/by_type", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "from plugin 'by_type' of limecep-by-type 0.1.0" in done.stdout
    assert "  otherwise (duration or off, default off)" in done.stdout


def test_it_decides_in_a_pipeline(site: Site, tmp_path: Path) -> None:
    (tmp_path / "pipeline.yaml").write_text(PIPELINE)
    (tmp_path / "events.csv").write_text(EVENTS)
    done = site.run("limecep", "run", "pipeline.yaml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = [json.loads(line)["events"] for line in done.stdout.splitlines()]
    assert found == [{"a": ["a8"], "b": ["b9"]}]
    (late,) = map(json.loads, (tmp_path / "late.jsonl").read_text().splitlines())
    assert (late["event"]["id"], late["score"], late["threshold"]) == ("a3", 6.0, 2.0)
    assert late["error"] == "6 s late, more than 2 s for its type"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("{A: 2s}", "{A: soon}", "must be a duration such as 30s"),
        (
            "otherwise: 1m}",
            "otherwise: off}\n    results: {emit: final}",
            "lateness policy 'by_type' may accept events however late",
        ),
    ],
)
def test_what_is_wrong_is_told(site: Site, old: str, new: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "pipeline.yaml").write_text(PIPELINE.replace(old, new))
    done = site.run("limecep", "check", "pipeline.yaml", cwd=tmp_path)
    assert done.returncode == 1
    assert said in done.stdout


def test_with_its_bounds_results_can_be_final(site: Site, tmp_path: Path) -> None:
    (tmp_path / "pipeline.yaml").write_text(PIPELINE.replace("sinks:", "    results: {emit: final}\nsinks:"))
    done = site.run("limecep", "check", "pipeline.yaml", cwd=tmp_path)
    assert done.stdout == "pipeline.yaml: ok\n"


def test_its_own_tests_pass(site: Site) -> None:
    done = site.run("pytest", "-q", "-p", "no:cacheprovider", "tests", cwd=EXAMPLE)
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout
