"""The wheel, installed alone outside the checkout."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from limecep import __version__

if TYPE_CHECKING:
    from conftest import Environment

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


def test_the_wheel_holds_the_kernel_and_its_plugins_and_nothing_else_at_top_level(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    tops = {n.split("/")[0] for n in names} - {f"limecep-{__version__}.dist-info"}
    assert "limecep" in tops
    assert "limecep_file" in tops
    assert {t for t in tops if t != "limecep" and not t.startswith("limecep_")} == set()
    assert "limecep/py.typed" in names
    assert any(n.endswith("LICENSE") for n in names)


def test_every_plugin_folder_is_in_the_wheel(wheel: Path) -> None:
    folders = {
        p.name
        for room in ("engines", "transports", "policies", "plugins")
        for p in (ROOT / room).glob("limecep_*")
    }
    with zipfile.ZipFile(wheel) as archive:
        tops = {n.split("/")[0] for n in archive.namelist()}
    assert folders <= tops


def test_it_pulls_nothing_heavy_and_puts_nothing_else_into_site_packages(installed: Environment) -> None:
    there = {p.name.partition("-")[0].lower() for p in installed.packages.iterdir()}
    assert there & {"pyspark", "py4j", "numpy", "pandas", "confluent_kafka", "paho", "paho_mqtt"} == set()
    assert (
        there & {"engines", "transports", "policies", "plugins", "tests", "examples", "benchmarks"} == set()
    )


def test_the_command_works_there(installed: Environment) -> None:
    done = installed.run("limecep", "version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"limecep {__version__} (pure)\n", "")


def test_a_folder_to_begin_with_is_made_and_tested_there(installed: Environment, tmp_path: Path) -> None:
    made = installed.run("limecep", "init", tmp_path / "kitchen")
    assert (made.returncode, made.stderr) == (0, "")
    tested = installed.run("limecep", "test", tmp_path)
    assert tested.returncode == 0, tested.stdout + tested.stderr


def test_a_demo_is_told_there(installed: Environment) -> None:
    done = installed.run("limecep", "demo")
    assert (done.returncode, done.stderr) == (0, "")
    assert "+ emit " in done.stdout


def test_it_finds_the_built_in_plugins_and_has_nothing_to_say_against_them(installed: Environment) -> None:
    done = installed.run("limecep", "plugins", "list", "--format", "json")
    listing = json.loads(done.stdout)
    assert listing["problems"] == []
    assert {p["status"] for p in listing["plugins"]} == {"loaded"}
    kinds = {c["kind"] for p in listing["plugins"] for c in p["components"]}
    assert {"source", "sink", "codec", "engine", "lateness", "slack", "results"} <= kinds


def test_a_pipeline_runs_there(installed: Environment, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples/machine", tmp_path / "machine")
    report = tmp_path / "report.json"
    done = installed.run("limecep", "run", tmp_path / "machine/machine.yaml", "--report", report)
    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert {r["pattern"] for r in records} == {"overheated", "not_restarted"}
    events = json.loads(report.read_text())["events"]
    assert events.pop("read") == sum(events.values()) > 2000
