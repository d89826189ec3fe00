"""Where a value stands: a field, a path into nested objects, or a level of the channel."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from limecep.model.words import unquoted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from limecep.config.model import SourceConfig
    from limecep.contracts.codec import Record
    from limecep.contracts.source import Message

#: Gives the value, None where there is none: a JSON null is missing.
Getter = Callable[["Record", "Message"], Any]

#: Stands for all fields that `payload` does not name.
OTHERS = "*"
#: The transport's key of a message, as text.
KEY = "$key"

_TOPIC = re.compile(r"\$topic\[([0-9]+)\](?: as [^\W\d]\w*)?")
_NAME = r"(?:`(?:[^`]|``)+`|[^.`]+)"
_QUOTED = re.compile(rf"{_NAME}(?:\.{_NAME})*")
_NAMES = re.compile(_NAME)


class Unusable(Exception):
    """A record that gives no event, and why, in words for the user."""


def missing(what: str, path: str) -> str:
    """That a record lacks a field, in words for the user."""
    return f"no {what}: '{path}' is missing"


def topic_level(path: str) -> int | None:
    """n for `$topic[n]`, a level of the channel, the first being 0, which may have a name; None for anything
    else."""
    found = _TOPIC.fullmatch(path)
    return int(found[1]) if found else None


def level_name(path: str) -> str:
    """The name of a level of the channel: `room` for `$topic[n] as room`; "" for anything else."""
    return path.partition(" as ")[2] if topic_level(path) is not None else ""


def path_problem(path: str, names: bool = True) -> str:
    """What is wrong with a path, in words for the user; "" if nothing is. `names`: whether a level may have
    a name there."""
    if not path:
        return "a field's name is empty"
    if (
        path.startswith("$")
        and path != KEY
        and (topic_level(path) is None or (not names and level_name(path)))
    ):
        ways = "write $topic[1], as 'key' also $topic[1] as room, or $key for that of the message"
        return f"'{path}' is not a level of the channel: {ways}"
    if "`" in path and not _QUOTED.fullmatch(path):
        return f"'{path}' has a backquote too few: write `id.orig_h` for a field of that very name"
    return ""


def exact(path: str) -> tuple[str, ...] | None:
    """The names of a path whose dots are told: one in backquotes, `` `id.orig_h` ``, may have dots in it, and
    a path without dots is one name, as that of a level of the channel is. None for `a.b`, a field of that
    name or the field b of the object a."""
    if "`" in path:
        return tuple(unquoted(name) for name in _NAMES.findall(path))
    return None if "." in path else (level_name(path) or path,)


def named(config: SourceConfig) -> Iterator[tuple[str, str]]:
    """The fields that a source names, each with the key that names it."""
    yield from serving(config)
    if config.key is not None:
        yield "key", config.key
    yield from (("payload", path) for path in config.payload or () if path != OTHERS)


def serving(config: SourceConfig) -> Iterator[tuple[str, str]]:
    """Those that tell what an event is, and when, each with the key that names it."""
    if config.type_field is not None:
        yield "as", config.type_field
    for key, time in (("time", config.time), ("arrival", config.arrival)):
        if time is not None:
            yield from ((key, path) for path in time.paths)
    yield from (("id", path) for path in config.id)
    if config.order is not None:
        yield "order", config.order
    if config.revise is not None:
        told = (("version", config.revise.version), ("withdrawn", config.revise.withdrawn))
        yield from ((key, path) for key, path in told if path is not None)


def absent(config: SourceConfig, fields: Collection[str]) -> str:
    """What is wrong, in words for the user, where all records of a source have these fields, and it names
    others; "" if it does not."""
    for key, path in named(config):
        if topic_level(path) is None and path != KEY and not attributes(path) & set(fields):
            return f"there is no '{path}', which '{key}' names; there are: {', '.join(fields)}"
    return ""


def plain_name(path: str) -> str:
    """The name of the field of a record that a path is; "" where it is anything else, or may be."""
    names = exact(path)
    return "" if topic_level(path) is not None or path == KEY or names is None or len(names) > 1 else names[0]


def attributes(path: str) -> set[str]:
    """The attributes that an event with a value at `path` may have: `a.b` says that there is an `a`, or an
    attribute of that very name."""
    names = exact(path)
    return {path.partition(".")[0], path} if names is None else {names[0]}


def getter(path: str, levels: str) -> Getter:
    """Reads `path`: `$topic[n]`, named or not, the field of that very name, or for `a.b` the field b of the
    object a; names in backquotes are those very names. `levels` is what separates the levels of a channel."""
    level = topic_level(path)
    if level is not None:
        return _level_getter(level, levels)
    if path == KEY:
        return lambda record, message: None if message.key is None else message.key.decode(errors="replace")
    names = exact(path)
    if names is None:
        return _nested_getter(path)
    if len(names) > 1:
        return lambda record, message: _dig(record, names)
    name = names[0]
    return lambda record, message: record.get(name)


def _level_getter(level: int, separator: str) -> Getter:
    def get(record: Record, message: Message) -> str | None:
        levels = message.channel.split(separator)
        return levels[level] if level < len(levels) else None

    return get


def _nested_getter(path: str) -> Getter:
    names = path.split(".")

    def get(record: Record, message: Message) -> Any:
        return record[path] if path in record else _dig(record, names)

    return get


def _dig(value: Any, names: Iterable[str]) -> Any:
    for name in names:
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value


def put(fields: dict[str, Any], path: str, value: Any) -> None:
    """Puts a value where `getter` finds it. Objects on the way are replaced by copies, or made; a path that
    leads into something else is the name of a field."""
    names = exact(path)
    if names is None:
        names = (path,) if path in fields else tuple(path.split("."))
    *objects, last = names
    inside = fields
    for name in objects:
        found = inside.get(name, {})
        if not isinstance(found, dict):
            fields[".".join(names)] = value
            return
        inside[name] = inside = found.copy()
    inside[last] = value


def drop(fields: dict[str, Any], path: str) -> None:
    """Takes out what `getter` finds. Objects on the way are replaced by copies; one that is left empty
    stays."""
    names = exact(path)
    if names is None:
        names = (path,) if path in fields else tuple(path.split("."))
    *objects, last = names
    inside = fields
    for name in objects:
        found = inside.get(name)
        if not isinstance(found, dict):
            return
        inside[name] = inside = found.copy()
    inside.pop(last, None)
