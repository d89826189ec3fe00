"""Blame: which component raised what nobody expected."""

from __future__ import annotations

import importlib.metadata
import select
import sys
import traceback
from typing import TYPE_CHECKING, Any, NamedTuple

from limecep.errors import ComponentFailure, ContractBreach, LimecepError
from limecep.host import GROUP, Host
from limecep.registry import FILES, title
from limecep.whereabouts import frames_in, trace_from

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

    from limecep.host import Plugin
    from limecep.spec import ComponentSpec


#: How much of what an error says is told, in characters.
LONGEST_TEXT = 2_000


#: What stands in for components of others: there, a component is a local, or the `guarded` of `self`.
_STAND_INS = frozenset(
    {
        "limecep.contracts.stand_in",
        "limecep.intake.checked",
        "limecep.runtime.checked",
        "limecep.runtime.checked_policies",
        "limecep.runtime.checked_sources",
        "limecep.state.stores",
    }
)


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


def blamed(error: BaseException, made: Sequence[Made]) -> BaseException:
    """The same error in words that name the component it comes from; as it is where it was raised to be told
    to the user, and where it comes from none of these.

    Args:
        error: The error, with its traceback.
        made: The components.
    """
    if isinstance(error, LimecepError):
        return error
    shown: BaseException = error
    frames = frames_in(error)
    source = error.obj if isinstance(error, AttributeError) else None
    if isinstance(error, ContractBreach):
        source = error.component
        while hasattr(source, "guarded"):
            # A guard, or a stand-in, or one before the other.
            source = source.guarded
    places = [(len(frames), m) for m in made if source is not None and m.component is source]
    places = places or _places(frames, made)
    if not places and error.__cause__ is not None:
        # What ends a generator that should not, Python raises anew outside of it.
        shown = error.__cause__
        places = _places(frames_in(shown), made)
    if not places:
        return error
    begin, who, plugin = _innermost(places)
    if plugin is not None and plugin.distribution == "limecep" and isinstance(error, OSError):
        # What the machine refuses is told in its own words.
        return error
    if isinstance(error, BrokenPipeError) and _unread():
        return error
    if isinstance(error, ContractBreach):
        return ComponentFailure(f"{who} {done(error)}", _found(error, places[0][1]))
    notes = [] if isinstance(error, SyntaxError) else _said(error)[1:]
    return ComponentFailure(f"{who} {done(error)}", trace_from(shown, begin) + "".join(map(_cut, notes)))


def _found(breach: ContractBreach, made: Made) -> str:
    """The traceback of what the kernel found while no method of the component was running: of what other code
    of its raised, if it raised anything."""
    if (cause := breach.__cause__) is None:
        return ""
    own = [n for n, frame in enumerate(frames_in(cause)) if _is_of_package(frame, made)]
    return trace_from(cause, own[0]) if own else ""


def done(error: BaseException) -> str:
    """What a component has done that raised an error, in words that follow its name."""
    if isinstance(error, ContractBreach):
        return _cut(str(error))
    return f"raised {_cut(_said(error)[-1 if isinstance(error, SyntaxError) else 0].strip())}"


def _said(error: BaseException) -> list[str]:
    # It may not be able to say what it is, and a note comes after that.
    return traceback.format_exception_only(error)


def _cut(text: str) -> str:
    """A text of a size that people read."""
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}... ({len(text):,} characters)"


def _unread() -> bool:
    """Whether nobody reads standard output any more."""
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    poll.register(1, 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))


def running(frames: Sequence[FrameType], made: Sequence[Made]) -> str:
    """Which component runs, in words; "" if none of these does.

    Args:
        frames: What runs, the outermost first.
        made: The components.
    """
    places = _places(frames, made)
    return _innermost(places)[1] if places else ""


#: Where components run: places among frames.
_Places = list[tuple[int, Made]]


def _places(frames: Sequence[FrameType], made: Sequence[Made]) -> _Places:
    """Where components run: methods of their own, and what a stand-in asks; else functions of their class, or
    of that of their options; else what is of their package, or of that which is being made."""
    # A generator that is no method does not say whose it is.
    asked = [(n + 1, m) for m in made for n, frame in enumerate(frames) if _asks(frame, m)]
    for runs, more in ((_is_method, asked), (_is_of_class, [])):
        if found := more + [(n, m) for m in made for n, frame in enumerate(frames) if runs(frame, m)]:
            return found
    found = [(n, m) for m in made for n, frame in enumerate(frames) if _is_of_package(frame, m)]
    return [(n, m) for n, m in found if m.component is None] or found


def _is_method(frame: FrameType, made: Made) -> bool:
    if made.spec.kind == "function":
        return getattr(made.component, "__code__", None) is frame.f_code
    return made.component is not None and frame.f_locals.get("self") is made.component


def _asks(frame: FrameType, made: Made) -> bool:
    """Whether a stand-in for a component asks it for something, or looks at what it gave."""
    if made.component is None or frame.f_globals.get("__name__") not in _STAND_INS:
        return False
    its = frame.f_locals
    asked = (*its.values(), getattr(its.get("self"), "guarded", None))
    return any(value is made.component for value in asked)


def _is_of_class(frame: FrameType, made: Made) -> bool:
    spec, module = made.spec, frame.f_globals.get("__name__")
    # Options say things, too, before there is a component.
    options = [(kind.__module__, kind.__qualname__) for kind in (spec.options, spec.settings)]
    names = [name for of, name in (spec.made_by, *options) if of == module]
    return any(frame.f_code.co_qualname.startswith(f"{name}.") for name in names)


def _is_of_package(frame: FrameType, made: Made) -> bool:
    package = str(frame.f_globals.get("__name__")).partition(".")[0]
    return package != "limecep" and made.spec.made_by[0].partition(".")[0] == package


def _innermost(places: _Places) -> tuple[int, str, Plugin | None]:
    """Where the component that runs begins, what it is in words, and its plugin."""
    # A component may call another.
    last = max(place for place, _ in places)
    blame = [m for place, m in places if place == last]
    plugin = None if (local := _file(blame[0].spec)) else _plugin(blame[0].spec)
    label = blame[0].label if len({m.label for m in blame}) == 1 else ""
    names = {f"{title(m.spec.kind)} '{m.spec.name}'" for m in blame}
    who = names.pop() if len(names) == 1 else "a component"
    return min(place for place, m in places if m in blame), _named(label, who, local or plugin), plugin


def owner(made: Made) -> str:
    """A component in words: its place, what it is, and the plugin, or the file, that brings it."""
    who = f"{title(made.spec.kind)} '{made.spec.name}'"
    return _named(made.label, who, _file(made.spec) or _plugin(made.spec))


def _named(label: str, who: str, of: str | Plugin | None) -> str:
    return f"{label}: {who}".removeprefix(": ") + (f" of {of}" if of else "")


def _file(spec: ComponentSpec) -> str:
    """The file of a pipeline that brings a component; "" where it is another plugin's."""
    module = spec.made_by[0]
    return str(sys.modules[module].__file__) if module.startswith(FILES) else ""


def _plugin(spec: ComponentSpec) -> Plugin | None:
    """The installed plugin that brings a component."""
    package = spec.made_by[0].partition(".")[0]
    entries = importlib.metadata.entry_points(group=GROUP)
    # Most bring what is in their own package, and a run that has to end does not wait for all to be imported.
    for some in ([e for e in entries if e.value.startswith(package)], entries):
        for plugin in Host.load(some).plugins:
            if any((s.kind, s.name) == (spec.kind, spec.name) for s in plugin.specs):
                return plugin
    return None
