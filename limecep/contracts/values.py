"""Values as JSON knows them: text, numbers, booleans, null, lists, and objects whose keys are text."""

from __future__ import annotations

from typing import Any

from limecep.contracts.shown import shown
from limecep.encoding import DEPTH

#: A boolean is a number of Python.
_PLAIN = (str, int, float, type(None))


def is_finite(value: Any) -> bool:
    """Whether a value is no float, or a finite one: JSON has neither NaN nor infinities."""
    return not isinstance(value, float) or value - value == 0


def json_problem(value: Any, depth: int = 0) -> str:
    """What of a value JSON does not know, in words; "" if it knows all of it. What lies deeper than
    `limecep.encoding.DEPTH` is not looked at.

    Args:
        value: The value.
        depth: In how many lists and objects it stands.
    """
    if isinstance(value, _PLAIN):
        return "" if is_finite(value) else f"{value} is no value of JSON"
    if depth > DEPTH:
        return ""
    if isinstance(value, dict):
        for name, inner in value.items():
            if not isinstance(name, str):
                return f"the key {shown(name, 100)} is no text"
            # Most values are plain.
            if (not isinstance(inner, _PLAIN) or not is_finite(inner)) and (
                said := json_problem(inner, depth + 1)
            ):
                return f"in '{name}' {said}"
        return ""
    if isinstance(value, list):
        return next(filter(None, (json_problem(inner, depth + 1) for inner in value)), "")
    return f"{shown(value, 100)} is no value of JSON"


def mended(value: Any, depth: int = 0) -> int:
    """Makes numbers that are not finite missing, within the lists and objects of a value.

    Args:
        value: The value.
        depth: In how many lists and objects it stands.

    Returns:
        How many there were.
    """
    if depth > DEPTH or not isinstance(value, (dict, list)):
        return 0
    count = 0
    for place, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if is_finite(inner):
            count += mended(inner, depth + 1)
        else:
            value[place] = None
            count += 1
    return count
