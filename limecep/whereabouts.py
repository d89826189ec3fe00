"""Where in which file a function or a class of Python stands, and what a thread is in."""

from __future__ import annotations

import inspect
import sys
from typing import TYPE_CHECKING, Any

from limecep.problems import Place

if TYPE_CHECKING:
    from types import FrameType


def place_of(what: Any, module: Any = None) -> Place | None:
    """Where a function or a class stands; else the file of a module; None where nobody knows."""
    try:
        lines, number = inspect.findsource(inspect.unwrap(what))
        file = inspect.getfile(inspect.unwrap(what))
    except (OSError, TypeError):
        path = getattr(module, "__file__", None)
        return None if path is None else Place(file=path, line=0, column=0)
    text = lines[number].rstrip("\r\n")
    column = len(text) - len(text.lstrip())
    return Place(file=file, line=number + 1, column=column + 1, text=text, width=len(text) - column)


def frames_of(thread: int) -> list[FrameType]:
    """What a thread of this process is in at the moment, the outermost first; nothing if there is none.

    Args:
        thread: Its number, as of `threading.get_ident`.
    """
    found: list[FrameType] = []
    frame = sys._current_frames().get(thread)
    while frame is not None:
        found.append(frame)
        frame = frame.f_back
    return found[::-1]
