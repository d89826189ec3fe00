"""Commands that plugins bring, made up here."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from limecep import ComponentSpec, cli
from limecep.cli.exits import Exit
from limecep.errors import RunFailure
from limecep.host import Host, Plugin

if TYPE_CHECKING:
    import argparse

    from limecep.registry import Registry


class Greeting:
    """Says hello to a name, or fails."""

    def __init__(self, registry: Registry) -> None:
        self._known = registry.names("command")

    def declare(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name")

    def execute(self, args: argparse.Namespace) -> int:
        if args.name == "nobody":
            raise RunFailure("there is nobody")
        print(f"hello {args.name}, from {', '.join(self._known)}, at {args.log_level}")
        return Exit.FOUND_PROBLEMS


class Mute(Greeting):
    declare = None  # type: ignore[assignment]


def command(name: str, **more: Any) -> ComponentSpec:
    more = {"factory": f"{__name__}:Greeting", "summary": "Greets 100 % of people", **more}
    return ComponentSpec(kind="command", name=name, **more)


def plugin(name: str, *specs: ComponentSpec) -> Plugin:
    return Plugin(
        name=name, module=f"{name}.plugin", distribution=f"dist-{name}", version="1", path="/", specs=specs
    )


@pytest.fixture(autouse=True)
def _made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, __name__, sys.modules[Greeting.__module__])
    plugins = (
        plugin(
            "good",
            command("greet"),
            command("lacking", requires=("no_such_client",), extra="client", distribution="dist-good"),
            command("broken", factory="no_such_package.command:Command"),
            command("mute", factory=f"{__name__}:Mute"),
            command("twice"),
            command("version", summary="Not this one"),
            command("plugins_greet"),
            command("plugins_list", factory="no_such_package.command:Command"),
        ),
        plugin("other", command("twice")),
    )
    monkeypatch.setattr(Host, "load", lambda: Host(plugins))


def test_it_is_called_with_its_arguments_and_gives_the_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["greet", "you", "--log-level", "debug"]) == Exit.FOUND_PROBLEMS
    known = "broken, greet, lacking, mute, plugins_greet, plugins_list, twice, version"
    assert capsys.readouterr().out == f"hello you, from {known}, at debug\n"


def test_one_that_breaks_its_contract_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["mute", "you"]) == Exit.FAILED
    assert capsys.readouterr().err == (
        "limecep: command 'mute' of plugin 'good' of dist-good 1 breaks "
        "limecep.contracts.command.Command: it has None as 'declare', which is called\n"
    )


def test_what_it_raises_is_told_as_of_any_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["greet", "nobody"]) == Exit.FAILED
    assert capsys.readouterr().err == "limecep: there is nobody\n"


def test_help_lists_it_with_its_summary(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    said = capsys.readouterr().out
    assert re.search(r"^    greet +greets 100 % of people$", said, re.MULTILINE)
    assert "Not this one" not in said


def test_its_own_help_is_there_although_a_module_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(["lacking", "--help"])
    assert caught.value.code == Exit.FINE
    assert "usage: limecep lacking" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (
            ["lacking", "you"],
            Exit.REFUSED,
            "error: command 'lacking' needs the module 'no_such_client', which is not installed "
            "[missing-module]\n"
            "    pip install 'dist-good[client]'\n",
        ),
        (["twice", "you"], Exit.REFUSED, "error: command 'twice' is brought by plugin 'good'"),
        (["broken", "you"], Exit.FAILED, "limecep: command 'broken' cannot be imported: "),
    ],
)
def test_one_that_cannot_be_had_says_what_to_do(
    words: list[str], code: Exit, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(words) == code
    assert capsys.readouterr().err.startswith(said)


def test_a_word_of_limecep_itself_is_not_taken(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["version"]) == Exit.FINE
    assert capsys.readouterr().out.startswith("limecep ")


def test_nothing_is_looked_for_where_limecep_has_the_command() -> None:
    code = "import sys, limecep.cli as c; c.main(['version']); print(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "limecep.host" not in out.split()


def test_below_a_command_of_limecep_it_is_called_as_such(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["plugins", "--log-level", "error", "greet", "you"]) == Exit.FOUND_PROBLEMS
    assert capsys.readouterr().out.startswith("hello you, ")
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    assert "plugins_greet" not in capsys.readouterr().out


def test_what_limecep_has_below_its_command_is_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["plugins", "list"]) == Exit.FINE
    assert "  plugins_list   Greets 100 % of people [dist-good 1]\n" in capsys.readouterr().out
