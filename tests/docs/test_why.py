"""docs/why.md shows what `limecep why` prints."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

from limecep import cli
from limecep.host import Host
from limecep_why.command import WhyCommand

if TYPE_CHECKING:
    import pytest

PAGE = (Path(__file__).parents[2] / "docs/why.md").read_text()


def test_the_page_shows_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    [commands, shown] = re.findall(r"```console\n((?:\$ [^\n]*\n)+)(.+?)```", PAGE, re.DOTALL)[0]
    demo, run, why = (line[2:].removeprefix("limecep ") for line in commands.splitlines())
    monkeypatch.chdir(tmp_path)
    assert cli.main(demo.partition(" && ")[0].split()) == 0
    monkeypatch.chdir(tmp_path / "gas_leak")
    capfd.readouterr()
    assert cli.main(run.partition(" > ")[0].split()) == 0
    (tmp_path / "gas_leak/matches.jsonl").write_text(capfd.readouterr().out)
    assert cli.main(why.split()) == 0
    assert capfd.readouterr().out == shown
    assert cli.main(["why", "e5a1c7", "--records", "matches.jsonl"]) == 0


def test_the_match_below_of_which_it_speaks_is_that_of_the_levels() -> None:
    [match] = re.findall(r"limecep why (\w+) --pipeline cold-room.yaml --deep", PAGE)
    assert f'"match":"{match}' in (Path(__file__).parents[2] / "docs/levels.md").read_text()


def test_it_knows_every_option() -> None:
    parser = argparse.ArgumentParser(add_help=False)
    WhyCommand(Host.load().registry).declare(parser)
    options = [o for action in parser._actions for o in action.option_strings]
    assert [o for o in options if o not in PAGE] == []
