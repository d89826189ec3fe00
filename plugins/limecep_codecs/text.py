"""What both formats say of bytes that are no text."""

from __future__ import annotations


def not_utf8(value: bytes) -> str:
    """Where the bytes stop being UTF-8, in words for the user; "" if they are."""
    try:
        value.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"not UTF-8: byte {error.start + 1} is 0x{value[error.start]:02x}"
    return ""
