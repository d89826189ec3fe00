"""What `limecep explain --json` prints."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from limecep import cli
from limecep.cli.exits import Exit

if TYPE_CHECKING:
    from pathlib import Path

PIPELINE = """\
version: 1
name: kitchen
params: {limit: 40}
connectors: {log: {type: file}}
sources:
  gas:  {from: log, channel: gas.csv,  as: GasLeak,     time: ts, id: id, every: 5s}
  temp: {from: log, channel: temp.csv, as: Temperature, time: ts, id: id}
patterns:
  fire:
    query: |-
      PATTERN SEQ(GasLeak a, Temperature+ b[])
      WHERE a.percentage > $limit AND b[i+1].celsius > floor(b[i].celsius)
      WITHIN 30 seconds
      PARTITION BY room.name, house
    lateness: {type: bound, within: 10s}
"""


@pytest.fixture
def data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    file = tmp_path / "kitchen.yaml"
    file.write_text(PIPELINE)
    assert cli.main(["explain", str(file), "--json"]) == Exit.FINE
    said: dict[str, Any] = json.loads(capsys.readouterr().out)
    return said


def test_it_says_what_the_pipeline_keeps(data: dict[str, Any]) -> None:
    assert (data["pipeline"], list(data["patterns"])) == ("kitchen", ["fire"])
    assert data["retention"] == {"time": None, "events": 1_000_000, "bytes": 128_000_000}
    assert data["state"] is None


def test_it_says_what_a_pattern_asks_for(data: dict[str, Any]) -> None:
    pattern = data["patterns"]["fire"]
    assert pattern["query"].startswith(
        "PATTERN SEQ(GasLeak a, Temperature+ b[])\nWHERE a.percentage > $limit"
    )
    assert (pattern["select"], pattern["within"], pattern["max_per_end"]) == ("stnm", 30.0, 1_000_000)
    assert (pattern["pick"], pattern["picked"]) == (None, "")
    assert pattern["functions"] == {"floor": {"signature": "(x: float) -> int", "of": "limecep"}}
    assert (pattern["partition"], pattern["params"]) == (["room.name", "house"], {"limit": 40})
    assert [c["decided"] for c in pattern["alternatives"][0]["conditions"]] == ["event", "neighbours"]


def test_it_says_how_the_pattern_is_detected(data: dict[str, Any]) -> None:
    pattern = data["patterns"]["fire"]
    assert (pattern["engine"]["type"], pattern["engine"]["results"]) == ("maximal", "maximal")
    assert pattern["lateness"] == {"type": "bound", "within": "10s"}
    assert {kind: pattern[kind]["type"] for kind in ("slack", "recompute", "results")} == {
        "slack": "adaptive",
        "recompute": "exact",
        "results": "corrected",
    }
    assert pattern["growth"] == {"power": 1, "variables": [], "condition": ""}


def test_it_says_what_is_kept_in_seconds(data: dict[str, Any]) -> None:
    pattern = data["patterns"]["fire"]
    assert pattern["kept"] == {"late": 10.0, "learns": False, "windows": 3, "span": 100.0}
    assert pattern["buffered"]["GasLeak"] == {"every": {"gas": 5.0}, "in_window": 7, "kept": 35}


def test_it_says_what_check_warns_of(data: dict[str, Any]) -> None:
    [warning] = data["patterns"]["fire"]["warnings"]
    assert (warning["code"], warning["message"].split(":")[0]) == (
        "growing-match",
        "pattern 'fire' ends with b, which may take several events",
    )
    assert warning["hint"].startswith("to have it once")
