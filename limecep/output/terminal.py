"""What is different on a terminal: colours, and a last line that is written over again and again.

While a progress bar stands on that line, whatever else is printed begins with `erase`.
"""

from __future__ import annotations

import os
from typing import Any

_ERASE = "\r\x1b[K"


def lively(stream: Any) -> bool:
    """Whether a stream is a terminal on which a line can be written over."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def coloured(stream: Any) -> bool:
    """Whether a stream takes colours: such a terminal, and nobody set NO_COLOR (https://no-color.org)."""
    return lively(stream) and not os.environ.get("NO_COLOR")


def erase(stream: Any) -> str:
    """What removes the line that the cursor is on; nothing where that cannot be."""
    return _ERASE if lively(stream) else ""
