"""The table whose rows stand in files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep_file.config import FileOptions, FileSettings
from limecep_file.source import FileSource

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from limecep.contracts.context import Context
    from limecep_file.config import FilesTableOptions

#: How many lines are read at a time.
_LINES = 4096


class FilesTable:
    """A table of one or several files (`limecep.contracts.table`): what a source of that channel would read,
    from the first line to the last, also where that has no line end."""

    def __init__(self, channel: str, options: FilesTableOptions, context: Context) -> None:
        assert context.rows is not None
        self._reader = context.rows
        settings = FileSettings(max_line=options.max_line)
        self._source = FileSource(channel, settings, FileOptions(root=options.root), context)

    def rows(self) -> Iterator[Mapping[str, Any]]:
        """The rows, one file after the other."""
        source = self._source
        try:
            source.open()
            while not source.ended:
                yield from self._reader.read(source.poll(_LINES, 0.1))
            yield from self._reader.finish()
        finally:
            source.close()
