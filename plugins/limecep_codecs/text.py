"""Bytes to text, for all formats that are text."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.contracts.context import Context

UTF8 = "utf-8"
_LIKE_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_LIKE_GZIP = b"\x1f\x8b"


def check_encoding(encoding: str) -> None:
    """Refuses what is no encoding of text.

    Raises:
        ValueError: In words for the user.
    """
    try:
        "".encode(encoding)
        codecs.getincrementaldecoder(encoding)
    except (LookupError, ValueError, UnicodeError):
        raise ValueError(
            f"'encoding' is none of text: '{encoding}' (such as utf-8, latin-1, cp1252, utf-16)"
        ) from None


def text_reader(encoding: str, context: Context) -> Callable[[bytes], str]:
    """What makes text of a message, and raises UnicodeDecodeError. Lines come in UTF-8 in any case."""
    if context.lines or codecs.lookup(encoding).name == UTF8:
        return bytes.decode
    return lambda value: value.decode(encoding)


def unreadable(error: UnicodeDecodeError) -> str:
    """Why bytes are no text, in words for the user."""
    value, name = error.object, "UTF-8" if error.encoding == UTF8 else error.encoding
    said = f"not {name}: byte {error.start + 1} is 0x{value[error.start]:02x}"
    if name != "UTF-8":
        return said
    if value.startswith(_LIKE_GZIP):
        return f"{said}; it begins like gzip: a file that is packed so must have a name that ends in .gz"
    if value.startswith(_LIKE_UTF16):
        return f"{said}; it begins like UTF-16: give its format 'encoding: utf-16'"
    return f"{said}; if it is text of another encoding, give its format that, as in 'encoding: cp1252'"


def not_utf8(value: bytes) -> str:
    """Where bytes stop being UTF-8, in words for the user; "" if they are."""
    try:
        value.decode()
    except UnicodeDecodeError as error:
        return unreadable(error)
    return ""
