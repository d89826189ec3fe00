"""`limecep demo`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from limecep import cli
from limecep.cli.exits import Exit
from limecep_demo.demos import DEMOS

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Terminal


def test_without_a_name_the_first_is_told_and_the_others_are_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["demo"]) == Exit.FINE
    told, err = capsys.readouterr()
    first, *others = DEMOS
    assert told.startswith("limecep ")
    assert f"demo {first}: " in told
    assert (
        "\nevents    373 read = 370 in order + 2 out of order + 1 duplicate\nmatches   gas_fire  1 emitted, "
        in told
    )
    assert f"\nnext      limecep demo {first} --into {first} && limecep run {first}/{first}.yaml\n" in told
    assert [f"limecep demo {name}: " in told for name in others] == [True] * len(others)
    assert err == ""


@pytest.mark.parametrize("name", DEMOS)
def test_what_it_writes_can_be_run(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["demo", name, "--into", str(tmp_path / "d")]) == Exit.FINE
    file = tmp_path / "d" / f"{name}.yaml"
    assert f"\nnext      limecep run {file}\n" in capsys.readouterr().out
    assert cli.main(["check", str(file)]) == Exit.FINE
    assert cli.main(["run", str(file)]) == Exit.FINE
    assert capsys.readouterr().out.splitlines()[1].startswith('{"op":"emit"')


def test_an_unknown_name_is_a_usage_error_that_names_those_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, hint in (("gas-leek", "did you mean 'gas_leak'?"), ("x", "known: gas_leak, open_door")):
        with pytest.raises(SystemExit) as caught:
            cli.main(["demo", name])
        assert caught.value.code == Exit.USAGE
        assert f"there is no demo '{name}': {hint}" in capsys.readouterr().err


def test_a_name_may_be_written_with_a_hyphen(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["demo", "open-door"]) == Exit.FINE
    assert "demo open_door: " in capsys.readouterr().out


@pytest.mark.parametrize("changed", ["events.jsonl", "gas_leak.yaml"])
def test_files_that_were_changed_are_left_alone(
    changed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["demo", "gas_leak", "--into", str(tmp_path)]
    assert cli.main(command) == Exit.FINE
    assert cli.main(command) == Exit.FINE
    (tmp_path / changed).write_text("mine")
    assert cli.main(command) == Exit.FAILED
    assert f"{tmp_path / changed} is there with something else in it" in capsys.readouterr().err
    assert (tmp_path / changed).read_text() == "mine"


def test_a_folder_that_cannot_be_written_is_a_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert cli.main(["demo", "--into", str(tmp_path / "file")]) == Exit.FAILED
    assert "limecep: the demo cannot be written: " in capsys.readouterr().err


def test_without_a_component_that_it_needs_it_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LIMECEP_WITHOUT", "maximal")
    assert cli.main(["demo"]) == Exit.REFUSED
    assert "no default engine" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("called", "shown"),
    [(".venv/bin/limecep", ".venv/bin/limecep"), ("/usr/lib/limecep/__main__.py", "limecep")],
)
def test_what_comes_next_is_said_as_it_was_called(
    called: str, shown: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [called, "demo"])
    assert cli.main(["demo"]) == Exit.FINE
    assert f"\nnext      {shown} demo " in capsys.readouterr().out


def test_at_a_terminal_what_is_found_is_coloured_and_fits(terminal: Terminal) -> None:
    code, written = terminal("demo", columns=100)
    assert code == 0
    row = written.split("\x1b[32m+ emit\x1b[0m  ")[1].split("\n")
    assert row[1] == "           a.percentage 62  b.celsius 24.1 27.0 31.8"
    assert "\x1b" not in terminal("demo", "--no-color")[1]
