"""What went wrong is said in words, with the exit code that goes with it."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

from limecep.cli.exits import Exit
from limecep.cli.failures import finish_output, have_output, tell
from limecep.errors import ComponentFailure, ConfigurationError, LimecepError
from limecep.problems import Problem

FULL = Path("/dev/full")


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (LimecepError("the disk is full"), Exit.FAILED, "limecep: the disk is full\n"),
        (
            ComponentFailure("patterns.p: engine 'x' raised it", '  File "x.py"\n'),
            Exit.FAILED,
            "limecep: patterns.p: engine 'x' raised it\n  File \"x.py\"\n",
        ),
        (
            ConfigurationError([Problem(code="x", message="wrong", hint="do so")]),
            Exit.REFUSED,
            "error: wrong [x]\n    do so\n",
        ),
        (
            OSError(errno.ENOSPC, "No space left"),
            Exit.FAILED,
            "limecep: cannot write standard output: No space left\n",
        ),
        (
            OSError(errno.ENOSPC, "No space left", "r.json"),
            Exit.FAILED,
            "limecep: internal error: OSError: [Errno 28] No space left: 'r.json' "
            "(--log-level debug shows where)\n",
        ),
        (
            OSError(errno.EMFILE, "Too many open files"),
            Exit.FAILED,
            "limecep: internal error: OSError: [Errno 24] Too many open files "
            "(--log-level debug shows where)\n",
        ),
        (
            OSError(errno.EPERM, "Not permitted"),
            Exit.FAILED,
            "limecep: internal error: PermissionError: [Errno 1] Not permitted "
            "(--log-level debug shows where)\n",
        ),
        (
            ZeroDivisionError("by\nzero"),
            Exit.FAILED,
            "limecep: internal error: ZeroDivisionError: by (--log-level debug shows where)\n",
        ),
    ],
)
def test_an_error_is_said_in_words_with_its_exit_code(
    error: Exception, code: Exit, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tell(error, "info") is code
    written = capsys.readouterr()
    assert (written.out, written.err) == ("", said)


def test_at_the_level_debug_a_bug_is_shown_where_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert tell(ZeroDivisionError("zero"), "debug") is Exit.FAILED
    assert capsys.readouterr().err == "ZeroDivisionError: zero\n"
    assert tell(LimecepError("the disk is full"), "debug") is Exit.FAILED
    assert capsys.readouterr().err == "limecep: the disk is full\n"


def test_where_standard_error_cannot_be_written_the_code_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    with os.fdopen(os.open(FULL, os.O_WRONLY), "wb", buffering=0) as full:
        monkeypatch.setattr(sys, "stderr", _Unbuffered(full.fileno()))
        problem = Problem(code="x", message="wrong")
        assert tell(ConfigurationError([problem]), "error") is Exit.FAILED


class _Unbuffered:
    """A text stream of which every word is written at once."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def write(self, text: str) -> int:
        return os.write(self._descriptor, text.encode())


def test_a_process_with_both_streams_has_output(capsys: pytest.CaptureFixture[str]) -> None:
    error = sys.stderr
    assert have_output() is True
    assert sys.stderr is error
    assert capsys.readouterr().err == ""


def test_without_standard_output_it_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert have_output() is False
    assert capsys.readouterr().err == "limecep: standard output is closed\n"


def test_without_standard_error_what_is_said_there_goes_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    assert have_output() is True
    with sys.stderr as made:
        print("nobody hears it", file=made)


def test_output_that_can_be_written_leaves_the_code_as_it_is() -> None:
    assert finish_output(Exit.FOUND_PROBLEMS) == Exit.FOUND_PROBLEMS


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (Exit.FINE, "limecep: cannot write standard output: No space left on device\n"),
        (Exit.REFUSED, "limecep: cannot write standard output: No space left on device\n"),
        # That the command failed has been said already.
        (Exit.FAILED, ""),
    ],
)
def test_output_that_cannot_be_written_fails_the_command(
    code: Exit, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with FULL.open("w") as full:
        full.write("lost")
        monkeypatch.setattr(sys, "stdout", full)
        assert finish_output(code) == Exit.FAILED
    assert capsys.readouterr().err == said


def test_words_that_cannot_be_written_fail_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    with FULL.open("w") as full:
        full.write("lost")
        monkeypatch.setattr(sys, "stderr", full)
        assert finish_output(Exit.FINE) == Exit.FAILED


def test_output_that_nobody_reads_is_for_the_caller_to_say(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    stream = os.fdopen(writing, "w")
    stream.write("lost")
    monkeypatch.setattr(sys, "stdout", stream)
    with pytest.raises(BrokenPipeError):
        finish_output(Exit.FINE)
    monkeypatch.undo()
    with pytest.raises(BrokenPipeError):
        stream.close()
