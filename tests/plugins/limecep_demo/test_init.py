"""`limecep init`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep import cli
from limecep.cli.exits import Exit
from limecep.testing.command import CommandConformance
from limecep_demo.plugin import INIT

if TYPE_CHECKING:
    from pathlib import Path


class TestConformance(CommandConformance):
    """It keeps the contract of commands."""

    spec = INIT


def test_it_names_the_files_and_what_to_do_next(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "house"
    assert cli.main(["init", str(folder), "--from", "open-door"]) == Exit.FINE
    lines = capsys.readouterr().out.splitlines()
    assert lines[:-2] == sorted(map(str, folder.iterdir()))
    assert lines[-1] == f"next      limecep test {folder} && limecep run {folder}/pipeline.yaml"
    assert "DoorOpened" in (folder / "pipeline.yaml").read_text()


def test_what_is_there_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pipeline.yaml").write_text("mine\n")
    assert cli.main(["init", str(tmp_path)]) == Exit.FAILED
    assert "is there with something else in it: name another folder" in capsys.readouterr().err


def test_an_unknown_demo_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(["init", "x", "--from", "gas_leek"])
    assert caught.value.code == Exit.USAGE
    assert "did you mean 'gas_leak'?" in capsys.readouterr().err


def test_no_name_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["init", ""])
    assert "it names no folder: write . for this one" in capsys.readouterr().err


def test_a_name_with_blanks_is_quoted_in_what_to_do_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cli.main(["init", str(tmp_path / "my house")])
    last = capsys.readouterr().out.splitlines()[-1]
    assert (
        last
        == f"next      limecep test '{tmp_path}/my house' && limecep run '{tmp_path}/my house/pipeline.yaml'"
    )
