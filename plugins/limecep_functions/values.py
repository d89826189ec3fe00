"""Functions of values of any kind."""

from __future__ import annotations

import math
import re
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from limecep.encoding import to_canonical_json
from limecep.model.instants import Instant

if TYPE_CHECKING:
    from collections.abc import Callable

#: Whole numbers of more digits are neither read nor written. Both take time with the square of the digits;
#: how many Python allows is a setting of the process.
_MOST_DIGITS = 1000
_LIMIT = 10**_MOST_DIGITS
_WHOLE = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def coalesce(value: object, *values: object) -> object:
    """The first of some values that is not missing."""
    if value is not None:
        return value
    for other in values:
        if other is not None:
            return other
    return None


def least(value: object, *values: object) -> object:
    """The least of some numbers, texts, or times; missing where one is missing, or they do not compare."""
    return _extreme(min, (value, *values))


def greatest(value: object, *values: object) -> object:
    """The greatest of some numbers, texts, or times; missing where one is missing, or they do not compare."""
    return _extreme(max, (value, *values))


def number(value: object) -> float | None:
    """The number that a text spells, as `-1.5e3`, blanks around it aside; a number is itself. Missing of what
    spells none, or with more than 1000 characters, and of what is no finite number."""
    if isinstance(value, str):
        return _spelled(value.strip())
    return value if is_number(value) and _is_finite(value) else None  # type: ignore[return-value]


def text(value: object) -> str | None:
    """A number, a boolean or an instant as text; a text is itself. Numbers that are equal have one text: 2.0
    is '2'. Missing of lists, of objects, of what is no finite number, and of more than 1000 digits."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if type(value) is Instant:
        return str(value)
    if not (is_number(value) and _is_finite(value)):
        return None
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    return str(value) if -_LIMIT < value < _LIMIT else None


def choose(condition: bool | None, value: object, other: object = None) -> object:
    """A value where a condition is true, else another; what `CASE` is made of."""
    return value if condition is True else other


def hashed(value: object) -> str | None:
    """A text of 16 characters that is the same for equal values, wherever and whenever, and hardly for
    others; missing where the value is."""
    if value is None:
        return None
    if type(value) is float and value.is_integer():
        value = int(value)
    return blake2b(to_canonical_json(value), digest_size=8).hexdigest()


def is_text(value: object) -> bool:
    """Whether a value is a text; false where it is missing."""
    return type(value) is str


def is_number(value: object) -> bool:
    """Whether a value is a number; false where it is missing."""
    return type(value) in (int, float) and value == value


def is_boolean(value: object) -> bool:
    """Whether a value is true or false; false where it is missing."""
    return type(value) is bool


def is_list(value: object) -> bool:
    """Whether a value is a list; false where it is missing."""
    return type(value) is list


def is_object(value: object) -> bool:
    """Whether a value is an object; false where it is missing."""
    return type(value) is dict


def _is_finite(value: Any) -> bool:
    return type(value) is int or math.isfinite(value)


def _spelled(text: str) -> float | None:
    if len(text) > _MOST_DIGITS or not _NUMBER.fullmatch(text):
        return None
    found: float = int(text) if _WHOLE.fullmatch(text) else float(text)
    return found if _is_finite(found) else None


def _extreme(pick: Callable[[Any], Any], values: tuple[object, ...]) -> Any:
    alike = all(map(is_text, values)) or all(map(is_number, values)) or {*map(type, values)} == {Instant}
    return pick(values) if alike else None


def _one_kind(*kinds: str) -> str:
    """The kind that all values are of which are there."""
    there = {kind for kind in kinds if kind != "null"}
    if there <= {"int", "float", "fraction"} and len(there) > 1:
        return "float"
    return there.pop() if len(there) == 1 else ""


def _kind_of_chosen(condition: str, *kinds: str) -> str:
    return _one_kind(*kinds)


def _kind_of_extreme(*kinds: str) -> str:
    """That of values which compare; `null` if they never do."""
    known = {"float" if kind in ("int", "fraction") else kind for kind in kinds if kind}
    if len(known) > 1 or not known <= {"float", "str", "Instant"}:
        return "null"
    return next(iter(known), "")


coalesce.kind = _one_kind  # type: ignore[attr-defined]
choose.kind = _kind_of_chosen  # type: ignore[attr-defined]
least.kind = greatest.kind = _kind_of_extreme  # type: ignore[attr-defined]
