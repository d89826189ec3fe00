"""CSV: a header, then a record a line; a quoted cell may go over several lines."""

from __future__ import annotations

import csv
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from limecep.contracts.codec import Decoded, Record, Undecodable
from limecep.contracts.source import Message, channels_of
from limecep_codecs.cells import Cells, plain_with_comma
from limecep_codecs.rows import CellRows, values_of
from limecep_codecs.text import text_reader, unreadable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.context import Context
    from limecep_codecs.config import CsvOptions

#: How far a quoted cell may go on before its opening quote is taken for a mistake.
OPEN_LINES = 1000
OPEN_CHARACTERS = 65_536

_NOT_CLOSED = "not CSV: the quoted cell that begins here is not closed"
_Line = tuple[Message, str]


@dataclass(slots=True)
class _Sheet:
    """What is known of a channel. `skip` lines are still to be passed over. `written` is the header as it
    stands in the input, which may repeat it (files put together, or begun anew); `trouble` says why there is
    no usable one; `held` are the lines of a record that is not complete."""

    skip: int = 0
    names: list[str] | None = None
    written: list[str] | None = None
    trouble: str = ""
    held: list[_Line] = field(default_factory=list)
    size: int = 0


class CsvCodec:
    """Reads CSV (`limecep.contracts.codec`). Cells are text, empty ones are left out; blank lines, comments
    and repeated headers give no record. Where a quoted cell is not closed, its line is invalid and reading
    goes on with the next one.
    """

    untyped: ClassVar[bool] = True

    def __init__(self, options: CsvOptions, context: Context) -> None:
        self._cells = Cells(options)
        self._comment = options.comment
        self._skip = options.skip
        self._names = list(options.columns) or None
        self._missing = frozenset(("", *options.nulls))
        self._ragged = options.ragged
        self._odd_lines = 0
        self._first_odd = ""
        self._text = text_reader(options.encoding, context)
        self._sheets: dict[str, _Sheet] = {}
        self.decimal = options.decimal
        if options.decimal == ",":
            self.plain = plain_with_comma

    def decode(self, messages: Sequence[Message]) -> list[Decoded]:
        read, delimiter, quote, comment = self._text, self._cells.delimiter, self._cells.quote, self._comment
        blank, other_blank = self._cells.blanks
        decoded: list[Decoded] = []
        sheet, channel = _Sheet(), None
        for message in messages:
            fresh = False
            if message.channel != channel:
                channel = message.channel
                fresh = channel not in self._sheets
                sheet = self._sheets.setdefault(
                    channel, _Sheet(skip=self._skip, names=self._names, written=self._names)
                )
            try:
                text = read(message.value)
            except UnicodeDecodeError as error:
                self._unreadable(sheet, message, message.error or unreadable(error), decoded)
                continue
            if message.error:
                self._unreadable(sheet, message, message.error, decoded)
                continue
            if fresh:
                text = text.removeprefix("\ufeff")
            names = sheet.names
            if (
                names is None
                or sheet.held
                or sheet.skip
                or quote in text
                or "\n" in text
                or (comment and comment in text)
            ):
                for line in text.split("\n"):
                    self._feed(sheet, [(message, line)], decoded)
                continue
            if text[-1:] == "\r":
                text = text[:-1]
            if blank in text or other_blank in text:
                cells = self._cells.trimmed(text)
            else:
                cells = text.split(delimiter)
            if len(cells) == len(names) and cells != sheet.written:
                decoded.append((message, self._record(names, cells)))
            else:
                self._take(sheet, message, cells, decoded)
        return decoded

    def table(self, messages: Sequence[Message]) -> CellRows | None:
        channel, values = messages[0].channel, values_of(messages)
        sheet = self._sheets.get(channel)
        if sheet is None or not sheet.names or sheet.held or sheet.skip or values is None:
            return None
        if len(channels_of(messages)) > 1:
            return None
        cells = self._plain_cells(values)
        width = len(sheet.names) + 1
        # Newlines stand where they should if each line has as many cells as there are columns.
        if len(cells) != len(values) * width - 1 or not set(cells[width - 1 :: width]) <= {"\n"}:
            return None
        if sheet.written is not None and sheet.written[0] in cells[::width]:
            return None
        return CellRows(messages, cells, sheet.names, self._missing, self._record)

    def _plain_cells(self, values: Sequence[bytes]) -> list[str]:
        """The cells of lines, as `Cells.flat`, if that is all that they are; else nothing."""
        if self._text is not bytes.decode:
            return []
        try:
            text = b"\n".join(values).decode()
        except UnicodeDecodeError:
            return []
        marks = (self._cells.quote.strip("\n"), self._comment)
        if any(mark and mark in text for mark in marks) or text.count("\n") >= len(values):
            return []
        if "\r" in text:
            text = text.replace("\r\n", "\n").removesuffix("\r")
        return self._cells.flat(text)

    @property
    def holding(self) -> bool:
        return any(sheet.held for sheet in self._sheets.values())

    def finish(self) -> list[Decoded]:
        decoded: list[Decoded] = []
        for sheet in self._sheets.values():
            while sheet.held:
                self._feed(sheet, _abandon(sheet, _NOT_CLOSED, decoded), decoded)
        return decoded

    def spelled(self, message: Message) -> list[Record]:
        return []

    def counted(self) -> dict[str, Any]:
        """How many lines had fewer or more cells than there are columns, and the first of them."""
        return {"ragged_lines": self._odd_lines, "first_ragged": self._first_odd} if self._odd_lines else {}

    def remembered(self) -> Any:
        """The header of each channel, and what is held."""
        return msgspec.to_builtins(self._sheets)

    def recall(self, known: Any) -> None:
        """Goes on from what was `remembered`."""
        self._sheets = msgspec.convert(known, dict[str, _Sheet])

    def _unreadable(self, sheet: _Sheet, message: Message, error: str, decoded: list[Decoded]) -> None:
        if sheet.skip:
            sheet.skip -= 1
            return
        while sheet.held:
            self._feed(sheet, _abandon(sheet, _NOT_CLOSED, decoded), decoded)
        if sheet.names is None and not sheet.trouble:
            sheet.trouble = f"the header cannot be read: {error}"
        decoded.append((message, Undecodable(error)))

    def _feed(self, sheet: _Sheet, lines: Sequence[_Line], decoded: list[Decoded]) -> None:
        """Reads lines, any of which may have quotes."""
        waiting = deque(lines)
        while waiting:
            message, text = waiting.popleft()
            opens = not sheet.held
            if opens and sheet.skip:
                sheet.skip -= 1
                continue
            if opens and self._comment and text.lstrip(" \t").startswith(self._comment):
                continue
            sheet.held.append((message, text))
            sheet.size += len(text)
            if opens or text.count(self._cells.quote) % 2:
                waiting.extendleft(reversed(self._close(sheet, decoded)))
            elif len(sheet.held) > OPEN_LINES or sheet.size > OPEN_CHARACTERS:
                waiting.extendleft(reversed(_abandon(sheet, _NOT_CLOSED, decoded)))

    def _close(self, sheet: _Sheet, decoded: list[Decoded]) -> Sequence[_Line]:
        """Makes a record of the lines held if they are complete. Returns lines to be read again."""
        text = "\n".join([line for _, line in sheet.held]).removesuffix("\r")
        try:
            cells = self._cells.of(text)
        except csv.Error as error:
            return _abandon(sheet, _words(error), decoded)
        if cells is not None:
            message = sheet.held[0][0]
            sheet.held, sheet.size = [], 0
            self._take(sheet, message, cells, decoded)
        return []

    def _take(self, sheet: _Sheet, message: Message, cells: list[str], decoded: list[Decoded]) -> None:
        if not any(cell.strip() for cell in cells) and len(cells) < 2:
            return
        if sheet.trouble:
            decoded.append((message, Undecodable(sheet.trouble)))
        elif sheet.names is None:
            _head(sheet, message, cells, decoded)
        elif cells != sheet.written:
            beyond = cells[len(sheet.names) :]
            # Empty cells at the end of a line are nothing.
            if len(cells) == len(sheet.names) or (beyond and not any(beyond)):
                decoded.append((message, self._record(sheet.names, cells)))
            else:
                decoded.append((message, self._odd(sheet.names, message, cells)))

    def _odd(self, names: list[str], message: Message, cells: list[str]) -> Record | Undecodable:
        """Of a line that has not as many cells as there are columns."""
        what = f"{len(cells):,} cell{'s' if len(cells) != 1 else ''} where there are {len(names):,} columns"
        self._odd_lines += 1
        self._first_odd = self._first_odd or f"{message.position}: {what}"
        if self._ragged == "read":
            return self._record(names, cells)
        return Undecodable(f"{what} ('ragged: read' takes such lines)")

    def _record(self, names: list[str], cells: list[str]) -> Record:
        record = dict(zip(names, cells))  # noqa: B905 - of a ragged line, what there is
        record.pop("", None)
        if self._missing.isdisjoint(cells):
            return record
        missing = self._missing
        return {name: cell for name, cell in record.items() if cell not in missing}


def _words(error: csv.Error) -> str:
    """Why lines are not CSV, in words for the user."""
    if "new-line character" in str(error):
        return (
            "not CSV: a carriage return (\\r) stands in a cell without quotes; if it is to end lines, "
            "replace it by a newline (\\n)"
        )
    return f"not CSV: {error}"


def _head(sheet: _Sheet, message: Message, cells: list[str], decoded: list[Decoded]) -> None:
    twice = next((name for name in cells if name and cells.count(name) > 1), "")
    if twice:
        sheet.trouble = f"the header names the column '{twice}' twice"
        decoded.append((message, Undecodable(sheet.trouble)))
    else:
        sheet.names = sheet.written = cells


def _abandon(sheet: _Sheet, error: str, decoded: list[Decoded]) -> Sequence[_Line]:
    """Gives the record up: its first line is invalid, the others are read again."""
    message, rest = sheet.held[0][0], sheet.held[1:]
    sheet.held, sheet.size = [], 0
    if not sheet.names and not sheet.trouble:
        sheet.trouble = f"the header cannot be read: {error}"
    decoded.append((message, Undecodable(error)))
    return rest
