"""Channels with gaps that records fill: `limecep/{pattern}/{key.room}`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.output.record import Record

#: What may stand in a gap: fields of the change log and of the late output, an attribute of the key, or a
#: value of RETURN.
FIELDS = ("pattern", "op", "match", "key", "reason", "source")

_HOLDERS = ("key", "values")
_GAP = re.compile(r"\{([^{}]*)\}")
#: What stands where a record has nothing to fill a gap with.
_NOTHING = "-"


def template_problem(text: str, channel_problem: Callable[[str], str]) -> str:
    """What is wrong with a template, in words for the user; "" if nothing is.

    Args:
        text: The template.
        channel_problem: What is wrong with a channel of the transport.
    """
    for gap in _GAP.findall(text):
        holder, _, name = gap.partition(".")
        if gap not in FIELDS and not (holder in _HOLDERS and name):
            known = ", ".join(f"{{{name}}}" for name in FIELDS)
            return f"'{{{gap}}}' cannot be filled in: there are {known}, {{key.NAME}} and {{values.NAME}}"
    plain = _GAP.sub("", text)
    if "{" in plain or "}" in plain:
        return "a '{' without its '}', or the other way round"
    return channel_problem(sample(text))


def sample(text: str) -> str:
    """A channel such as a template makes."""
    return _GAP.sub("x", text)


class Template:
    """Makes channels.

    Args:
        text: A sound template.
        escape: Makes of a value what may stand in a channel, and has no meaning there.
        joint: What stands between the values of a key of several.
    """

    def __init__(self, text: str, escape: Callable[[str], str], joint: str) -> None:
        # Text and the names of gaps in turn.
        self._parts = _GAP.split(text)
        self._escape = escape
        self._joint = joint

    def channel(self, record: Record) -> str:
        """The channel of a record."""
        parts = self._parts
        return "".join([part if n % 2 == 0 else self._filled(part, record) for n, part in enumerate(parts)])

    def _filled(self, name: str, record: Record) -> str:
        if name == "key":
            key = record.get("key")
            return self._joint.join(map(self._text, key.values())) if key else _NOTHING
        holder, _, inner = name.partition(".")
        if inner:
            return self._text((record.get(holder) or {}).get(inner))
        return self._text(record.get(name))

    def _text(self, value: Any) -> str:
        if value is None:
            return _NOTHING
        if isinstance(value, bool):
            return "true" if value else "false"
        return self._escape(str(value)) or _NOTHING
