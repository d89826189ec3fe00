"""Intervals of SQL."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from limecep.model.words import MICROSECONDS

if TYPE_CHECKING:
    from limecep.translation.tree import Node

_UNITS = {**MICROSECONDS, **dict.fromkeys(("week", "weeks"), 7 * MICROSECONDS["day"])}


def duration(node: Node) -> int | None:
    """The microseconds of an interval: `'10' MINUTE`, or as PostgreSQL has it, `'10 minutes'`.

    Returns:
        None where it has several units, or months or years, or is not above zero, or finer than that.
    """
    number, unit = node.args
    if not unit:
        number, _, unit = number.strip().partition(" ")
    size = _UNITS.get(unit.strip().lower())
    if size is None or not re.fullmatch(r"\d+(\.\d+)?", number.strip()):
        return None
    exact = Fraction(number.strip()) * size
    return int(exact) if exact.denominator == 1 and exact > 0 else None
