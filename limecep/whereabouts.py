"""Where in which file a function or a class of Python stands, what a thread is in, and where it failed."""

from __future__ import annotations

import inspect
import sys
import traceback
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


def frames_in(error: BaseException) -> list[FrameType]:
    """What an error came through, the outermost first."""
    return [frame for frame, _ in traceback.walk_tb(error.__traceback__)]


def trace_from(error: BaseException, begin: int) -> str:
    """The traceback of an error from a frame on, with the errors that it came of and those that it holds.

    Args:
        error: The error.
        begin: The place of the frame among `frames_in`.
    """
    trace = traceback.TracebackException.from_exception(error)
    trace.stack = traceback.StackSummary.from_list(trace.stack[begin:])
    before = None if error.__suppress_context__ else error.__context__
    if error.__cause__ is None and before is None and not isinstance(error, BaseExceptionGroup):
        return "".join(trace.stack.format())
    return "".join(trace.format())
