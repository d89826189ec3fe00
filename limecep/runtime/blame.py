"""Blame: which component raised what nobody expected."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING, Any, NamedTuple

from limecep.errors import ComponentFailure, LimecepError
from limecep.host import Host
from limecep.registry import title

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

    from limecep.host import Plugin
    from limecep.spec import ComponentSpec


class Made(NamedTuple):
    """A component that was made.

    Attributes:
        label: Its place in the pipeline: `patterns.fire`, `sinks.alerts`; "" if it has none.
        spec: What it is made of.
        component: The component; None while it is being made, or not known.
    """

    label: str
    spec: ComponentSpec
    component: Any


def blamed(error: Exception, made: Sequence[Made]) -> Exception:
    """The same error in words that name the component it comes from; as it is where it was raised to be told
    to the user, and where it comes from none of these.

    Args:
        error: The error, with its traceback.
        made: The components.
    """
    if isinstance(error, (LimecepError, BrokenPipeError)):
        return error
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    places = _places(error, frames, made)
    if not places:
        return error
    # A component may call another.
    last = max(place for place, _ in places)
    blame = [m for place, m in places if place == last]
    plugin = _plugin(blame[0].spec)
    if plugin is not None and plugin.distribution == "limecep" and isinstance(error, OSError):
        # What the machine refuses is told in its own words.
        return error
    label = f"{blame[0].label}: " if len({m.label for m in blame}) == 1 and blame[0].label else ""
    names = {f"{title(m.spec.kind)} '{m.spec.name}'" for m in blame}
    who = names.pop() if len(names) == 1 else "a component"
    of = "" if plugin is None else f" of {plugin}"
    what = traceback.format_exception_only(error)[-1].strip()
    begin = min(place for place, m in places if m in blame)
    own = traceback.format_list(traceback.extract_tb(error.__traceback__)[begin:])
    return ComponentFailure(f"{label}{who}{of} raised {what}", "".join(own))


def _places(error: Exception, frames: Sequence[FrameType], made: Sequence[Made]) -> list[tuple[int, Made]]:
    """Which components an error may come from, each with a place among the frames."""
    lacking = error.obj if isinstance(error, AttributeError) else None
    found = [(len(frames), m) for m in made if lacking is not None and m.component is lacking]
    if not found:
        found = [(n, m) for m in made for n, frame in enumerate(frames) if _is_method(frame, m)]
    if not found:
        # A function of its package, or the component is being made.
        found = [(n, m) for m in made for n, frame in enumerate(frames) if _is_near(frame, m)]
        found = [(n, m) for n, m in found if m.component is None] or found
    return found


def _is_method(frame: FrameType, made: Made) -> bool:
    return made.component is not None and frame.f_locals.get("self") is made.component


def _is_near(frame: FrameType, made: Made) -> bool:
    package = str(frame.f_globals.get("__name__")).partition(".")[0]
    return package != "limecep" and made.spec.factory.partition(":")[0].partition(".")[0] == package


def _plugin(spec: ComponentSpec) -> Plugin | None:
    """The installed plugin that brings a component."""
    wanted = (spec.kind, spec.name)
    return next((p for p in Host.load().plugins if any((s.kind, s.name) == wanted for s in p.specs)), None)
