"""The suite for commands notices commands that are wrong on purpose."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from limecep.errors import RunFailure
from limecep.host import Host
from limecep.spec import ComponentSpec
from limecep.testing.command import Call, CommandConformance

if TYPE_CHECKING:
    import argparse
    from pathlib import Path


class Right:
    def __init__(self, registry: object) -> None: ...

    def declare(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("word", help="what is said")

    def execute(self, args: argparse.Namespace) -> Any:
        if args.word == "nothing":
            raise RunFailure("there is nothing to say")
        print(args.word)
        return 0


class Helpless(Right):
    def declare(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("word")


class TakesTheKernels(Right):
    def declare(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--execute", help="do it")


class ImportsAtOnce(Right):
    def declare(self, parser: argparse.ArgumentParser) -> None:
        import this  # noqa: F401

        super().declare(parser)


class Exits(Right):
    def execute(self, args: argparse.Namespace) -> Any:
        sys.exit(0)


class EndsWithNothing(Right):
    def execute(self, args: argparse.Namespace) -> Any:
        print(args.word)


class SaysItAllTheSame(Right):
    def execute(self, args: argparse.Namespace) -> Any:
        print(args.word)
        return super().execute(args)


class Halves(Right):
    execute = None  # type: ignore[assignment]


def suite(command: type[Right], **more: Any) -> CommandConformance:
    given = {"name": "say", "summary": "Say a word", "kind": "command", **more}

    class Suite(CommandConformance):
        spec = ComponentSpec(factory=command, **given)

    return Suite()


class TestRight(CommandConformance):
    spec = ComponentSpec(kind="command", name="say", factory=Right, summary="Say a word")
    calls = (
        Call("hello", says="hello\n"),
        Call("nothing", fails="there is nothing to say"),
        Call("", fails="required: word"),
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [("run", "'limecep run' is limecep's own"), ("plugins_", "'limecep plugins' is limecep's")],
)
def test_a_word_of_limecep_itself_is_noticed(name: str, said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        suite(Right, name=name).test_it_is_called_by_a_word_that_is_free()


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (Helpless, "the argument 'word' has no help"),
        (TakesTheKernels, "'execute' of the arguments is the kernel's"),
    ],
)
def test_arguments_that_are_wrong_are_noticed(command: type[Right], said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        suite(command).test_every_argument_says_what_it_is_for(Host.load().registry)


def test_a_method_that_is_not_there_is_noticed() -> None:
    with pytest.raises(AssertionError, match="it has no method 'execute'"):
        suite(Halves).test_it_is_made_of_the_registry(Host.load().registry)


def test_what_help_imports_is_noticed(capsys: pytest.CaptureFixture[str]) -> None:
    registry = Host.load().registry
    with pytest.raises(AssertionError, match="imports pytest"):
        suite(Right, requires=("pytest",)).test_help_needs_no_client_library(registry)
    sys.modules.pop("this", None)
    with pytest.raises(AssertionError, match="'declare' imports this"):
        suite(ImportsAtOnce, requires=("this",)).test_help_needs_no_client_library(registry)


@pytest.mark.parametrize(
    ("command", "call", "said"),
    [
        (Exits, Call("hello"), "it ends the process with 0"),
        (EndsWithNothing, Call("hello"), "the exit code is None"),
        (SaysItAllTheSame, Call("nothing", fails="nothing"), "writes to standard output, and fails"),
        (Right, Call("hello", says="bye"), "bye"),
        (Right, Call("hello", fails="bye"), "ends with 0 and no error"),
        (Right, Call("nothing"), "there is nothing to say"),
    ],
)
def test_a_call_that_does_something_else_is_noticed(
    command: type[Right],
    call: Call,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(AssertionError, match=said):
        suite(command).test_a_call_does_what_is_said(
            call, Host.load().registry, tmp_path, monkeypatch, capsys
        )
