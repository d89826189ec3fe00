"""Logs which sources fall silent."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from limecep.api import Context, Figures
    from limecep_mine.config import MineOptions


class MineObserver:
    """Logs once that a source has fallen silent, and once that it speaks again."""

    def __init__(self, options: MineOptions, context: Context) -> None:
        self._after = options.after / 1_000_000
        self._logger = context.logger
        self._silent: set[str] = set()

    def open(self) -> None:
        """Nothing has to be opened."""

    def observe(self, figures: Figures) -> None:
        """Compares how long sources have been silent with what is allowed."""
        for source in figures.sources:
            silent = source.silent is not None and source.silent > self._after
            if silent and source.name not in self._silent:
                self._silent.add(source.name)
                self._logger.warning("a source is silent", source=source.name, seconds=source.silent)
            elif not silent and source.name in self._silent:
                self._silent.remove(source.name)
                self._logger.info("a source speaks again", source=source.name)

    def close(self) -> None:
        """Nothing has to be closed."""
