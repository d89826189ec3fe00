"""How the command ends."""

from __future__ import annotations

import os
import sys
from enum import IntEnum
from typing import TextIO


class Exit(IntEnum):
    """What the command's exit code says."""

    FINE = 0
    FOUND_PROBLEMS = 1
    """`check` found errors, `test` a failure, `compare` or `run --verify` a difference, or `query` what
    cannot be carried over."""
    USAGE = 2
    """The command line is wrong."""
    FAILED = 3
    """A run could not go on, or all that it read from a source was invalid; or limecep has a bug."""
    REFUSED = 78
    """`run` refused the configuration, or `test` a test file."""
    INTERRUPTED = 130
    """Interrupted where there was no run to end in order."""
    UNREAD = 141
    """Whoever read the output went away before all was said; a run that is stopped by that is `FINE`."""


def abandon_output(stream: TextIO | None = None) -> None:
    """Lets what is still to be written to a stream, by default standard output, go nowhere, once it cannot be
    written any more: it must not fail again when the process ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, (sys.stdout if stream is None else stream).fileno())
    os.close(nowhere)
