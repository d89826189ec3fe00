"""Messages of Protocol Buffers as records: its JSON mapping, but for names, 64-bit integers and numbers that
are not finite."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message_factory import GetMessageClass

from limecep_schemas.values import encoded, finite

if TYPE_CHECKING:
    from collections.abc import Callable

    from google.protobuf.descriptor import EnumDescriptor
    from google.protobuf.descriptor_pool import DescriptorPool
    from google.protobuf.message import Message

    from limecep.contracts.codec import Record

    #: Makes a value of JSON; None where it is one.
    Made = Callable[[Any], Any] | None

_OF_GOOGLE = "google.protobuf."
_WRAPPERS = {
    f"{_OF_GOOGLE}{kind}Value"
    for kind in ("Double", "Float", "Int64", "UInt64", "Int32", "UInt32", "Bool", "String", "Bytes")
}
#: Written as text of their own.
_AS_TEXT = {f"{_OF_GOOGLE}{kind}" for kind in ("Timestamp", "Duration", "FieldMask")}
#: How many digits tell any number of 32 bits from others: the fewer ones most of them.
_DIGITS = range(6, 10)
_SINGLE = struct.Struct("<f")


class Conversion:
    """Makes records of messages.

    Args:
        pool: The definitions, for messages inside of `Any`.
    """

    def __init__(self, pool: DescriptorPool) -> None:
        self._pool = pool
        self._fields: dict[str, list[tuple[str, bool, Made]]] = {}

    def record(self, message: Message) -> Record:
        """The record of a message: a field that can be absent, and is, is not in it; every other one is.

        Raises:
            ValueError: A time, a duration or a text in it cannot be.
            RecursionError: It is nested too deeply.
        """
        descriptor = message.DESCRIPTOR
        fields = self._fields.get(descriptor.full_name)
        if fields is None:
            fields = self._fields[descriptor.full_name] = [_field(self, f) for f in descriptor.fields]
        record = {}
        for name, may_be_absent, made in fields:
            if not may_be_absent or message.HasField(name):
                value = getattr(message, name)
                record[name] = value if made is None else made(value)
        if descriptor.is_extendable:
            for field, value in message.ListFields():
                if field.is_extension:
                    made = _made(self, field)
                    record[f"[{field.full_name}]"] = value if made is None else made(value)
        return record

    def value(self, message: Message) -> Any:
        """The value of a message inside of another. Those that come with Protocol Buffers have forms of their
        own.

        Raises: As `record`.
        """
        name = message.DESCRIPTOR.full_name
        special = _SPECIAL.get(name) if name.startswith(_OF_GOOGLE) else None
        return self.record(message) if special is None else special(self, message)

    def packed(self, message: Any) -> Record:
        """A message of any type, which it says."""
        said = {"@type": message.type_url}
        try:
            kind = self._pool.FindMessageTypeByName(message.type_url.rpartition("/")[2])
        except KeyError:
            return {**said, "value": encoded(message.value)}
        held = GetMessageClass(kind).FromString(message.value)
        value = self.value(held)
        return {**said, **(value if isinstance(value, dict) else {"value": value})}


def _field(conversion: Conversion, field: FieldDescriptor) -> tuple[str, bool, Made]:
    return field.name, field.has_presence, _made(conversion, field)


def _made(conversion: Conversion, field: FieldDescriptor) -> Made:
    message = field.message_type
    if message is not None and message.GetOptions().map_entry:
        key, value = (message.fields_by_name[name] for name in ("key", "value"))
        of_key = _bool_key if key.type == FieldDescriptor.TYPE_BOOL else str
        each = _one(conversion, value)
        if each is None:
            return lambda entries: {of_key(k): entries[k] for k in entries}
        return lambda entries: {of_key(k): each(entries[k]) for k in entries}
    one = _one(conversion, field)
    if field.is_repeated:
        return list if one is None else lambda items: [one(item) for item in items]
    return one


def _one(conversion: Conversion, field: FieldDescriptor) -> Made:
    """What makes a single value of a field."""
    if field.message_type is not None:
        return conversion.value
    if field.enum_type is not None:
        return _enum(field.enum_type)
    if field.type == FieldDescriptor.TYPE_BYTES:
        return encoded
    if field.type == FieldDescriptor.TYPE_DOUBLE:
        return finite
    return single if field.type == FieldDescriptor.TYPE_FLOAT else None


def _enum(enum: EnumDescriptor) -> Made:
    if enum.full_name == f"{_OF_GOOGLE}NullValue":
        return lambda number: None
    # Of several names of one number the first is its own. A newer definition may have numbers without name.
    names: dict[int, str] = {}
    for value in enum.values:
        names.setdefault(value.number, value.name)
    return lambda number: names.get(number, number)


def single(value: float) -> float | None:
    """A number of 32 bits by no more digits than tell it from others: 0.1, not 0.10000000149011612."""
    if finite(value) is None:
        return None
    shorter = (float(f"{value:.{digits}g}") for digits in _DIGITS)
    return next((short for short in shorter if _rounded(short) == value), value)


def _rounded(value: float) -> float | None:
    try:
        return float(_SINGLE.unpack(_SINGLE.pack(value))[0])
    except OverflowError:
        return None


def _bool_key(key: bool) -> str:
    return "true" if key else "false"


def _text(conversion: Conversion, message: Any) -> str:
    text: str = message.ToJsonString()
    return text


def _wrapped(conversion: Conversion, message: Any) -> Any:
    made = _one(conversion, message.DESCRIPTOR.fields_by_name["value"])
    return message.value if made is None else made(message.value)


def _object(conversion: Conversion, message: Any) -> Any:
    return {name: _json(conversion, message.fields[name]) for name in message.fields}


def _array(conversion: Conversion, message: Any) -> Any:
    return [_json(conversion, value) for value in message.values]


def _json(conversion: Conversion, message: Any) -> Any:
    which = message.WhichOneof("kind")
    if which is None or which == "null_value":
        return None
    value = getattr(message, which)
    if which == "number_value":
        return int(value) if value.is_integer() else finite(value)
    return conversion.value(value) if which in ("struct_value", "list_value") else value


_SPECIAL: dict[str, Callable[[Conversion, Any], Any]] = {
    **dict.fromkeys(_WRAPPERS, _wrapped),
    **dict.fromkeys(_AS_TEXT, _text),
    f"{_OF_GOOGLE}Struct": _object,
    f"{_OF_GOOGLE}ListValue": _array,
    f"{_OF_GOOGLE}Value": _json,
    f"{_OF_GOOGLE}Any": Conversion.packed,
}
