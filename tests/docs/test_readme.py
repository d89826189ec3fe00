"""What the README shows is what happens, and the commands it names exist."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from limecep import Pipeline, cli
from limecep.cli.accounting import accounting
from limecep.config.loader import load
from limecep.host import Host

if TYPE_CHECKING:
    from conftest import Terminal

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README, re.DOTALL)
MACHINE = ROOT / "examples/machine/machine.yaml"


def shown() -> list[tuple[str, str]]:
    """Commands of limecep with the output shown."""
    found = []
    for kind, text in BLOCKS:
        command, _, output = text.removeprefix("$ ").partition("\n")
        if kind == "console" and command.startswith("limecep "):
            found.append((command, output))
    return found


def settled(text: str) -> list[str]:
    """Lines without bars and without what the machine decides."""
    lines = [line.rpartition("\r\x1b[K")[2].rstrip() for line in text.rstrip("\n").split("\n")]
    return [re.sub(r"\d[\d,.]*", "N", line) if line.startswith("run  ") else line for line in lines]


def assert_shown(output: str, written: str) -> None:
    """Every line that is shown was written, in this order; `...` stands for any that are left out."""
    there = settled(written)
    at, skip = 0, False
    for line in settled(output):
        if line == "...":
            skip = True
        else:
            found = there.index(line, at) if skip else at
            assert there[found] == line
            at, skip = found + 1, False
    assert skip or at == len(there)


def test_it_shows_a_demo_a_run_its_json_a_check_and_a_plan() -> None:
    assert [command.split()[1] for command, _ in shown()] == ["demo", "run", "run", "check", "explain"]


@pytest.mark.parametrize(("command", "output"), [(c, o) for c, o in shown() if " | " not in c])
def test_the_output_shown_is_that_of_the_command(
    command: str, output: str, terminal: Terminal, tmp_path: Path
) -> None:
    folder = ROOT
    if "check" in command:
        folder = tmp_path
        text = MACHINE.read_text().replace("> $limit", "> $limt").replace("engine: maximal", "engine: maximl")
        (folder / "machine.yaml").write_text(text)
    _, written = terminal(*command.split()[1:], cwd=folder, columns=112, environment={"NO_COLOR": "1"})
    assert_shown(output, written)


def test_the_json_shown_is_the_first_line_of_its_run() -> None:
    ((command, output),) = [(c, o) for c, o in shown() if " | " in c]
    arguments = command.partition(" 2>")[0].split()[1:]
    done = subprocess.run(
        [sys.executable, "-m", "limecep", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[0] == output.strip()


def test_the_pipeline_shown_is_that_of_the_example() -> None:
    (text,) = (text for kind, text in BLOCKS if kind == "yaml")
    assert text == MACHINE.read_text()


def test_every_command_is_named() -> None:
    assert [c for c in cli.COMMANDS if f"| `limecep {c}" not in README] == []


def test_every_link_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


#: What is changed in the query of the README for each reason that it shows.
_CHANGES = {
    "Celsius": ("r[i].celsius", "r.Celsius"),
    "Shutdwn": ("Shutdown s", "Shutdwn s"),
    "850": ("r[i].celsius > $limit", "r.celsius > 850"),
    "30 ms": ("30 minutes", "30 ms"),
}


@pytest.mark.parametrize("what", _CHANGES)
def test_the_reasons_shown_are_those_of_such_a_query(what: str) -> None:
    (line,) = [line for line in README.splitlines() if line.startswith("why none") and what in line]
    loaded = load(MACHINE, Host.load().registry, overrides=["sinks={o: {type: none}}"])
    assert loaded.config is not None
    query = loaded.config.patterns[0].pattern.text.replace(*_CHANGES[what])
    pipeline = Pipeline.from_yaml(
        MACHINE, overrides=["sinks={o: {type: none}}", f"patterns.overheated.query={json.dumps(query)}"]
    )
    pipeline.run()
    pipeline.close()
    assert line in accounting(pipeline.report()).splitlines()
