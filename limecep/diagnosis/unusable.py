"""Records that gave no event: what is wrong with them, and what was probably meant."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limecep.intake.times import OUT_OF_RANGE
from limecep.problems import suggestion

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Of more fields than these the first are shown; of a text its beginning.
_FIELDS = 10
_LONG = 100
_MISSING = re.compile(r"'([^']+)' is missing")
#: What may stand between the cells of a line that seems to have one cell.
_DELIMITERS = (";", "\t", "|")


def wrong(error: str, fields: Sequence[str]) -> str:
    """What is wrong with an invalid record, and where it lacks a field what it has.

    Args:
        error: The error.
        fields: The fields of the record.
    """
    hint = _hint(error, fields)
    return f"{error}; {hint}" if hint else error


def _hint(error: str, fields: Sequence[str]) -> str:
    if OUT_OF_RANGE in error:
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
