"""Regular expressions of users, which no line may keep busy: RE2 takes time in proportion to a line."""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def compiled(pattern: str) -> tuple[Any, tuple[tuple[str, int], ...]]:
    """What looks for a pattern in bytes, and the groups that have names, in their order.

    Raises:
        ValueError: It is none, or has no such group, in words for the user.
        ImportError: RE2 is not installed.
    """
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        made = re2.compile(pattern, options)
    except re2.error as error:
        said = str(error.args[0], "utf-8", "replace")
        raise ValueError(f"cannot be read: {said}") from None
    if not made.groupindex:
        raise ValueError("has no group with a name, such as (?P<status>\\d+)")
    return made.search, tuple(sorted(made.groupindex.items(), key=lambda item: item[1]))
