"""JSON: an object a message, or a list of objects."""

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

    def __init__(self, options: Any, context: Context) -> None:
        self._decode = msgspec.json.Decoder().decode
        self._decode_spelled = msgspec.json.Decoder(float_hook=Spelled).decode

    def decode(self, messages: Sequence[Message]) -> list[Decoded]:
        decode = self._decode
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
            if type(value) is dict:
                add((message, value))
            else:
                decoded.extend(_records(message, value))
        return decoded

    def finish(self) -> list[Decoded]:
        return []

    def spelled(self, message: Message) -> list[Record]:
        value = self._decode_spelled(message.value.removeprefix(_BOM))
        return value if type(value) is list else [value]

    def _retry(self, message: Message, error: Exception, decoded: list[Decoded]) -> None:
        if message.value.startswith(_BOM):
            try:
                decoded.extend(_records(message, self._decode(message.value.removeprefix(_BOM))))
                return
            except REFUSED as again:
                error = again
        if message.value.removeprefix(_BOM).strip():
            decoded.append((message, Undecodable(words(message.value, error))))


def _records(message: Message, value: Any) -> list[Decoded]:
    if type(value) is dict:
        return [(message, value)]
    if type(value) is list:
        return [
            (
                message,
                item if type(item) is dict else Undecodable(f"item {n} of the list is not a JSON object"),
            )
            for n, item in enumerate(value, 1)
        ]
    return [(message, Undecodable("not a JSON object, nor a list of them"))]


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
