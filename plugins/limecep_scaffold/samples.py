"""Messages and records that a codec is tried with, as files have them."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from limecep.api import Context
from limecep.clock import ManualClock
from limecep.contracts.codec import Undecodable
from limecep.contracts.source import Message
from limecep.errors import RunFailure
from limecep.testing.bench import SilentLogger
from limecep.testing.bounded import Bounded, Overdue, watched

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    #: A message with its records.
    Sample = tuple[bytes, list[dict[str, Any]]]


def messages(path: Path) -> list[bytes]:
    """The messages of a file, a line each, or of a folder, a file each in the order of their names.

    Raises:
        OSError: It cannot be read.
        ValueError: There are none.
    """
    if path.is_dir():
        found = [file.read_bytes() for file in sorted(path.iterdir()) if file.is_file()]
    else:
        found = path.read_bytes().removesuffix(b"\n").split(b"\n")
    if not any(found):
        raise ValueError(f"{path} has no messages")
    return found


def samples(sent: Sequence[bytes], path: Path) -> tuple[Sample, ...]:
    """Messages with their records.

    Args:
        sent: The messages.
        path: A file with a JSON list of records for each, a line each; an object is a list of one.

    Raises:
        OSError: It cannot be read.
        ValueError: Its lines are not that.
    """
    known = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            found = json.loads(line)
        except ValueError as e:
            raise ValueError(f"{path}:{number} is no JSON: {e}") from None
        found = [found] if isinstance(found, dict) else found
        if not isinstance(found, list) or not all(isinstance(record, dict) for record in found):
            raise ValueError(f"{path}:{number} is neither a record nor a list of records")
        known.append(found)
    if len(known) != len(sent):
        raise ValueError(f"{path} has records of {len(known)} messages, and there are {len(sent)}")
    return tuple(zip(sent, known, strict=True))


def decoded(
    make: Callable[[Context], Any], sent: Sequence[bytes], seconds: float = Bounded.call_seconds
) -> tuple[Sample, ...]:
    """Messages with the records that a codec gives for them.

    Args:
        make: Makes the codec.
        sent: The messages.
        seconds: How long one call of it may take.

    Raises:
        ValueError: It gives none for one of them.
        RunFailure: A call does not return.
    """
    asked = [Message(value, "c", f"c:{number}") for number, value in enumerate(sent)]
    found: list[list[dict[str, Any]]] = [[] for _ in sent]
    context = Context(label="sources.s", clock=ManualClock(), counters=Counter(), logger=SilentLogger())
    try:
        with watched(make, seconds):
            codec = make(context)
            given = [*codec.decode(asked), *codec.finish()]
    except Overdue as late:
        raise RunFailure(str(late)) from None
    for message, record in given:
        number = int(message.position.rpartition(":")[2])
        if isinstance(record, Undecodable):
            raise ValueError(f"message {number + 1} is none: {record.error} (--broken takes what is none)")
        found[number].append(dict(record))
    return tuple(zip(sent, found, strict=True))
