"""The text of a configuration file, and where in it things stand."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Protocol

from limecep.problems import Place

if TYPE_CHECKING:
    from collections.abc import Sequence


_BREAK = re.compile(r"\r\n|\r|\n")


class Origin(Protocol):
    """Where a node of a configuration comes from."""

    def place(self, start: int = 0, stop: int | None = None) -> Place:
        """The place of the characters `start` to `stop` (not included; None: all to the end of that line) of
        the node's text."""


class SourceText:
    """A text whose offsets can be turned into places. Lines are numbered from 1, as editors do."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text
        self._starts = [0, *(m.end() for m in _BREAK.finditer(text))]

    def place(self, start: int, stop: int | None = None) -> Place:
        """The place of an offset. What lies beyond the end stands at the end of the last line."""
        start = min(start, len(self.text))
        line = bisect_right(self._starts, start) - 1
        if line and self._starts[line] == len(self.text):
            line -= 1
        begin = self._starts[line]
        after = self._starts[line + 1] if line + 1 < len(self._starts) else len(self.text)
        text = self.text[begin:after].rstrip("\r\n")
        column = min(start - begin, len(text))
        end = len(text) if stop is None else min(stop - begin, len(text))
        return Place(file=self.file, line=line + 1, column=column + 1, text=text, width=max(1, end - column))


class TextOrigin:
    """A node at the offsets `begin` to `end` of a text.

    Args:
        source: The text.
        begin: Where the node begins, quotes and block headers included.
        end: Where it ends.
        style: YAML's: `'`, `"`, `|`, `>`, or None for plain scalars.
        value: The scalar's text; None for lists and blocks, of which only the beginning is ever shown.
    """

    def __init__(
        self, source: SourceText, begin: int, end: int, style: str | None = None, value: str | None = None
    ) -> None:
        self._source = source
        self._begin = begin
        self._end = end
        self._style = style
        self._value = value

    def place(self, start: int = 0, stop: int | None = None) -> Place:
        if self._value is None:
            return self._source.place(self._begin, self._begin + 1)
        if start == 0 and stop is None:
            return self._source.place(self._begin, self._end)
        written = self._source.text[self._begin : self._end]
        # Most files have nothing wrong in them.
        from limecep.config.written import written_offsets

        offsets = written_offsets(written, self._style, self._value)
        first = self._begin + offsets[min(start, len(offsets) - 1)]
        if stop is None or stop <= start:
            return self._source.place(first, first + 1)
        return self._source.place(first, self._begin + offsets[min(stop, len(offsets) - 1) - 1] + 1)


class PathOrigin:
    """A node of a Python object, named by its path: `patterns.fire.query`, `pipeline` for the root. Places
    inside a text have lines and columns of that text."""

    def __init__(self, path: str, value: str = "") -> None:
        self._path = path or "pipeline"
        self._value = value

    def place(self, start: int = 0, stop: int | None = None) -> Place:
        if start == 0 and stop is None:
            return Place(file=self._path, line=0, column=0)
        return SourceText(self._path, self._value).place(start, start + 1 if stop is None else stop)


class ShiftedOrigin:
    """A scalar whose text was changed: character n of the new text stands for `offsets[n]` of the old."""

    def __init__(self, origin: Origin, offsets: Sequence[int]) -> None:
        self._origin = origin
        self._offsets = offsets

    def place(self, start: int = 0, stop: int | None = None) -> Place:
        if (start == 0 and stop is None) or not self._offsets:
            return self._origin.place()
        last = len(self._offsets) - 1
        first = self._offsets[min(start, last)]
        if stop is None:
            return self._origin.place(first, first + 1)
        return self._origin.place(first, max(first, self._offsets[min(stop - 1, last)]) + 1)
