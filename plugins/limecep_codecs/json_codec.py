"""JSON: an object a message, or a list of objects, or either somewhere inside."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from limecep.contracts.codec import Decoded, Record, Spelled, Undecodable
from limecep_codecs.text import not_utf8

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.context import Context
    from limecep.contracts.source import Message
    from limecep_codecs.config import JsonOptions

_BOM = b"\xef\xbb\xbf"
#: An escape; `lone` where it is one half of a character whose other half is not there.
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<lone>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)
#: What the decoder raises on what it cannot read.
REFUSED = (msgspec.MsgspecError, ValueError, RecursionError)


class JsonCodec:
    """Reads JSON (`limecep.contracts.codec`). A message with nothing but white space gives no record."""

    untyped: ClassVar[bool] = False
    holding: ClassVar[bool] = False

    def __init__(self, options: JsonOptions, context: Context) -> None:
        self._path = options.path.split(".") if options.path else []
        self._decode = msgspec.json.Decoder().decode
        self._decode_spelled = msgspec.json.Decoder(float_hook=Spelled).decode

    def decode(self, messages: Sequence[Message]) -> list[Decoded]:
        decode, path = self._decode, self._path
        decoded: list[Decoded] = []
        add = decoded.append
        for message in messages:
            if message.error:
                add((message, Undecodable(message.error)))
                continue
            try:
                value = decode(message.value)
            except REFUSED as error:
                self._retry(message, error, decoded)
                continue
            if type(value) is dict and not path:
                add((message, value))
            else:
                decoded += [(message, record) for record in _records(value, path)]
        return decoded

    def finish(self) -> list[Decoded]:
        return []

    def spelled(self, message: Message) -> list[Record]:
        value = self._decode_spelled(message.value.removeprefix(_BOM))
        # Those that are none keep their places.
        return [r if isinstance(r, dict) else {} for r in _records(value, self._path)]

    def _retry(self, message: Message, error: Exception, decoded: list[Decoded]) -> None:
        if message.value.startswith(_BOM):
            try:
                value = self._decode(message.value.removeprefix(_BOM))
                decoded += [(message, record) for record in _records(value, self._path)]
                return
            except REFUSED as again:
                error = again
        if message.value.removeprefix(_BOM).strip():
            decoded.append((message, Undecodable(words(message.value, error))))


def _records(value: Any, path: Sequence[str]) -> list[Record | Undecodable]:
    """The records in a value: the object at a path, or the objects of a list there; of lists on the way, of
    each item."""
    found = _items(value)
    for depth, name in enumerate(path, 1):
        there: list[tuple[Any, str]] = []
        for outer, item in found:
            if type(outer) is dict and name in outer:
                there += _items(outer[name])
            elif type(outer) is Undecodable:
                there.append((outer, item))
            else:
                place = f"there is no '{'.'.join(path[:depth])}'"
                there.append((Undecodable(f"{place} in {item}" if item else place), item))
        found = there
    return [_record(inner, item, path) for inner, item in found]


def _items(value: Any) -> list[tuple[Any, str]]:
    """A value, or the items of a list, each with the words for it."""
    if type(value) is list:
        return [(inner, f"item {n} of the list") for n, inner in enumerate(value, 1)]
    return [(value, "")]


def _record(value: Any, item: str, path: Sequence[str]) -> Record | Undecodable:
    if isinstance(value, (dict, Undecodable)):
        return value
    if item:
        return Undecodable(f"{item} is not a JSON object")
    place = f"what stands at '{'.'.join(path)}' is " if path else ""
    return Undecodable(f"{place}not a JSON object, nor a list of them")


def words(value: bytes, error: Exception) -> str:
    """Why bytes are not JSON, in words for the user."""
    broken = not_utf8(value)
    if broken:
        return broken
    if isinstance(error, RecursionError):
        return "the JSON is nested too deeply"
    text = str(error)
    start = len(_BOM) if value.startswith(_BOM) else 0
    whole = value[start:].decode()
    if "truncated" in text or "surrogate" in text:
        # The decoder may take half a character for the end of the text.
        lone = next((m for m in _ESCAPE.finditer(whole) if m["lone"]), None)
        if lone is not None and lone.end() < len(whole.rstrip()):
            return f"not JSON at column {lone.start() + 1}: {lone[0]} is half a character (a lone surrogate)"
    if "truncated" in text:
        return f"not JSON: it ends too early, at column {len(whole) + 1}"
    what, _, at = text.removeprefix("JSON is malformed: ").rpartition(" (byte ")
    if not what:
        reason = text.partition(" - at ")[0]
        return f"not JSON: {reason[:1].lower()}{reason[1:]}"
    column = len(value[start : start + int(at.rstrip(")"))].decode("utf-8", errors="ignore")) + 1
    return f"not JSON at column {column}: {what}"
