"""Demos tell the truth: their pipelines are right, and what is told is what a run of their files gives."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from limecep.config.loader import load
from limecep.host import Host
from limecep.runtime.pipeline import Pipeline
from limecep_demo.demos import DEMOS
from limecep_demo.story import Chapter, Demo
from limecep_demo.teller import Teller

if TYPE_CHECKING:
    from pathlib import Path

each = pytest.mark.parametrize("demo", DEMOS.values(), ids=DEMOS.keys())
OUTCOMES = ("in_order", "out_of_order", "duplicate", "irrelevant", "extremely_late", "future", "invalid")


def told(demo: Demo, folder: Path) -> tuple[list[str], dict[str, Any]]:
    teller = Teller(demo, demo.write(folder), Host.load().registry)
    return list(teller.lines()), teller.report()


@each
def test_nothing_is_wrong_with_its_pipeline(demo: Demo, tmp_path: Path) -> None:
    assert load(demo.write(tmp_path), Host.load().registry).problems == []


@each
def test_its_story_is_the_same_every_time(demo: Demo) -> None:
    assert list(demo.story()) == list(demo.story())


@each
def test_what_is_told_is_what_a_run_gives(demo: Demo, tmp_path: Path) -> None:
    lines, report = told(demo, tmp_path)
    pipeline = Pipeline.from_yaml(demo.write(tmp_path), overrides=["sinks.out={type: file, path: out.jsonl}"])
    pipeline.run()
    pipeline.close()
    records = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert records
    rows = [line for line in lines if line.startswith(("+ ", "~ ", "- ", "= "))]
    assert [(r["op"], r["match"][:6]) for r in records] == [(row.split()[1], row.split()[6]) for row in rows]
    run = pipeline.report()
    assert report["events"] == run["events"]
    assert report["patterns"] == run["patterns"]
    assert report["events"]["read"] == sum(report["events"][o] for o in OUTCOMES)


@each
def test_a_duplicate_is_among_it(demo: Demo, tmp_path: Path) -> None:
    lines, report = told(demo, tmp_path)
    assert report["events"]["duplicate"] == 1
    assert [line for line in lines if line.endswith("  duplicate")]


@each
def test_it_fits_a_screen(demo: Demo, tmp_path: Path) -> None:
    lines, _ = told(demo, tmp_path)
    texts = [line for line in lines if not line.startswith(("+ ", "~ ", "- ", "= "))]
    assert len(lines) < 60
    assert max(len(part) for text in texts for part in text.splitlines()) <= 100


def test_the_gas_leak_is_found_with_its_smoke_and_only_there(tmp_path: Path) -> None:
    lines, _ = told(DEMOS["gas_leak"], tmp_path)
    (found,) = (n for n, line in enumerate(lines) if line.startswith("+ emit"))
    assert "Smoke" in lines[found - 1]
    assert lines[found].endswith("a.percentage 62  b.celsius 24.1 27.0 31.8")


def test_a_late_event_corrects_what_was_found_and_another_takes_it_back(tmp_path: Path) -> None:
    lines, report = told(DEMOS["gas_leak"], tmp_path)
    late = [n for n, line in enumerate(lines) if line.endswith("  out of order")]
    corrected, retracted = (lines[n + 1] for n in late)
    assert corrected.startswith("~ correct")
    assert corrected.endswith("b.celsius 24.1 27.0 29.4 31.8  (late event t365)")
    assert retracted.startswith("- retract")
    assert retracted.endswith("(negation c1)")
    assert report["patterns"]["gas_fire"]["live"] == 0


def test_the_open_door_is_found_when_time_has_passed(tmp_path: Path) -> None:
    lines, _ = told(DEMOS["open_door"], tmp_path)
    (found,) = (n for n, line in enumerate(lines) if line.startswith("+ emit"))
    assert lines[found - 1].split()[0] == "22:07:30"
    assert lines[found].endswith("  o d3  (time)")


def test_events_that_are_not_shown_are_counted(tmp_path: Path) -> None:
    lines, report = told(DEMOS["gas_leak"], tmp_path)
    shown = [line for line in lines if line.startswith("    10:")]
    (counted,) = (line for line in lines if line.endswith(" events"))
    assert int(counted.split()[0]) + len(shown) == report["events"]["read"]
    assert any(isinstance(item, Chapter) and not item.shown for item in DEMOS["gas_leak"].story())
