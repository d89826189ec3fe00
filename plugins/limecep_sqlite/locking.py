"""A file that one process at a time holds, on any system."""

from __future__ import annotations

import os
from typing import IO, Any

#: None on Windows, which has the other.
_fcntl: Any
_msvcrt: Any
try:
    import fcntl as _fcntl
except ImportError:
    import msvcrt as _msvcrt

    _fcntl = None

#: What Windows locks cannot be read: a byte behind all that is ever written.
_LOCKED_BYTE = 1 << 30


def hold(file: IO[str]) -> None:
    """Locks a file that is open, until it is closed or its process ends.

    Raises:
        OSError: Somebody else holds it.
    """
    if _fcntl is not None:
        _fcntl.flock(file, _fcntl.LOCK_EX | _fcntl.LOCK_NB)
        return
    os.lseek(file.fileno(), _LOCKED_BYTE, os.SEEK_SET)
    _msvcrt.locking(file.fileno(), _msvcrt.LK_NBLCK, 1)
