"""docs/devices.md: its pipelines are right, and find what they are for in messages as devices send them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import yaml

from limecep import Pipeline
from limecep.config.loader import load_dict
from limecep.host import Host

PAGE = (Path(__file__).parents[2] / "docs/devices.md").read_text()
PIPELINES = {
    p["name"]: p for p in map(yaml.safe_load, re.findall(r"```yaml\n(version.*?)```", PAGE, re.DOTALL))
}


def found(name: str, folder: Path, topics: dict[str, list[Any]]) -> list[Any]:
    """What a pipeline finds where its topics are files, with a message a line."""
    given = PIPELINES[name]
    problems = load_dict(given, Host.load().registry).problems
    assert [p for p in problems if p.severity == "error"] == []
    given = {**given, "connectors": {"broker": {"type": "file"}}}
    del given["state"]
    for source in given["sources"].values():
        source["channel"] = source["channel"].replace("+", "*")
    given["sinks"] = {"out": {"to": "broker", "channel": "out.jsonl"}}
    for topic, messages in topics.items():
        (folder / topic).parent.mkdir(parents=True, exist_ok=True)
        lines = [m if isinstance(m, str) else json.dumps(m) for m in messages]
        (folder / topic).write_text("".join(f"{line}\n" for line in lines))
    pipeline = Pipeline.from_dict(given, root=folder)
    pipeline.run()
    pipeline.close()
    return [*map(json.loads, (folder / "out.jsonl").read_text().splitlines())]


def test_a_door_that_stays_open_is_found(tmp_path: Path) -> None:
    def said(contact: bool, at: str) -> dict[str, Any]:
        seen = f"2026-01-05T{at}:00+01:00"
        return {"battery": 100, "contact": contact, "linkquality": 87, "last_seen": seen}

    topics = {
        "zigbee2mqtt/door": [said(True, "09:00"), said(False, "10:00")],
        "zigbee2mqtt/window": [said(False, "10:00"), said(True, "10:05")],
    }
    assert [r["key"] for r in found("zigbee", tmp_path, topics)] == [{"device": "door"}]


def test_a_freezer_that_warms_up_is_found(tmp_path: Path) -> None:
    # Without times, what is replayed begins at 1970, and in Athens that is two hours later.
    def said(celsius: float) -> dict[str, Any]:
        measured = {"Id": "3C01D607", "Temperature": celsius}
        return {"Time": "1970-01-01T02:10:00", "DS18B20": measured, "TempUnit": "C"}

    topics: dict[str, list[Any]] = {
        "stat/freezer/POWER": ["OFF"],
        "stat/fridge/POWER": ["ON"],
        "tele/freezer/SENSOR": [said(-8.4)],
        "tele/fridge/SENSOR": [said(5.1)],
    }
    assert [r["key"] for r in found("tasmota", tmp_path, topics)] == [{"device": "freezer"}]
