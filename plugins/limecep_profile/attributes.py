"""Kinds and values of attributes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from limecep_profile.times import words

if TYPE_CHECKING:
    from collections.abc import Mapping

#: How many different values of an attribute are counted, by how many characters, and of how many attributes.
MOST_VALUES = 10_000
LONGEST_VALUE = 200
MOST_ATTRIBUTES = 200
#: How many event types a file has at most.
MOST_TYPES = 50

_TYPES = frozenset(("type", "kind", "event", "eventtype", "action", "category"))
_KEYS = frozenset(
    (
        "account", "card", "client", "customer", "device", "door", "host", "ip", "machine", "meter", "node",
        "patient", "room", "sensor", "session", "station", "symbol", "ticker", "truck", "unit", "user", "van",
        "vehicle", "zone",
    )
)  # fmt: skip
_IDS = frozenset(("id", "uuid", "guid", "eventid", "messageid", "msgid"))
_KINDS: dict[type, str] = {
    bool: "boolean",
    int: "whole number",
    float: "number",
    str: "text",
    list: "list",
    dict: "object",
    type(None): "nothing",
}


@dataclass(slots=True)
class Attribute:
    """One attribute.

    Attributes:
        name: Its name.
        kinds: How many values are of each kind.
        least, greatest: Of its numbers.
        values: How often each came that is text or a whole number; none where there are too `many`.
        many: Whether there are more than `MOST_VALUES` different ones.
    """

    name: str
    kinds: Counter[str] = field(default_factory=Counter)
    least: float | None = None
    greatest: float | None = None
    values: Counter[str | int] = field(default_factory=Counter)
    many: bool = False

    def note(self, value: Any) -> None:
        """Takes a value into account."""
        kind = type(value)
        self.kinds[_KINDS.get(kind, "text")] += 1
        if kind is int or kind is float:
            if self.least is None or value < self.least:
                self.least = value
            if self.greatest is None or value > self.greatest:
                self.greatest = value
        if not self.many and (kind is str or kind is int):
            self.values[value[:LONGEST_VALUE] if kind is str else value] += 1
            if len(self.values) > MOST_VALUES:
                self.many = True
                self.values.clear()

    @property
    def different(self) -> int:
        """Number of different values, at most one more than are counted."""
        return MOST_VALUES + 1 if self.many else len(self.values)

    @property
    def present(self) -> int:
        """Number of records with a value."""
        return self.kinds.total() - self.kinds["nothing"]


def type_field(attributes: Mapping[str, Attribute], records: int) -> str | None:
    """The attribute that says what happened, if there is one."""
    fit = [
        a
        for a in attributes.values()
        if words(a.name) & _TYPES
        and a.kinds["text"] == records
        and 1 < a.different <= MOST_TYPES
        and a.different < records / 2
    ]
    return min(fit, key=lambda a: (len(words(a.name) - _TYPES), a.different)).name if fit else None


def key_field(attributes: Mapping[str, Attribute], records: int) -> str | None:
    """The attribute that tells devices apart, if there is one."""
    fit = [
        a
        for a in attributes.values()
        if words(a.name) & _KEYS
        and a.kinds["text"] + a.kinds["whole number"] == records
        and 1 < a.different <= records / 2
    ]
    return min(fit, key=lambda a: a.different).name if fit else None


def id_fields(attributes: Mapping[str, Attribute], records: int) -> list[str]:
    """The attributes that may identify an event."""
    return [
        a.name
        for a in attributes.values()
        if words(a.name) & _IDS
        and len(words(a.name) - _IDS - {"event", "message"}) == 0
        and a.kinds["text"] + a.kinds["whole number"] == records
    ]
