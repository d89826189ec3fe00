"""How the command ends."""

from __future__ import annotations

import os
import sys
from enum import IntEnum


class Exit(IntEnum):
    """What the command's exit code says."""

    FINE = 0
    FOUND_PROBLEMS = 1
    """`check` found errors."""
    USAGE = 2
    """The command line is wrong."""
    FAILED = 3
    """A run could not go on, or limecep has a bug."""
    REFUSED = 78
    """`run` refused the configuration."""
    INTERRUPTED = 130
    """Interrupted where there was no run to end in order."""
    UNREAD = 141
    """Whoever read the output went away before all was said; a run that is stopped by that is `FINE`."""


def abandon_output() -> None:
    """Lets what is still to be written to standard output go nowhere, once nobody reads it any more: it must
    not fail again when the process ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
