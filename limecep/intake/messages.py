"""Messages that others made, from a source or from a codec: what each part of one may be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.contracts.shown import shown
from limecep.contracts.source import Message
from limecep.model.time import EARLIEST, LATEST

if TYPE_CHECKING:
    from collections.abc import Callable


def message_problem(message: Any) -> str:
    """What is wrong with a message that was given, in words that follow who gave it; "" if nothing is."""
    if not isinstance(message, Message):
        return f"gave {shown(message)} where a message is due"
    for name, sound, due in _DUE:
        value = getattr(message, name)
        if not sound(value):
            return f"gave a message whose {name} is {shown(value)}, not {due}"
    return ""


def _time(value: Any) -> bool:
    return value is None or (type(value) is int and EARLIEST <= value <= LATEST)


def _headers(value: Any) -> bool:
    return isinstance(value, tuple) and all(
        isinstance(pair, tuple) and [type(part) for part in pair] == [str, bytes] for pair in value
    )


#: What each part of a message is, and how that is called.
_DUE: tuple[tuple[str, Callable[[Any], bool], str], ...] = (
    ("value", lambda value: isinstance(value, bytes), "bytes"),
    ("channel", lambda value: isinstance(value, str), "text"),
    ("position", lambda value: isinstance(value, str), "text"),
    ("t_arr", _time, "a time in whole microseconds"),
    ("key", lambda value: value is None or isinstance(value, bytes), "bytes"),
    ("headers", _headers, "a tuple of names with bytes"),
    ("event_time", _time, "a time in whole microseconds"),
    ("error", lambda value: isinstance(value, str), "text"),
)
