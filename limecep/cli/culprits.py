"""Names the component that an error comes from, where no pipeline has named it: a runner, a command, or a
component that a command asks before there is a pipeline. Imported only where something failed."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from limecep.errors import ComponentFailure, RunFailure
from limecep.host import Host
from limecep.registry import FILES, OWN
from limecep.runtime import blame
from limecep.runtime.blame import Made, blamed, done, owner
from limecep.whereabouts import frames_in

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType

    from limecep.spec import ComponentSpec


def named(error: Exception) -> Exception:
    """The same error, in words that name the component of another distribution or of a pipeline's file in
    which it was raised; as it is where there is none."""
    told = blamed(error, _others(frames_in(error)))
    return told if isinstance(told, Exception) else error


def ending(error: BaseException, runs: Callable[[list[FrameType]], str] | None = None) -> RunFailure:
    """The failure of the component that ended the process, or cancelled its own work.

    Args:
        error: What was raised.
        runs: Says which component runs in some frames, the outermost first, with its place in the pipeline;
            None where there is no pipeline.
    """
    frames = frames_in(error)
    told = blamed(error, _others(frames))
    who = "" if runs is None else runs(frames)
    if who:
        return ComponentFailure(
            f"{who} {done(error)}", told.where if isinstance(told, ComponentFailure) else ""
        )
    if isinstance(told, RunFailure):
        return told
    file = frames[-1].f_code.co_filename if frames else "something"
    return RunFailure(f"{file} {done(error)}")


def of_spec(spec: ComponentSpec) -> str:
    """The component of a spec in words, with the plugin or the file that brings it."""
    return owner(Made("", spec, None))


def running(frames: Sequence[FrameType]) -> str:
    """Which component of another distribution, or of a pipeline's file, runs, in words; "" if none does. A
    command is none: it runs as long as its user likes.

    Args:
        frames: What runs, the outermost first.
    """
    return blame.running(frames, [m for m in _others(frames) if m.spec.kind != "command"])


def tell_interrupted(interrupt: KeyboardInterrupt) -> None:
    """Says on standard error which component a command waited for when it was interrupted, if for any."""
    with suppress(Exception, KeyboardInterrupt):
        if who := running(frames_in(interrupt)):
            print(f"limecep: interrupted in {who}", file=sys.stderr)


def _others(frames: Sequence[FrameType]) -> list[Made]:
    """The components that limecep does not bring: those installed, and those of files among the frames."""
    plugins = [p for p in Host.load().plugins if p.distribution != OWN]
    specs: list[ComponentSpec] = [spec for plugin in plugins for spec in plugin.specs]
    for name in dict.fromkeys(str(frame.f_globals.get("__name__")) for frame in frames):
        if name.startswith(FILES):
            from limecep.local import specs_of

            specs += specs_of(sys.modules[name])
    return [Made("", spec, None) for spec in specs]
