"""What makes up the head of an event beside its time: type, id, order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.contracts.codec import Record, Spelled
from limecep.intake.fields import Unusable, getter, missing
from limecep.intake.identity import joined
from limecep.intake.payload import converter
from limecep.intake.times import Inexact

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.config.model import SourceConfig
    from limecep.contracts.source import Message


def type_reader(config: SourceConfig) -> Callable[[Record, Message], str]:
    """Reads the event type. What it gives raises `Unusable` where there is none."""
    if config.type_field is None:
        fixed = config.event_type or config.name
        return lambda record, message: fixed
    path, mapped = config.type_field, config.type_map
    get = getter(path, config.levels)

    def type_of(record: Record, message: Message) -> str:
        value = get(record, message)
        if type(value) is not str:
            raise Unusable(
                missing("type", path) if value is None else f"type '{path}' is {_kind(value)}, not text"
            )
        return mapped.get(value, value) if mapped else value

    return type_of


def id_reader(paths: tuple[str, ...], levels: str) -> Callable[[Record, Message], str] | None:
    """Reads the id, of one field or several; None where events have none of their own.

    Args:
        paths: The fields.
        levels: What parts the levels of a topic.

    What it gives raises `Unusable` where a field is missing or no id, and `Inexact` where it is a float,
    whose spelling is to be known.
    """
    if not paths:
        return None
    if len(paths) > 1:
        parts = [_part_reader(path, levels) for path in paths]
        return lambda record, message: joined([part(record, message) for part in parts])
    return _part_reader(paths[0], levels)


def _part_reader(path: str, levels: str) -> Callable[[Record, Message], str]:
    get = getter(path, levels)

    def part_of(record: Record, message: Message) -> str:
        value = get(record, message)
        if type(value) is str and value:
            return value
        if type(value) is float:
            raise Inexact
        if type(value) in (int, Spelled):
            return str(value)
        if value is None or value == "":
            raise Unusable(missing("id", path))
        raise Unusable(f"id '{path}' is {_kind(value)}, not text or a number")

    return part_of


def order_reader(
    path: str | None, levels: str, reads: Callable[[str], Any] | None
) -> Callable[[Record, Message], int] | None:
    """Reads the number that orders events of one time; None where there is no such field.

    Args:
        path: The field.
        levels: What parts the levels of a topic.
        reads: Reads numbers written in another way, as the codec knows it.

    What it gives raises `Unusable` where it is no integer of 64 bits.
    """
    if path is None:
        return None
    get, convert = getter(path, levels), converter("int", reads)

    def order_of(record: Record, message: Message) -> int:
        value = get(record, message)
        if value is None:
            raise Unusable(missing("order", path))
        if type(value) is str and len(value) < 20 and value.isdecimal() and value.isascii():
            seq = int(value)
        else:
            seq = value if type(value) is int else convert(value)
        if type(seq) is not int:
            raise Unusable(f"order '{path}' is {_kind(value)}, not an integer")
        if not -(2**63) <= seq < 2**63:
            raise Unusable(f"order '{path}' does not fit 64 bits")
        return seq

    return order_of


def _kind(value: Any) -> str:
    """What a value is, in JSON's words."""
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, (int, float, Spelled)):
        return "a number"
    names: dict[type, str] = {str: "text", list: "a list", dict: "an object"}
    return names.get(type(value), f"a {type(value).__name__}")


def as_spelled(value: Any) -> Any:
    """The value with floats as Python spells them, for codecs that do not tell how they were spelled."""
    if type(value) is float:
        return Spelled(repr(value))
    if type(value) is dict:
        return {name: as_spelled(inner) for name, inner in value.items()}
    return value
