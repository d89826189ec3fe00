"""Topics with gaps that records fill: `limecep/{pattern}/{key.room}`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from limecep_mqtt.topics import topic_problem

if TYPE_CHECKING:
    from limecep.output.record import Record

#: What may stand in a gap: fields of the change log and of the late output, or one attribute of the key.
FIELDS = ("pattern", "op", "match", "key", "reason", "source")

_GAP = re.compile(r"\{([^{}]*)\}")
#: What stands where a record has nothing to fill a gap with.
_NOTHING = "-"
#: What has a meaning in topics, and is written otherwise where a value has it.
_ESCAPES = str.maketrans({c: f"%{ord(c):02X}" for c in "%/+#\0"})


def template_problem(text: str) -> str:
    """What is wrong with a template, in words for the user; "" if nothing is."""
    for gap in _GAP.findall(text):
        if gap not in FIELDS and not (gap.startswith("key.") and len(gap) > 4):
            known = ", ".join(f"{{{name}}}" for name in FIELDS)
            return f"'{{{gap}}}' cannot be filled in: there are {known}, and {{key.NAME}}"
    plain = _GAP.sub("", text)
    if "{" in plain or "}" in plain:
        return "a '{' without its '}', or the other way round"
    return topic_problem(_GAP.sub("x", text))


class Template:
    """Makes topics. In values, the characters that topics use themselves are written as `%2F` and the like.

    Args:
        text: A sound template.
    """

    def __init__(self, text: str) -> None:
        # Text and the names of gaps in turn.
        self._parts = _GAP.split(text)

    def topic(self, record: Record) -> str:
        """The topic of a record."""
        parts = self._parts
        return "".join([part if n % 2 == 0 else _filled(part, record) for n, part in enumerate(parts)])


def _filled(name: str, record: Record) -> str:
    if name == "key":
        key = record.get("key")
        return "/".join(map(_text, key.values())) if key else _NOTHING
    if name.startswith("key."):
        return _text((record.get("key") or {}).get(name.removeprefix("key.")))
    return _text(record.get(name))


def _text(value: Any) -> str:
    if value is None:
        return _NOTHING
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value).translate(_ESCAPES) or _NOTHING
