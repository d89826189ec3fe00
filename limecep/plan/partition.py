"""The key of an event under PARTITION BY."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from limecep.plan.source import reading
from limecep.plan.values import dig

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.model.event import Event


@cache
def compile_partition(paths: tuple[tuple[str, ...], ...]) -> Callable[[Event], Any]:
    """A function that gives the key of an event: hashable, equal iff the attributes at all `paths` are equal
    as `=` compares them; None if one is missing, or of a kind that nothing equals (a list, an object, NaN).
    Without paths it is one and the same for all events. Made once, as a plan may have one detection for each
    key."""
    names = [f"k{n}" for n in range(len(paths))]
    lines = ["def key(event, /):"]
    for name, path in zip(names, paths, strict=True):
        lines += [
            f"    {name} = {reading('event', path)}",
            f"    if type({name}) is not str:",
            f"        {name} = part({name})",
            f"        if {name} is None:",
            "            return None",
        ]
    lines.append(f"    return {', '.join(names) or '()'}")
    return _defined(lines)


def named_key(event: Event, paths: tuple[tuple[str, ...], ...]) -> dict[str, object] | None:
    """The key of an event as records carry it, by attribute; None without paths."""
    return {".".join(path): dig(event.payload, path) for path in paths} if paths else None


def _part(value: Any) -> Any:
    """What stands for a value in a key; None for what equals nothing."""
    kind = type(value)
    if kind is bool:
        return (value,)  # to Python, True is 1
    return value if kind is int or kind is str or (kind is float and value == value) else None


def _defined(lines: list[str]) -> Callable[[Event], Any]:
    names: dict[str, Any] = {"dig": dig, "part": _part}
    exec(compile("\n".join(lines), "<partition>", "exec"), names)
    made: Callable[[Event], Any] = names["key"]
    return made
