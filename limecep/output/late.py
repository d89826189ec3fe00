"""The late output: what could not be used goes to its sinks, if there are any, and is summed up."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from limecep.problems import suggestion

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limecep.output.delivery import Delivery
    from limecep.output.record import Record

#: Of more fields than these the first are shown; of a text its beginning.
_FIELDS = 10
_LONG = 100
_MISSING = re.compile(r"'([^']+)' is missing")
#: What may stand between the cells of a line that seems to have one cell.
_DELIMITERS = (";", "\t", "|")
#: Of so many reasons, sources and patterns each has a sum of its own; what is beyond is added up.
ROOM = 1_000


class LateOutput:
    """Takes the records of the late output.

    The first of each reason and source is logged when it comes. All are counted by reason, source and
    pattern, each sum with the first record as an example.

    Args:
        delivery: Hands records to the sinks.
        logger: The logger.
    """

    def __init__(self, delivery: Delivery, logger: Any) -> None:
        self._delivery = delivery
        self._logger = logger
        self._told: set[tuple[str, str]] = set()
        self._sums: dict[tuple[str, str, str | None], _Sum] = {}

    def take(self, record: Record, fields: Sequence[str] = ()) -> None:
        """One more.

        Args:
            record: The record.
            fields: The fields that an invalid record has.
        """
        reason, source = record["reason"], record["source"]
        for pattern in record.get("patterns") or (None,):
            key = (reason, source, pattern)
            known = self._sums.get(key)
            if known is None:
                if len(self._sums) >= ROOM:
                    key = (reason, "", None)
                known = self._sums.setdefault(key, _Sum(record, tuple(fields)))
            known.count += 1
        if (reason, source) not in self._told:
            self._told.add((reason, source))
            # The logger calls its own text `event`.
            shown = {("late_event" if key == "event" else key): value for key, value in record.items()}
            self._logger.warning(
                f"late output: {reason}, the first from this source; others are counted at the end", **shown
            )
        self._delivery.late(record)

    def summary(self) -> list[dict[str, Any]]:
        """How many there were, for the report."""
        return list(self._summed())

    def _summed(self) -> Iterator[dict[str, Any]]:
        for (reason, source, pattern), known in self._sums.items():
            yield {
                "reason": reason,
                "source": source,
                "pattern": pattern,
                "count": known.count,
                "example": known.example,
                **({"fields": list(known.fields)} if known.fields else {}),
            }


class _Sum:
    """How many records there were, the first of them, and the fields it has."""

    __slots__ = ("count", "example", "fields")

    def __init__(self, example: Record, fields: tuple[str, ...]) -> None:
        self.count = 0
        self.example = example
        self.fields = fields


def wrong(error: str, fields: Sequence[str]) -> str:
    """What is wrong with an invalid record, and where it lacks a field what it has.

    Args:
        error: The error.
        fields: The fields of the record.
    """
    hint = _hint(error, fields)
    return f"{error}; {hint}" if hint else error


def _hint(error: str, fields: Sequence[str]) -> str:
    if "out of range" in error:
        return "is 'format' the unit of its numbers?"
    missing = _MISSING.search(error)
    if missing is None:
        return ""
    for delimiter in _DELIMITERS:
        if len(fields) == 1 and delimiter in fields[0]:
            shown = "\\t" if delimiter == "\t" else delimiter
            return f'it has one field, {_shown(fields)}: is the delimiter "{shown}"?'
    near = suggestion(missing[1], fields)
    has = f"it has {_shown(fields)}" if fields else "it has no fields"
    return f"{has}; {near}" if near.startswith("did") else has


def _shown(fields: Sequence[str]) -> str:
    text = ", ".join(f"'{f}'" for f in fields[:_FIELDS])
    if len(fields) > _FIELDS or len(text) > _LONG:
        return f"{text[:_LONG]}, ..."
    return text
