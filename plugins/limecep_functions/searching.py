"""Texts that look like something: LIKE of SQL, and regular expressions that no text keeps busy."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

#: Longer patterns are none.
_LONGEST = 1000


def like(text: str, pattern: str) -> bool | None:
    """Whether a whole text is like a pattern, in which `%` is any text, `_` any character, and a backslash
    takes that from the next one. Missing where the pattern has more than 1000 characters."""
    if len(pattern) > _LONGEST:
        return None
    wanted = _parts(pattern)
    # Takes as little as it can for each `%`, and more of the last one where that leads nowhere.
    at = place = 0
    after, began = -1, 0
    while at < len(text):
        if place < len(wanted) and wanted[place] is not None and wanted[place] in ("", text[at]):
            at, place = at + 1, place + 1
        elif place < len(wanted) and wanted[place] is None:
            after, began = place, at
            place += 1
        elif after >= 0:
            began += 1
            at, place = began, after + 1
        else:
            return False
    return all(part is None for part in wanted[place:])


def matches(text: str, pattern: str) -> bool | None:
    """Whether a regular expression of RE2 is found anywhere in a text; `^` and `$` are its ends. Missing
    where the pattern is none."""
    found = _compiled(pattern)
    return None if found is None else found.search(text.encode("utf-8", "replace")) is not None


@lru_cache(maxsize=256)
def _parts(pattern: str) -> tuple[str | None, ...]:
    """Of each place the character that is wanted, "" for any; None for any text."""
    found: list[str | None] = []
    characters = iter(pattern)
    for character in characters:
        if character == "\\":
            found.append(next(characters, "\\"))
        elif character != "%":
            found.append("" if character == "_" else character)
        elif found[-1:] != [None]:
            found.append(None)
    return tuple(found)


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> Any:
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern.encode("utf-8", "replace"), options)
    except re2.error:
        return None


def _vet_pattern(text: object, pattern: object = None) -> str:
    """What is wrong with a pattern that is known before any event."""
    if isinstance(pattern, str) and _compiled(pattern) is None:
        return f"'{pattern}' is no regular expression of RE2, which has no look-around and no back-references"
    return ""


def _vet_like(text: object, pattern: object = None) -> str:
    if isinstance(pattern, str) and len(pattern) > _LONGEST:
        return f"a pattern has at most {_LONGEST} characters"
    return ""


matches.vet = _vet_pattern  # type: ignore[attr-defined]
like.vet = _vet_like  # type: ignore[attr-defined]
