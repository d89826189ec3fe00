"""What is said of a run that is ended because it does not end."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from limecep.whereabouts import frames_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType

#: How long the line may take to be written, in seconds.
WRITING_SECONDS = 0.5

#: How long may be looked for who runs, in seconds, where no pipeline knows.
LOOKING_SECONDS = 2.0


def say(main: int, seconds: float, running: Callable[[Sequence[FrameType]], str]) -> None:
    """Says on standard error what goes on.

    Args:
        main: The thread that runs.
        seconds: How long its end was waited for.
        running: Says which component runs in some frames; "" if that is not known.
    """
    frames = frames_of(main)
    who = running(frames) or _component(frames)
    who = who or (_place(frames[-1]) if frames else "it is not known in what")
    line = f"limecep: the run did not end within {seconds:g} s: {who} goes on\n"
    # Who should read it may have hung up, or hang, too.
    writing = threading.Thread(target=_write, args=(line.encode(errors="backslashreplace"),), daemon=True)
    writing.start()
    writing.join(WRITING_SECONDS)


def _component(frames: Sequence[FrameType]) -> str:
    """Which component runs before there is a pipeline to ask, or in a runner that does not say; "" if that is
    not known soon."""
    found: list[str] = []

    def look() -> None:
        from limecep.cli.culprits import running

        found.append(running(frames))

    # What is imported for that may be what hangs.
    looking = threading.Thread(target=look, daemon=True)
    looking.start()
    looking.join(LOOKING_SECONDS)
    return found[0] if found else ""


def _write(line: bytes) -> None:
    with suppress(OSError):
        os.write(2, line)


def _place(frame: FrameType) -> str:
    return f"{frame.f_code.co_filename}:{frame.f_lineno} ({frame.f_code.co_qualname})"
