"""A change log folded into what is live at its end: matches emitted and not taken back, as they are now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from limecep.errors import LimecepError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from limecep.output.record import Record


class Live(NamedTuple):
    """A match that is live, and the line of the log that says what it is now."""

    line: int
    record: Record


def live(lines: Iterable[bytes], name: str) -> dict[str, list[Live]]:
    """The live matches by pattern, each in its latest version, in the order of their emission.

    Args:
        lines: The log, an update a line, as sinks write it. One that is wrapped in a CloudEvent is taken out.
        name: What the log is called in messages.

    Raises:
        LimecepError: A line is no update.
    """
    decode = msgspec.json.Decoder().decode
    found: dict[str, dict[str, Live]] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = _update(decode(line))
            op, pattern, match = record["op"], record["pattern"], record["match"]
        except (msgspec.DecodeError, UnicodeDecodeError, KeyError, TypeError):
            raise LimecepError(f"{name}:{number}: no update of a change log") from None
        matches = found.setdefault(pattern, {})
        if op == "retract":
            matches.pop(match, None)
        else:
            matches[match] = Live(number, record)
    return {pattern: list(matches.values()) for pattern, matches in found.items()}


def _update(value: Any) -> Record:
    if not isinstance(value, dict):
        raise TypeError
    record: Record = value["data"] if "specversion" in value else value
    return record
