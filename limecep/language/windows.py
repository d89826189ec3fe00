"""Windows that a parameter says: `WITHIN $patience`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from limecep.language import literals
from limecep.language.literals import BadLiteral
from limecep.problems import suggestion

if TYPE_CHECKING:
    from collections.abc import Mapping

_PART = re.compile(r"\s*(\d+(?:\.\d+)?|\.\d+)\s*([^\W\d]+)")


def window(name: str, params: Mapping[str, Any] | None) -> int:
    """The window in microseconds that a parameter says: text such as `10 minutes`, `1h30min`.

    Args:
        name: The parameter.
        params: The values of the parameters; None if they are not known, and any will do.

    Raises:
        BadLiteral: It says none.
    """
    if params is None:
        return 1_000_000
    if name not in params:
        hint = suggestion(name, params) or f"give it one under params: {{{name}: 10 minutes}}"
        raise BadLiteral("unknown-parameter", f"there is no parameter '{name}'", hint)
    text, at, total = params[name], 0, 0
    while type(text) is str and (part := _PART.match(text, at)):
        total, at = total + literals.duration(part[1], literals.unit(part[2])), part.end()
    if not at or text[at:].strip():
        said = f"parameter '{name}' is {text!r}, and no time: WITHIN says how long a match may last"
        raise BadLiteral("parameter-value", said, "write it as in 30s, 10 minutes or 1h30min")
    return total
