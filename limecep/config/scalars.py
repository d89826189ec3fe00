"""Plain scalars by the core schema of YAML 1.2, where `On`, `yes` and `1:30` are text."""

from __future__ import annotations

import re

#: What a scalar can be.
Value = str | int | float | bool | None

_WORDS: dict[str, Value] = {
    "": None,
    "~": None,
    **dict.fromkeys(("null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INT = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_INFINITE = re.compile(r"[-+]?\.(inf|Inf|INF)")
_NAN = re.compile(r"\.(nan|NaN|NAN)")

#: Python refuses to read longer integers, and no setting needs them.
_LONGEST = 400


def resolve(text: str) -> Value:
    """What a plain scalar means: null, a boolean, a number, or text."""
    if text in _WORDS:
        return _WORDS[text]
    if len(text) > _LONGEST or not (text[0].isdigit() or text[0] in "+-."):
        return text
    if _INT.fullmatch(text):
        return int(text)
    if _OCTAL.fullmatch(text):
        return int(text[2:], 8)
    if _HEXADECIMAL.fullmatch(text):
        return int(text[2:], 16)
    if _FLOAT.fullmatch(text):
        return float(text)
    if _INFINITE.fullmatch(text):
        return float("-inf" if text[0] == "-" else "inf")
    if _NAN.fullmatch(text):
        return float("nan")
    return text
