"""Reads a file of names and values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.api import RunFailure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep.api import Context
    from limecep_mine.config import MineOptions


class MineTable:
    """Reads lines such as `press-1 = 80`. Those without the mark say nothing."""

    def __init__(self, channel: str, options: MineOptions, context: Context) -> None:
        self._path = context.root / channel
        self._mark = options.mark

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row a line."""
        try:
            text = self._path.read_text(encoding="utf-8")
        except (OSError, UnicodeError) as error:
            raise RunFailure(str(error)) from error
        for line in text.splitlines():
            name, mark, value = line.partition(self._mark)
            if mark:
                yield {"name": name.strip(), "value": _number(value.strip())}


def _number(text: str) -> float | str:
    """A value that conditions can compare with numbers, where it is one."""
    try:
        return float(text)
    except ValueError:
        return text
