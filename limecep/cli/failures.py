"""Telling what went wrong, in words, and ending with the exit code that goes with it."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from typing import TYPE_CHECKING

from limecep.cli.exits import Exit, abandon_output
from limecep.errors import ComponentFailure, ConfigurationError, LimecepError, RunFailure, said

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from limecep.cli.redaction import Redaction
    from limecep.runtime.blame import Made

#: Keeps secrets out of what is told, while a pipeline that has some is run.
redactions: list[Redaction] = []

#: What may be wrong with a descriptor that is written to.
_UNWRITABLE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF}

#: Components that are no part of a pipeline.
_UNLABELLED = {"command", "runner"}


def have_output() -> bool:
    """Whether there is a standard output; says so if not. A process may be started without one (`>&-`), and
    what is written there must not get lost. Without a standard error nobody wants to hear anything."""
    if not sys.stderr:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if not sys.stdout:
        print("limecep: standard output is closed", file=sys.stderr)
    return bool(sys.stdout)


def hidden(text: str) -> str:
    """A text for people without secrets."""
    return redactions[0].text(text) if redactions else text


def tell(error: Exception, log_level: str) -> Exit:
    """Says on standard error what went wrong; where a bug is, only at the level `debug`.

    Returns:
        How the command ends because of it.
    """
    try:
        return _told(_named(error), log_level)
    except OSError:
        # Standard error itself cannot be written: only the exit code can tell.
        return Exit.FAILED


def finish_output(code: int) -> int:
    """Writes what is still held back, at the very end; output that cannot be written fails the command.

    Raises:
        BrokenPipeError: Nobody reads standard output any more.
    """
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as e:
        abandon_output(sys.stdout)
        if code != Exit.FAILED:
            code = tell(e, "error")
    try:
        sys.stderr.flush()
    except OSError:
        abandon_output(sys.stderr)
        code = Exit.FAILED
    return code


def _named(error: Exception) -> Exception:
    """The same error; one that a command or a runner of another distribution should not have raised in words
    that name it."""
    # Where no file can be opened, nothing can be imported either.
    if isinstance(error, LimecepError) or getattr(error, "errno", 0) == errno.EMFILE:
        return error
    from limecep.runtime.blame import blamed

    told = blamed(error, _others())
    return told if isinstance(told, Exception) else error


def ending(error: BaseException, runs: Callable[[list[FrameType]], str]) -> RunFailure:
    """What ended the process, or cancelled what it did itself, as the failure of who did.

    Args:
        error: What was raised.
        runs: Says who runs in some frames, the outermost first, if that is known.
    """
    from limecep.runtime.blame import blamed

    told = blamed(error, _others())
    if isinstance(told, RunFailure):
        return told
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    return RunFailure(f"{runs(frames) or 'something'} raised {said(error)}")


def _others() -> list[Made]:
    from limecep.host import Host
    from limecep.runtime.blame import Made

    others = [p for p in Host.load().plugins if p.distribution != "limecep"]
    return [Made("", s, None) for p in others for s in p.specs if s.kind in _UNLABELLED]


def _told(error: Exception, log_level: str) -> Exit:
    if isinstance(error, ConfigurationError):
        print(hidden(str(error)), file=sys.stderr)
        return Exit.REFUSED
    if isinstance(error, LimecepError):
        print(f"limecep: {hidden(str(error))}", file=sys.stderr)
        if isinstance(error, ComponentFailure):
            print(hidden(error.where), end="", file=sys.stderr)
    elif isinstance(error, OSError) and error.filename is None and error.errno in _UNWRITABLE:
        # Whatever has a name of its own is opened, and fails with it.
        print(f"limecep: cannot write standard output: {error.strerror}", file=sys.stderr)
    elif log_level == "debug":
        print(hidden("".join(traceback.format_exception(error))), end="", file=sys.stderr)
    else:
        print(
            f"limecep: internal error: {hidden(said(error))} (--log-level debug shows where)", file=sys.stderr
        )
    return Exit.FAILED
