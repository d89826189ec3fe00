"""Values as JSON knows them: text, numbers, booleans, null, lists, and objects whose keys are text."""

from __future__ import annotations

from typing import Any

from limecep.contracts.shown import shown
from limecep.encoding import DEPTH

#: A boolean is a number of Python.
_PLAIN = (str, int, float, type(None))


def json_problem(value: Any, depth: int = 0) -> str:
    """What of a value JSON does not know, in words; "" if it knows all of it. What lies deeper than
    `limecep.encoding.DEPTH` is not looked at.

    Args:
        value: The value.
        depth: In how many lists and objects it stands.
    """
    if isinstance(value, _PLAIN) or depth > DEPTH:
        return ""
    if isinstance(value, dict):
        for name, inner in value.items():
            if not isinstance(name, str):
                return f"the key {shown(name, 100)} is no text"
            # Most values are plain.
            if not isinstance(inner, _PLAIN) and (said := json_problem(inner, depth + 1)):
                return f"in '{name}' {said}"
        return ""
    if isinstance(value, list):
        return next(filter(None, (json_problem(inner, depth + 1) for inner in value)), "")
    return f"{shown(value, 100)} is no value of JSON"
