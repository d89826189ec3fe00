"""Where the characters of a scalar's value stand in the scalar as written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

#: What one character of a double-quoted scalar may be written as; two halves of a surrogate pair are one.
_DOUBLE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8}|\\.|.",
    re.DOTALL,
)
_SINGLE = re.compile(r"''|.", re.DOTALL)
_BREAK = re.compile(r"\r\n|\r|\n")
#: Escapes of one letter that stand for white space; the others stand for something visible.
_BLANK_ESCAPES = frozenset("t\tnvfr N_LP\n\r")


def written_offsets(written: str, style: str | None, value: str) -> list[int]:
    """For each character of a scalar's value, and for its end, the offset in the scalar as written.

    Folding, indentation and chomping touch white space only, so the visible characters of both correspond one
    to one; white space is taken to follow what is visible before it.
    """
    visible = [offset for offset, char in _units(written, style) if not char.isspace()]
    after = {None: 0, "|": written.find("\n") + 1, ">": written.find("\n") + 1}.get(style, 1)
    offsets = []
    seen = 0
    for char in value:
        if not char.isspace() and seen < len(visible):
            offsets.append(visible[seen])
            after = visible[seen] + 1
            seen += 1
        else:
            offsets.append(min(after, len(written)))
            # Blanks of the value stand as they are until the line is left.
            if written[after : after + 1] == char and char not in "\r\n":
                after += 1
    offsets.append(min(after, len(written)))
    return offsets


def _units(written: str, style: str | None) -> Iterator[tuple[int, str]]:
    """The offsets at which a scalar as written has a character, each with one that is as visible as it."""
    if style == '"':
        for match in _DOUBLE.finditer(written, 1, max(1, len(written) - 1)):
            yield match.start(), _sample(match.group())
    elif style == "'":
        for match in _SINGLE.finditer(written, 1, max(1, len(written) - 1)):
            yield match.start(), match.group()[0]
    else:
        begin = _BREAK.search(written) if style else None
        for offset in range(begin.end() if begin else 0, len(written)):
            yield offset, written[offset]


def _sample(unit: str) -> str:
    """A character that is white space if and only if what the unit stands for is."""
    if len(unit) == 1:
        return unit
    if len(unit) == 2:
        return " " if unit[1] in _BLANK_ESCAPES else "x"
    return "x" if len(unit) == 12 else chr(int(unit[2:], 16))
