"""The conformance suite for commands: subclass it in a test module, and pytest runs it.

from limecep.testing.command import Call, CommandConformance

class TestMyCommand(CommandConformance):
    spec = MY_SPEC
    calls = (Call("--help-me"), Call("no-such-file", fails="no-such-file"))
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import pytest

from limecep.cli import COMMANDS
from limecep.cli.exits import Exit
from limecep.contracts.command import Command
from limecep.errors import LimecepError
from limecep.host import Host
from limecep.testing.bounded import Bounded
from limecep.testing.spelling import check_spelling

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from limecep.registry import Registry
    from limecep.spec import ComponentSpec

#: What the kernel keeps for itself of what is parsed.
_KERNELS = ("execute", "log_level")

_IMPORTS = """
import sys
from importlib import import_module
module, _, name = sys.argv[1].partition(":")
import_module(module)
print(*(m for m in sys.argv[2:] if m in sys.modules))
"""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a command.

    Attributes:
        line: Its arguments, as in a shell.
        says: What it writes to standard output, or a part of it.
        code: How it ends.
        fails: What its error says, or a part of it, where it fails: with a `ConfigurationError`, a
            `RunFailure`, or as argparse does, on standard error with the code 2.
    """

    line: str
    says: str = ""
    code: int = Exit.FINE
    fails: str = ""


class CommandConformance(Bounded):
    """What every command must do. A test class: subclass it and say which.

    Attributes:
        call_seconds: As of `Bounded`.
        spec: What its plugin says about it.
        calls: Calls that are tried, each in a folder of its own.
    """

    call_seconds: ClassVar[float] = 60.0
    spec: ClassVar[ComponentSpec]
    calls: ClassVar[Sequence[Call]] = ()

    @pytest.fixture
    def registry(self) -> Registry:
        """The components there are."""
        return Host.load().registry

    def prepare(self, folder: Path) -> None:
        """Writes the files that calls read."""

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Spreads the tests over the calls."""
        if "call" in metafunc.fixturenames:
            metafunc.parametrize("call", self.calls, ids=[c.line or "no arguments" for c in self.calls])

    def test_it_is_called_by_a_word_that_is_free(self) -> None:
        """The words of limecep itself are taken; below one of them it may stand: `plugins_new`."""
        above, _, below = self.spec.name.partition("_")
        assert self.spec.kind == "command", f"it is a {self.spec.kind}"
        assert self.spec.name not in COMMANDS, f"'limecep {self.spec.name}' is limecep's own"
        assert above not in COMMANDS or below, f"'limecep {above}' is limecep's own"

    def test_it_is_made_of_the_registry(self, registry: Registry) -> None:
        """And has what a command has."""
        command = registry.make(self.spec, registry)
        for name in ("declare", "execute"):
            assert callable(getattr(command, name, None)), f"it has no method '{name}'"
        check_spelling(command, Command, ())

    def test_help_needs_no_client_library(self, registry: Registry) -> None:
        """It is shown also where one is missing: neither the module of the factory nor `declare` imports what
        the spec requires."""
        if not self.spec.requires:
            pytest.skip("it requires nothing")
        module, name = self.spec.made_by
        done = subprocess.run(
            [sys.executable, "-c", _IMPORTS, f"{module}:{name}", *self.spec.requires],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        assert not done.stdout.split(), f"the module '{module}' imports {', '.join(done.stdout.split())}"
        before = {m for m in self.spec.requires if m in sys.modules}
        self._parser(registry)
        declared = {m for m in self.spec.requires if m in sys.modules} - before
        assert not declared, f"'declare' imports {', '.join(sorted(declared))}"

    def test_every_argument_says_what_it_is_for(self, registry: Registry) -> None:
        """`--help` shows it."""
        parser = self._parser(registry)
        for action in parser._actions:
            name = "/".join(action.option_strings) or action.dest
            assert action.help, f"the argument '{name}' has no help"
            assert action.dest not in _KERNELS, f"'{action.dest}' of the arguments is the kernel's"
        assert parser.format_help()

    def test_an_argument_that_there_is_not_is_refused(
        self, registry: Registry, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """On the command line, with exit code 2."""
        with pytest.raises(SystemExit) as ended:
            self._parser(registry).parse_args(["--no-such-argument-of-it"])
        assert ended.value.code == Exit.USAGE
        assert capsys.readouterr().out == ""

    def test_a_call_does_what_is_said(
        self,
        call: Call,
        registry: Registry,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        """Data goes to standard output, everything else to standard error; what is wrong is told as an error
        that limecep knows."""
        self.prepare(tmp_path)
        monkeypatch.chdir(tmp_path)
        error, code = "", -1
        ended: object = Exit.USAGE
        try:
            parser = self._parser(registry)
            code = registry.make(self.spec, registry).execute(parser.parse_args(shlex.split(call.line)))
        except SystemExit as exits:
            error, ended = capsys.readouterr().err, exits.code
        except LimecepError as failure:
            error = str(failure)
        assert ended == Exit.USAGE, f"it ends the process with {ended!r}: give the exit code back"
        said = capsys.readouterr()
        if call.fails:
            assert call.fails in error, f"fails with {error!r}" if error else f"ends with {code} and no error"
            assert said.out == "", f"writes to standard output, and fails: {said.out[:200]!r}"
            return
        assert not error, error
        assert type(code) is int or isinstance(code, Exit), f"the exit code is {code!r}"
        assert code in {*Exit}, f"the exit code {code} is none of limecep.embedding.commands.Exit"
        assert code == call.code
        assert call.says in said.out

    def _parser(self, registry: Registry) -> argparse.ArgumentParser:
        parser = argparse.ArgumentParser(prog=f"limecep {self.spec.name.replace('_', ' ')}")
        command: Command = registry.make(self.spec, registry)
        command.declare(parser)
        return parser
