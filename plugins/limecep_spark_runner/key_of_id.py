"""The key of an event as its id tells it: all that a source says of an event comes to one place by that, a
withdrawal too, which has nothing but the id (SEMANTICS 11)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limecep.embedding.pipelines import exact

if TYPE_CHECKING:
    from limecep.embedding.pipelines import SourceConfig

#: A part of an id of several fields, as `limecep.intake.identity.joined` writes it.
_PART = re.compile(r"(?:^|/)((?:[^\\/]|\\.)*)", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


class KeyOfId:
    """Reads keys in the ids of a source.

    Args:
        places: For each attribute of PARTITION BY its place among the fields of the id.
        fields: How many fields the id has.
    """

    def __init__(self, places: tuple[int, ...], fields: int) -> None:
        self._places = places
        self._fields = fields

    def of(self, identity: str) -> str | tuple[str, ...]:
        """The attributes as text; of one attribute the text alone. What is no id of the source, as the key of
        a tombstone may be, is that of no event, and has empty attributes."""
        parts = [identity] if self._fields == 1 else parts_of(identity)
        if len(parts) != self._fields:
            parts = [""] * self._fields
        found = tuple([parts[place] for place in self._places])
        return found[0] if len(found) == 1 else found


def key_of_id(source: SourceConfig, paths: tuple[tuple[str, ...], ...]) -> KeyOfId | None:
    """What reads the key under PARTITION BY in the ids of a source; None where they do not have all of it.

    Args:
        source: The source.
        paths: The attributes of PARTITION BY.
    """
    fields = [exact(field) or tuple(field.split(".")) for field in source.id]
    if not all(path in fields for path in paths):
        return None
    return KeyOfId(tuple([fields.index(path) for path in paths]), len(fields))


def parts_of(identity: str) -> list[str]:
    """The parts that an id was joined of."""
    return [_ESCAPED.sub(r"\1", part) for part in _PART.findall(identity)]


def spelled(part: object) -> str:
    """One spelling for what may be equal: an id has the number 1.50 as it was written, and does not tell a
    number from text.

    Args:
        part: Text, or a part of a key as `limecep.plan.partition` gives it.
    """
    text = str(part[0] if type(part) is tuple else part)
    try:
        # Negative zero is zero.
        return repr(float(text) + 0.0)
    except ValueError:
        return text
