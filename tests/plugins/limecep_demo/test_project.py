"""Folders to begin with."""

from __future__ import annotations

import subprocess
import sys
from configparser import ConfigParser
from shutil import which
from typing import TYPE_CHECKING

import pytest
import yaml

from limecep import cli
from limecep.cli.exits import Exit
from limecep_demo.demos import DEMOS
from limecep_demo.project import project

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("demo", DEMOS)
def test_what_it_makes_can_be_checked_tested_and_run(
    demo: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "my kitchen"
    files = project(DEMOS[demo], folder)
    assert [f.name for f in files] == [
        "Containerfile",
        "events.jsonl",
        "limecep-my_kitchen.service",
        "pipeline.test.yaml",
        "pipeline.yaml",
    ]
    assert cli.main(["check", str(folder / "pipeline.yaml")]) == Exit.FINE
    assert capsys.readouterr().out.endswith("pipeline.yaml: ok\n")
    assert cli.main(["test", str(folder)]) == Exit.FINE, capsys.readouterr().out
    capsys.readouterr()
    assert cli.main(["run", str(folder / "pipeline.yaml")]) == Exit.FINE
    assert capsys.readouterr().out.startswith('{"op":"emit"')
    assert yaml.safe_load((folder / "pipeline.yaml").read_text())["name"] == "my_kitchen"


@pytest.mark.parametrize(("name", "image"), [("2026", "2026"), ("null", "null"), ("A b-\u00dc.1", "a-b-1")])
def test_any_name_makes_a_pipeline_and_an_image(tmp_path: Path, name: str, image: str) -> None:
    project(DEMOS["open_door"], tmp_path / name)
    assert cli.main(["check", str(tmp_path / name / "pipeline.yaml")]) == Exit.FINE
    assert isinstance(yaml.safe_load((tmp_path / name / "pipeline.yaml").read_text())["name"], str)
    assert f"podman build -t {image} ." in (tmp_path / name / "Containerfile").read_text()


def test_the_unit_and_the_image_are_of_this_pipeline(tmp_path: Path) -> None:
    project(DEMOS["open_door"], tmp_path / "Door")
    unit = ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(tmp_path / "Door/limecep-Door.service")
    service = unit["Service"]
    assert service["ExecStart"] == "/opt/limecep/bin/limecep run /etc/limecep/Door/pipeline.yaml"
    assert (service["StateDirectory"], service["DynamicUser"]) == ("limecep-Door", "yes")
    image = (tmp_path / "Door/Containerfile").read_text()
    # Names of images have no capitals.
    assert "podman build -t door ." in image
    copied = image.splitlines()[-1].split()[1:-1]
    assert all((tmp_path / "Door" / name).is_file() for name in copied)
    assert not any("@NAME@" in file.read_text() for file in (tmp_path / "Door").iterdir())


@pytest.mark.skipif(which("systemd-analyze") is None, reason="systemd is not here")
def test_systemd_finds_nothing_wrong_with_its_unit(tmp_path: Path) -> None:
    project(DEMOS["gas_leak"], tmp_path / "kitchen")
    file = tmp_path / "kitchen/limecep-kitchen.service"
    file.write_text(file.read_text().replace("/opt/limecep/bin/limecep", sys.executable))
    for arguments in (["verify"], ["security", "--offline=true", "--threshold=20"]):
        done = subprocess.run(["systemd-analyze", *arguments, file], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout
        assert done.stderr == ""


def test_what_is_there_stays_as_it_is(tmp_path: Path) -> None:
    (demo,) = [d for d in DEMOS.values() if d.name == "gas_leak"]
    project(demo, tmp_path)
    again = {f: f.stat().st_mtime_ns for f in project(demo, tmp_path)}
    assert again
    (tmp_path / "pipeline.yaml").write_text("mine\n")
    (tmp_path / "Containerfile").unlink()
    with pytest.raises(FileExistsError, match=r"pipeline.yaml is there with something else in it"):
        project(demo, tmp_path)
    assert (tmp_path / "pipeline.yaml").read_text() == "mine\n"
    assert not (tmp_path / "Containerfile").exists()
