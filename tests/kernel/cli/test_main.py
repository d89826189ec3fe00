"""The command as a whole: sub-commands, exit codes, how it fails."""

from __future__ import annotations

import os
import subprocess
import sys
from asyncio import CancelledError
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from limecep import __version__, cli
from limecep.cli import version
from limecep.cli.exits import Exit
from limecep.compiled import is_compiled
from limecep.errors import ConfigurationError, RunFailure
from limecep.problems import Problem

if TYPE_CHECKING:
    import argparse

PIPELINE = Path(__file__).parents[3] / "examples/machine/machine.yaml"


def fails_with(monkeypatch: pytest.MonkeyPatch, error: BaseException, *arguments: str) -> int:
    def execute(args: argparse.Namespace) -> int:
        raise error

    monkeypatch.setattr(version, "execute", execute)
    return cli.main(["version", *arguments])


@pytest.mark.parametrize("arguments", [[], ["rnu"], ["version", "--yaml"], ["run"], ["check"], ["plugins"]])
def test_a_wrong_command_line_is_a_usage_error(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(arguments)
    assert caught.value.code == Exit.USAGE
    assert "usage: limecep" in capsys.readouterr().err


def test_help_lists_every_sub_command_and_imports_none() -> None:
    code = "import sys, limecep.cli as c\ntry: c.main(['-h'])\nexcept SystemExit: print(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    for command in cli.COMMANDS:
        assert f"\n    {command} " in out
        assert f"limecep.cli.{command}" not in out.split()
    assert "structlog" not in out.split()


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (RunFailure("the disk is full"), Exit.FAILED, "limecep: the disk is full\n"),
        (
            ConfigurationError([Problem(code="x", message="wrong", hint="do so")]),
            Exit.REFUSED,
            "error: wrong [x]\n    do so\n",
        ),
        (KeyboardInterrupt(), Exit.INTERRUPTED, ""),
        # A component that ends the process ends no command well.
        (SystemExit(0), Exit.FAILED, f"limecep: {__file__} raised SystemExit: 0\n"),
        (
            CancelledError(0),
            Exit.FAILED,
            f"limecep: {__file__} raised asyncio.exceptions.CancelledError: 0\n",
        ),
    ],
)
def test_errors_are_said_in_words_with_their_exit_code(
    error: BaseException,
    code: Exit,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert fails_with(monkeypatch, error) == code
    assert capsys.readouterr().err == said


def test_log_level_debug_shows_where_a_bug_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fails_with(monkeypatch, ZeroDivisionError("zero"), "--log-level", "debug") == Exit.FAILED
    said = capsys.readouterr().err
    assert "Traceback" in said
    assert "test_main.py" in said


@pytest.mark.parametrize("command", ["version", "plugins list"])
def test_a_closed_pipe_ends_it_quietly(command: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "limecep", *command.split()],
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONWARNINGS": "error"},
    )
    os.close(writing)
    assert "Error" not in done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode == Exit.UNREAD


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", ["version", "schema", "check PIPELINE", "demo", "run PIPELINE"])
def test_output_that_cannot_be_written_fails_it_in_words(command: str, unbuffered: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "limecep", *command.replace("PIPELINE", str(PIPELINE)).split()],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        )
    assert done.returncode == Exit.FAILED
    assert done.stderr.splitlines()[0] == "limecep: cannot write standard output: No space left on device"
    assert done.stderr.count("No space left") == (2 if "run" in command else 1)


@pytest.mark.parametrize("command", ["run PIPELINE", "run no.yaml", "plugins show x/y"])
def test_where_nothing_can_be_said_the_exit_code_tells(command: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "limecep", *command.replace("PIPELINE", str(PIPELINE)).split()],
            stdout=subprocess.PIPE,
            stderr=full,
        )
    assert done.returncode == Exit.FAILED


@pytest.mark.parametrize(
    ("closed", "code", "said"),
    [
        (">&-", Exit.FAILED, "limecep: standard output is closed\n"),
        ("2>&-", Exit.FINE, f"limecep {__version__} ({'compiled' if is_compiled() else 'pure'})\n"),
        (">&- 2>&-", Exit.FAILED, ""),
    ],
)
def test_a_process_may_be_started_without_a_stream(closed: str, code: Exit, said: str) -> None:
    command = f"{sys.executable} -m limecep version {closed}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
    assert (done.returncode, done.stdout + done.stderr) == (code, said)
