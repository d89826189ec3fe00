"""The sink for standard output: JSON lines, or rows for whoever sits at a terminal."""

from __future__ import annotations

import shutil
import sys
from typing import IO, TYPE_CHECKING, Any, ClassVar

from limecep.errors import RunFailure
from limecep.output import terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.contracts.codec import Encoder
    from limecep.contracts.context import Context
    from limecep.output.record import Record
    from limecep_file.config import StdoutOptions


class StdoutSink:
    """Writes to standard output (`limecep.contracts.sink`). At a terminal nothing is held back. Rows have the
    values of events even where the configuration wants less of them in JSON."""

    counts_only: ClassVar[bool] = False

    def __init__(self, channel: str, settings: Any, options: StdoutOptions, context: Context) -> None:
        self._format = options.format
        self._named = context.named
        self._out: IO[bytes] | None = None
        self._encode: Callable[[Sequence[Record]], bytes] = lambda records: lines(records, context.encoder)
        self._prompt = False
        self.for_people = False

    def open(self) -> None:
        """Takes standard output as it is now."""
        self._out = sys.stdout.buffer
        self._prompt = sys.stdout.isatty()
        self.for_people = self._format == "rows" or (self._format == "auto" and self._prompt)
        if self.for_people:
            self._encode = self._rows()

    def send(self, records: Sequence[Record]) -> None:
        """Writes a line for each record.

        Raises:
            BrokenPipeError: Nobody reads any more.
            RunFailure: It cannot be written.
        """
        self._do(lambda out: out.write(self._encode(records)))
        if self._prompt:
            self.flush()

    def flush(self) -> None:
        """Hands everything over.

        Raises:
            BrokenPipeError: Nobody reads any more.
            RunFailure: It cannot be written.
        """
        self._do(lambda out: out.flush())

    def close(self) -> None:
        """Flushes. Standard output itself stays open."""
        self.flush()
        self._out = None

    def _do(self, act: Callable[[IO[bytes]], object]) -> None:
        if self._out is None:
            return
        try:
            act(self._out)
        except BrokenPipeError:
            self._out = None
            raise
        except OSError as error:
            raise RunFailure(f"cannot write standard output: {error.strerror or error}") from None

    def _rows(self) -> Callable[[Sequence[Record]], bytes]:
        # Most output is for programs.
        from limecep.output.rows import Rows

        rows = Rows(self._named, coloured=terminal.coloured(sys.stdout))
        erase, encoding = terminal.erase(sys.stdout), sys.stdout.encoding

        def encode(records: Sequence[Record]) -> bytes:
            width = shutil.get_terminal_size().columns if self._prompt else None
            text = "".join([f"{rows.row(record, width)}\n" for record in records])
            return f"{erase}{text}".encode(encoding, errors="replace")

        return encode


def lines(records: Sequence[Record], encoder: Encoder) -> bytes:
    """A line for each record."""
    encode = encoder.encode
    return b"".join([encode(record) + b"\n" for record in records])
