"""Telling what went wrong, in words, and ending with the exit code that goes with it."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from typing import TYPE_CHECKING

from limecep.cli.exits import Exit, abandon_output
from limecep.errors import ComponentFailure, ConfigurationError, LimecepError, said

if TYPE_CHECKING:
    from limecep.cli.redaction import Redaction

#: Keeps secrets out of what is told, while a pipeline that has some is run.
redactions: list[Redaction] = []

#: What may be wrong with a descriptor that is written to.
_UNWRITABLE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF}


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
        return _told(named(error), log_level)
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


def named(error: Exception) -> Exception:
    """The same error; what a component should not have raised in words that name it."""
    # Where no file can be opened, nothing can be imported either.
    if isinstance(error, LimecepError) or getattr(error, "errno", 0) == errno.EMFILE:
        return error
    from limecep.cli import culprits

    return culprits.named(error)


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
