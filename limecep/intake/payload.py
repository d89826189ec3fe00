"""Payloads: which fields an event keeps, and as what."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from limecep.intake.fields import Getter, getter, topic_level, without

if TYPE_CHECKING:
    from collections import Counter

    from limecep.config.model import SourceConfig
    from limecep.contracts.codec import Record
    from limecep.contracts.source import Message

#: Makes the payload of a record that is done with: it may take it over.
PayloadReader = Callable[["Record", "Message"], dict[str, Any]]

_NUMBER = re.compile(r"-?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_WHOLE = re.compile(r"-?(?:0|[1-9]\d*)", re.ASCII)
_LONGEST = 40
_BOOLEANS = {
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip


def payload_reader(
    config: SourceConfig, reads: Callable[[str], Any] | None, unconverted: Counter[str]
) -> PayloadReader:
    """A function that makes payloads. `reads` gives what text reads as, in an untyped format.

    Declared fields are those alone, each turned into its type; what does not convert is missing, and counted
    by field in `unconverted`. Without a declaration all fields stay but those used for type, time, arrival,
    id and order. Text of an untyped format becomes what it reads as.

    The `key` always stays, so that patterns can partition by it. Where it is a level of the channel it
    becomes the attribute `key`, unless the record has a field of that name.
    """
    if config.payload is not None:
        types = dict(config.payload)
        if config.key is not None and topic_level(config.key) is None:
            types.setdefault(config.key, "any")
        fields = [
            (name, getter(name, config.levels), _converter(type_, reads)) for name, type_ in types.items()
        ]
        read = _declared(fields, unconverted)
    else:
        read = _all_but(_used(config), reads)
    if config.key is not None and topic_level(config.key) is not None:
        return _with_key(read, getter(config.key, config.levels))
    return read


def _converter(type_: str, reads: Callable[[str], Any] | None) -> Callable[[Any], Any]:
    if type_ == "any":
        return reads or (lambda value: value)
    convert = CONVERTERS[type_]
    if reads in (None, plain) or type_ == "str":
        return convert

    def convert_read(text: str) -> Any:
        value = reads(text.strip())
        return None if isinstance(value, str) else convert(value)

    return convert_read


def _used(config: SourceConfig) -> tuple[str, ...]:
    times = [time.field for time in (config.time, config.arrival) if time is not None]
    named = [path for path in (config.type_field, config.order) if path is not None]
    return tuple(sorted({*times, *named, *config.id} - {config.key}))


def _all_but(used: tuple[str, ...], reads: Callable[[str], Any] | None) -> PayloadReader:
    nested = any("." in path for path in used)

    def take(record: Record, message: Message) -> dict[str, Any]:
        if nested:
            return without(record, used)
        for name in used:
            record.pop(name, None)
        return record

    if reads is None:
        return take
    return lambda record, message: {name: reads(text) for name, text in take(record, message).items()}


def _with_key(read: PayloadReader, key: Getter) -> PayloadReader:
    def read_with_key(record: Record, message: Message) -> dict[str, Any]:
        payload = read(record, message)
        payload.setdefault("key", key(record, message))
        return payload

    return read_with_key


def _declared(
    fields: list[tuple[str, Getter, Callable[[Any], Any]]], unconverted: Counter[str]
) -> PayloadReader:
    def read(record: Record, message: Message) -> dict[str, Any]:
        payload: dict[str, Any] = {}
        for name, get, convert in fields:
            value = get(record, message)
            if value is None:
                continue
            converted = convert(value)
            if converted is None:
                unconverted[name] += 1
            elif "." in name and name not in record:
                _put(payload, name, converted)
            else:
                payload[name] = converted
        return payload

    return read


def _put(payload: dict[str, Any], path: str, value: Any) -> None:
    """What stood inside an object stays inside one, so that `a.meta.temp` names it with or without
    declaration."""
    *objects, last = path.split(".")
    inside = payload
    for name in objects:
        inside = inside.setdefault(name, {})
        if not isinstance(inside, dict):
            payload[path] = value
            return
    inside[last] = value


def plain(text: str) -> int | float | bool | str:
    """What a cell reads as: numbers as JSON spells them (`.5` and `5.` too) and true or false become such.

    `007`, `1_000`, `+5`, `nan`, `1e999`, and numbers of more than 40 characters stay text.
    """
    first = text[0] if text else ""
    if first in "0123456789-.":
        if len(text) > _LONGEST:
            return text
        if text.isdecimal() and text.isascii():
            return int(text) if first != "0" or text == "0" else text
        if not _NUMBER.fullmatch(text):
            return text
        if _WHOLE.fullmatch(text):
            return int(text)
        number = float(text)
        return number if math.isfinite(number) else text
    return _BOOLEANS.get(text, text) if first in "tTfF" else text


def _to_float(value: Any) -> float | None:
    number = _number(value)
    if number is None:
        return None
    try:
        converted = float(number)
    except OverflowError:
        return None
    return converted if math.isfinite(converted) else None


def _to_int(value: Any) -> int | None:
    number = _number(value)
    if isinstance(number, float):
        return int(number) if number.is_integer() else None
    return number


def _to_bool(value: Any) -> bool | None:
    if isinstance(value, str):
        value = plain(value.strip())
    return bool(value) if isinstance(value, (bool, int, float)) and value in (0, 1) else None


def _to_str(value: Any) -> str | None:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, (int, float)) else None


def _number(value: Any) -> int | float | None:
    if isinstance(value, str):
        value = plain(value.strip())
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


#: The types a declared payload may name; each gives None for what does not convert.
CONVERTERS: dict[str, Callable[[Any], Any]] = {
    "float": _to_float,
    "int": _to_int,
    "str": _to_str,
    "bool": _to_bool,
}
