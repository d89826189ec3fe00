"""The terminal at which a run was started."""

from __future__ import annotations

import os


class Terminal:
    """The terminal that the process has when this is made. Services have none."""

    def __init__(self) -> None:
        self._was_open = _is_open()

    @property
    def closed(self) -> bool:
        """Whether there was one, and it is gone."""
        return self._was_open and not _is_open()


def _is_open() -> bool:
    # Windows, which has no SIGHUP either.
    if not hasattr(os, "O_NOCTTY"):
        return False
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK))
    except OSError:
        return False
    return True
