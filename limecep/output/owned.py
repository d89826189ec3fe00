"""Copies of values of JSON, for those who may change what they are given."""

from __future__ import annotations

from typing import Any

_NESTING = frozenset((dict, list))


def owned(value: Any) -> Any:
    """The value with dictionaries and lists of its own, however deep they stand in each other."""
    kind = type(value)
    if kind is dict:
        copied = value.copy()
        # Most payloads are flat, which the types of their values tell soonest.
        if not _NESTING.isdisjoint(map(type, value.values())):
            copied.update((name, owned(v)) for name, v in value.items() if type(v) in _NESTING)
        return copied
    return [owned(v) for v in value] if kind is list else value
