"""Where a value stands: a field, a path into nested objects, or a level of the channel."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from limecep.config.model import SourceConfig
    from limecep.contracts.codec import Record
    from limecep.contracts.source import Message

#: Gives the value, None where there is none: a JSON null is missing.
Getter = Callable[["Record", "Message"], Any]

_TOPIC = re.compile(r"\$topic\[(\d+)\]", re.ASCII)


def topic_level(path: str) -> int | None:
    """n for `$topic[n]`, a level of the channel, the first being 0; None for anything else."""
    found = _TOPIC.fullmatch(path)
    return int(found[1]) if found else None


def path_problem(path: str) -> str:
    """What is wrong with a path, in words for the user; "" if nothing is."""
    if not path:
        return "a field's name is empty"
    if path.startswith("$") and topic_level(path) is None:
        return f"'{path}' is not a level of the channel: write $topic[0], $topic[1], ..."
    return ""


def getter(path: str, levels: str) -> Getter:
    """Reads `path`: `$topic[n]`, the field of that very name, or for `a.b` the field b of the object a.
    `levels` is what separates the levels of a channel."""
    level = topic_level(path)
    if level is not None:
        return _level_getter(level, levels)
    if "." in path:
        return _nested_getter(path)
    return lambda record, message: record.get(path)


def _level_getter(level: int, separator: str) -> Getter:
    def get(record: Record, message: Message) -> str | None:
        levels = message.channel.split(separator)
        return levels[level] if level < len(levels) else None

    return get


def _nested_getter(path: str) -> Getter:
    parts = path.split(".")

    def get(record: Record, message: Message) -> Any:
        if path in record:
            return record[path]
        value: Any = record
        for part in parts:
            if not isinstance(value, dict):
                return None
            value = value.get(part)
        return value

    return get


def without(record: Record, paths: tuple[str, ...]) -> Record:
    """Takes fields out of the record, and gives it back. Objects that are left empty stay."""
    for path in paths:
        if "." in path and path not in record:
            *objects, last = path.split(".")
            inside: Any = record
            for name in objects:
                inside = inside.get(name) if isinstance(inside, dict) else None
            if isinstance(inside, dict):
                inside.pop(last, None)
        else:
            record.pop(path, None)
    return record


def named(config: SourceConfig) -> Iterator[tuple[str, str]]:
    """The fields that a source names, each with the key that names it."""
    if config.type_field is not None:
        yield "as", config.type_field
    for key, time in (("time", config.time), ("arrival", config.arrival)):
        if time is not None:
            yield key, time.field
    yield from (("id", path) for path in config.id)
    for key, path in (("order", config.order), ("key", config.key)):
        if path is not None:
            yield key, path
    yield from (("payload", path) for path in config.payload or ())


def absent(config: SourceConfig, fields: Collection[str]) -> str:
    """What is wrong, in words for the user, where all records of a source have these fields, and it names
    others; "" if it does not."""
    for key, path in named(config):
        if topic_level(path) is None and path not in fields and path.partition(".")[0] not in fields:
            return f"there is no '{path}', which '{key}' names; there are: {', '.join(fields)}"
    return ""
