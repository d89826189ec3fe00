"""What a request has in it: whether it may be taken, and its messages."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

#: Media types of a record a line.
_LINES = frozenset(
    {
        "application/jsonl",
        "application/jsonlines",
        "application/json-lines",
        "application/ndjson",
        "application/x-jsonlines",
        "application/x-ndjson",
    }
)


class Declined(Exception):
    """A request that is not taken, or not wholly.

    Args:
        status: The status of the answer.
        error: Why, in words for the client.
        headers: Headers of the answer.
        more: What else is said.
    """

    def __init__(self, status: int, error: str, *headers: tuple[bytes, bytes], **more: object) -> None:
        self.status = status
        self.headers = headers
        self.said = {"error": error, **more}
        super().__init__(error)


def too_long(most: int) -> Declined:
    """The answer to a body that is longer than it may be, in bytes."""
    return Declined(413, f"the body is longer than {most} bytes", (b"connection", b"close"))


def length_of(headers: Mapping[str, bytes], most: int) -> int:
    """How long a body is in bytes, at most.

    Raises:
        Declined: It is longer than `most`, or compressed.
    """
    if headers.get("content-encoding", b"identity").lower() != b"identity":
        raise Declined(415, "the body must not be compressed")
    length = headers.get("content-length", b"")
    if not length.isdigit():
        return most
    if len(length) > 18 or int(length) > most:
        raise too_long(most)
    return int(length)


def admitted(headers: Mapping[str, bytes], token: str) -> bool:
    """Whether a request has the token that it needs."""
    kind, _, given = headers.get("authorization", b"").partition(b" ")
    return not token or (kind.lower() == b"bearer" and hmac.compare_digest(given.strip(), token.encode()))


def of_lines(headers: Mapping[str, bytes]) -> bool:
    """Whether a body has a record a line."""
    kind = headers.get("content-type", b"").partition(b";")[0]
    return kind.strip().lower().decode(errors="replace") in _LINES


def passed_on(headers: Iterable[tuple[str, bytes]]) -> tuple[tuple[str, bytes], ...]:
    """The headers that codecs read: the content type, and the attributes of a CloudEvent, which are written
    in percents where they are not ASCII. No others, for these may be secrets."""
    return tuple(
        [
            (name, unquote_to_bytes(value) if name.startswith("ce-") else value)
            for name, value in headers
            if name == "content-type" or name.startswith("ce-")
        ]
    )


def messages_of(body: bytes, *, lines: bool) -> list[bytes]:
    """The messages of a body: itself, or each line that is not blank."""
    return [line for line in body.splitlines() if line.strip()] if lines else [body]


def complaint(errors: Mapping[int, str], invalid: int, *, lines: bool) -> Declined:
    """The answer where records gave no event.

    Args:
        errors: Why, by the places of their messages from 0 on.
        invalid: How many records they were.
        lines: Whether each message is a line.
    """
    place, why = min(errors.items())
    return Declined(400, f"line {place + 1}: {why}" if lines else why, invalid=invalid)
