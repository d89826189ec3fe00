"""A change log folded into what is live at its end: matches emitted and not taken back, as they are now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, get_args

import msgspec

from limecep.errors import LimecepError
from limecep.model.update import Op

if TYPE_CHECKING:
    from collections.abc import Iterable

    from limecep.output.record import Record

_OPS = get_args(Op)


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
        except (msgspec.DecodeError, UnicodeDecodeError):
            record = None
        if record is None:
            raise LimecepError(f"{name}:{number}: no update of a change log")
        matches = found.setdefault(record["pattern"], {})
        if record["op"] == "retract":
            matches.pop(record["match"], None)
        else:
            matches[record["match"]] = Live(number, record)
    return {pattern: list(matches.values()) for pattern, matches in found.items()}


def _update(value: Any) -> Record | None:
    """The record that a value is, or wraps; None if there is none."""
    record = value.get("data") if isinstance(value, dict) and "specversion" in value else value
    if not isinstance(record, dict) or record.get("op") not in _OPS:
        return None
    return record if all(isinstance(record.get(k), str) for k in ("pattern", "match")) else None
