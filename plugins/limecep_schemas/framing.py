"""How serializers of a schema registry begin a message: byte 0, and four bytes with the schema's id."""

from __future__ import annotations

#: What a framed message begins with, and how long all of that is, in bytes.
MAGIC = 0
HEAD_BYTES = 5


class Unframed(ValueError):
    """A message that does not begin so, in words for the user."""


def schema_id(value: bytes, otherwise: str) -> int:
    """The id of the schema that a message was written with.

    Args:
        value: The message.
        otherwise: What to do where messages are not framed.

    Raises:
        Unframed: It does not begin so.
    """
    if value[:1] != b"\0":
        raise Unframed(
            f"no framed message: it begins with byte 0x{value[0]:02x}, not with 0: is it framed? {otherwise}"
            if value
            else "no framed message: it is empty"
        )
    if len(value) < HEAD_BYTES:
        raise Unframed(f"no framed message: {len(value)} bytes are too few for the id of a schema")
    return int.from_bytes(value[1:HEAD_BYTES], "big")


def message_path(value: bytes) -> tuple[tuple[int, ...], int]:
    """Where in its schema a message of Protocol Buffers is defined: its number in the file, and in the
    messages around it; and where in `value` the message begins.

    Raises:
        Unframed: That is not written there.
    """
    count, at = _number(value, HEAD_BYTES)
    # No index stands for the commonest list: the first message of the file.
    if count == 0:
        return (0,), at
    # Each takes a byte at least.
    if not 0 < count <= len(value) - at:
        raise Unframed(f"no framed message: a list of {count} message indexes does not fit into it")
    path = []
    for _ in range(count):
        index, at = _number(value, at)
        path.append(index)
    return tuple(path), at


def _number(value: bytes, at: int) -> tuple[int, int]:
    """A varint in zigzag, and where it ends."""
    shift = total = 0
    while at < len(value) and shift < 64:
        byte = value[at]
        at += 1
        total |= (byte & 0x7F) << shift
        if byte < 0x80:
            return (total >> 1) ^ -(total & 1), at
        shift += 7
    raise Unframed("no framed message: its list of message indexes is broken")
