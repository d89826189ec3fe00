"""Payloads: which fields an event keeps, and as what."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from limecep.intake.fields import OTHERS, Getter, drop, exact, getter, level_name, put, topic_level

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Collection

    from limecep.config.model import SourceConfig
    from limecep.contracts.codec import Record
    from limecep.contracts.source import Message

#: Makes the payload of a record that is done with: it may take it over.
PayloadReader = Callable[["Record", "Message"], dict[str, Any]]
#: A declared field: its path; its name, where that is all there is to it; what reads it; its type.
_Field = tuple[str, str, Getter, Callable[[Any], Any]]

_NUMBER = re.compile(r"-?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_WHOLE = re.compile(r"-?(?:0|[1-9]\d*)", re.ASCII)
#: A number as some programs write it: `+5`, `007`.
_PADDED = re.compile(r"(?:\+|(-))?(?:0+(?=\d))?([\d.,].*)", re.ASCII)
_LONGEST = 40
_BOOLEANS = {
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip


def payload_reader(
    config: SourceConfig,
    reads: Callable[[str], Any] | None,
    unconverted: Counter[str],
    texts: Collection[str] = (),
) -> PayloadReader:
    """Return a function that makes payloads. `reads` gives what text reads as, in an untyped format; fields
    among `texts` stay text there unless they are declared.

    Without a declaration all fields stay. Declared fields are those alone, or where `*` is among them those
    and all others, each turned into its type; what does not convert is missing, and counted by field in
    `unconverted`. Text of an untyped format becomes what it reads as.

    The `key` always stays, so that patterns can partition by it. Where it is a level of the channel it
    becomes the attribute `key`, or what it is named, unless the record has a field of that name.
    """
    types = dict(config.payload) if config.payload is not None else {OTHERS: "any"}
    others = types.pop(OTHERS, None)
    if config.key is not None and topic_level(config.key) is None and others != "any":
        types.setdefault(config.key, "any")
    fields: list[_Field] = []
    for path, type_ in types.items():
        names = exact(path) or ()
        name = names[0] if len(names) == 1 else ""
        as_is = type_ == "any" and path in texts
        fields.append((path, name, getter(path, config.levels), converter(type_, None if as_is else reads)))
    if others is None:
        read = _declared(fields, unconverted)
    else:
        read = _others(others, reads, frozenset(types), unconverted, texts)
        read = _beside(fields, read, unconverted) if fields else read
    if config.key is not None and topic_level(config.key) is not None:
        return _with_key(read, getter(config.key, config.levels), level_name(config.key) or "key")
    return read


def converter(type_: str, reads: Callable[[str], Any] | None) -> Callable[[Any], Any]:
    """Return a function that turns values into a declared type, and gives None for what does not convert.
    `reads` is as for `payload_reader`."""
    if type_ == "any":
        return reads or (lambda value: value)
    convert = CONVERTERS[type_]
    if reads in (None, plain) or type_ == "str":
        return convert

    def convert_read(text: str) -> Any:
        value = _meant(text.strip(), reads)
        return None if isinstance(value, str) else convert(value)

    return convert_read


def _others(
    type_: str,
    reads: Callable[[str], Any] | None,
    declared: frozenset[str],
    unconverted: Counter[str],
    texts: Collection[str],
) -> PayloadReader:
    """All fields, turned into one type but for those that are declared."""
    if type_ == "any":
        if reads is None:
            return lambda record, message: record
        if reads is plain and not texts:
            return _read_cells
        return lambda record, message: {
            name: text if name in texts else reads(text) for name, text in record.items()
        }
    convert = converter(type_, reads)

    def read(record: Record, message: Message) -> dict[str, Any]:
        payload: dict[str, Any] = {}
        for name, value in record.items():
            if value is None or name in declared:
                payload[name] = value
            elif (converted := convert(value)) is not None:
                payload[name] = converted
            else:
                unconverted[name] += 1
        return payload

    return read


def _read_cells(record: Record, message: Message) -> dict[str, Any]:
    """All cells as what they read as. Most are text, or whole numbers, which `plain` need not see."""
    for name, text in record.items():
        # Digits, the point and the minus sign come before the colon.
        if text < ":":
            if text.isdecimal() and text[0] != "0" and text.isascii() and len(text) <= _LONGEST:
                record[name] = int(text)
            else:
                record[name] = plain(text)
        elif text[0] in "tTfF":
            record[name] = plain(text)
    return record


def _with_key(read: PayloadReader, key: Getter, name: str) -> PayloadReader:
    def read_with_key(record: Record, message: Message) -> dict[str, Any]:
        payload = read(record, message)
        payload.setdefault(name, key(record, message))
        return payload

    return read_with_key


def _declared(fields: list[_Field], unconverted: Counter[str]) -> PayloadReader:
    """Declared fields alone. What stood inside an object stays inside one, so that `a.meta.temp` names it
    with or without declaration."""

    def read(record: Record, message: Message) -> dict[str, Any]:
        payload: dict[str, Any] = {}
        for path, name, get, convert in fields:
            value = get(record, message)
            if value is None:
                continue
            converted = convert(value)
            if converted is None:
                unconverted[path] += 1
            elif name or path in record:
                payload[name or path] = converted
            else:
                put(payload, path, converted)
        return payload

    return read


def _beside(fields: list[_Field], others: PayloadReader, unconverted: Counter[str]) -> PayloadReader:
    """Declared fields and all others, which take the record over."""

    def read(record: Record, message: Message) -> dict[str, Any]:
        found = [
            (path, name, convert(value))
            for path, name, get, convert in fields
            if (value := get(record, message)) is not None
        ]
        payload = others(record, message)
        for path, name, converted in found:
            if converted is None:
                unconverted[path] += 1
                drop(payload, path)
            elif name or path in payload:
                payload[name or path] = converted
            else:
                put(payload, path, converted)
        return payload

    return read


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


def _meant(text: str, reads: Callable[[str], Any]) -> Any:
    """What text reads as where a number is meant: it may have a plus sign, and zeros before it."""
    value = reads(text)
    if type(value) is str and (padded := _PADDED.fullmatch(text)) is not None:
        value = reads((padded[1] or "") + padded[2])
    return value


def _number(value: Any) -> int | float | None:
    if isinstance(value, str):
        value = _meant(value.strip(), plain)
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


#: The types a declared payload may name; each gives None for what does not convert.
CONVERTERS: dict[str, Callable[[Any], Any]] = {
    "float": _to_float,
    "int": _to_int,
    "str": _to_str,
    "bool": _to_bool,
}
