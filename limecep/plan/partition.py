"""The key of an event under PARTITION BY."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from limecep.model.keys import canonical
from limecep.plan.values import TIME, dig, reading

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.model.event import Event

Paths = tuple[tuple[str, ...], ...]


@cache
def compile_partition(paths: Paths) -> Callable[[Event], Any]:
    """A function that gives the key of an event: hashable, the same iff the attributes at all `paths` are
    equal as `=` compares them, and in one spelling (1 for 1.0); None if one is missing, or of a kind that
    nothing equals (a list, an object, NaN). Without paths it is one and the same for all events. Made once,
    as a plan may have one detection for each key."""
    names = [f"k{n}" for n in range(len(paths))]
    lines = ["def key(event, /):"]
    for name, path in zip(names, paths, strict=True):
        lines += [
            f"    {name} = {_reading(path)}",
            f"    if type({name}) is not str:",
            f"        {name} = part({name})",
            f"        if {name} is None:",
            "            return None",
        ]
    lines.append(f"    return {', '.join(names) or '()'}")
    return _defined(lines)


def shown_key(paths: Paths, event: Event) -> dict[str, object] | None:
    """The key of an event as records show it, the names of the attributes with their values; None without
    PARTITION BY."""
    if not paths:
        return None
    key = compile_partition(paths)(event)
    parts = (key,) * len(paths) if key is None or len(paths) == 1 else key
    shown = (part[0] if type(part) is tuple else part for part in parts)
    return dict(zip(map(".".join, paths), shown, strict=True))


def _reading(path: tuple[str, ...]) -> str:
    """Source of an attribute. The time of an event is no key: a field of that name is meant."""
    return "event.payload.get('time')" if path == TIME else reading("event", path)


def _part(value: Any) -> Any:
    """What stands for a value in a key; None for what equals nothing."""
    if type(value) is bool:
        return (value,)  # to Python, True is 1
    return canonical(value)


def _defined(lines: list[str]) -> Callable[[Event], Any]:
    names: dict[str, Any] = {"dig": dig, "part": _part}
    exec(compile("\n".join(lines), "<partition>", "exec"), names)
    made: Callable[[Event], Any] = names["key"]
    return made
