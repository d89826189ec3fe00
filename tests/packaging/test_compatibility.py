"""Plugins that were written for the oldest contracts that are understood still run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from limecep.spec import OLDEST

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Site

pytestmark = pytest.mark.slow

OLD = Path(__file__).parents[1] / "compatibility"

PIPELINE = """\
version: 1
sources:
  all:
    type: file
    channel: e.txt
    format: first
    as: {field: type}
    id: id
    time: {field: time, format: epoch_s}
patterns:
  p:
    query: PATTERN SEQ(A a, B b) WITHIN 10 seconds
    lateness: {type: first, most: 5s}
    slack: {type: limecep-first:first, most: 1s}
sinks:
  out: {type: first, path: out.jsonl, through: [first]}
  late: {type: file, path: late.jsonl, of: late}
"""


@pytest.fixture(scope="module")
def site(site_of: Callable[[Path], Site]) -> Site:
    """A folder with the distribution installed in it."""
    return site_of(OLD / "contract_1")


def test_there_is_one_for_the_oldest_contracts() -> None:
    assert {f"contract_{version}" for version in OLDEST.values()} <= {p.name for p in OLD.iterdir()}


def test_its_components_are_taken_as_they_are(site: Site, tmp_path: Path) -> None:
    listing = json.loads(site.run("limecep", "plugins", "list", "--format", "json", cwd=tmp_path).stdout)
    [plugin] = [p for p in listing["plugins"] if p["distribution"] == "limecep-first"]
    assert (plugin["status"], len(plugin["components"])) == ("loaded", 5)
    assert [p for p in listing["problems"] if p["severity"] == "error"] == []


def test_they_do_what_they_are_for(site: Site, tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text(PIPELINE)
    (tmp_path / "e.txt").write_text("A a1 1\nB b9 9\nA a8 8\nA a2 2\nodd\n")
    done = site.run("limecep", "run", "p.yaml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert found
    assert all(record["loud"] for record in found)
    assert {e["id"] for r in found for group in r["events"].values() for e in group} >= {"a8", "b9"}
    late = [json.loads(line) for line in (tmp_path / "late.jsonl").read_text().splitlines()]
    assert {r["reason"] for r in late} == {"extremely_late", "invalid"}
