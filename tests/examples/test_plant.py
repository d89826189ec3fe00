"""The example of a plant: what can be seen of it without a broker."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from limecep.config.loader import load
from limecep.host import Host
from limecep.runtime.pipeline import Pipeline

if TYPE_CHECKING:
    from collections.abc import Iterable

EXAMPLE = Path(__file__).parents[2] / "examples/plant"
REGISTRY = Host.load().registry


def machines() -> Any:
    spec = importlib.util.spec_from_file_location("machines", EXAMPLE / "machines.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def net(lines: Iterable[str]) -> list[Any]:
    live: dict[str, Any] = {}
    for record in map(json.loads, lines):
        if record["pattern"] == "outage":
            live[record["match"]] = record
    found = [(r["start"], r["end"], r["values"]) for r in live.values() if r["op"] != "retract"]
    return sorted(found, key=str)


@pytest.mark.parametrize("name", ["line", "plant"])
def test_nothing_is_wrong_with_the_pipelines(name: str) -> None:
    assert load(EXAMPLE / f"{name}.yaml", REGISTRY, environment={}).problems == []


def test_three_pipelines_find_what_one_finds_in_the_ordered_stream(tmp_path: Path) -> None:
    line, plant = (yaml.safe_load((EXAMPLE / f"{name}.yaml").read_text()) for name in ("line", "plant"))
    patterns = line["patterns"] | plant["patterns"]
    for name, keys in (("stall", "line, machine"), ("down", "line")):
        pattern, returned = patterns[name]["query"].partition("RETURN")[::2]
        pattern = pattern.replace("PARTITION BY machine\n", "") + f"PARTITION BY {keys}\n"
        patterns[name]["query"] = pattern + (f"RETURN {returned}" if returned else "")
    patterns["down"]["derive"] = {"as": "Down"}
    told = sorted(machines().messages(), key=lambda m: str(m[2]["at"]))
    lines = [json.dumps({**content, "line": topic.split("/")[1]}) for _, topic, content in told]
    (tmp_path / "machines.jsonl").write_text("".join(f"{text}\n" for text in lines))
    document = {
        "version": 1,
        "sources": {
            "machines": {
                "type": "file",
                "channel": "machines.jsonl",
                **{k: line["sources"]["machines"][k] for k in ("as", "id", "time")},
            }
        },
        "patterns": patterns,
        "sinks": {"out": {"type": "file", "path": "out.jsonl", "events": "none"}},
    }
    with Pipeline.from_dict(document, root=tmp_path, registry=REGISTRY) as pipeline:
        pipeline.run()
    expected = net((EXAMPLE / "expected.jsonl").read_text().splitlines())
    assert len(expected) == 1
    assert net((tmp_path / "out.jsonl").read_text().splitlines()) == expected
