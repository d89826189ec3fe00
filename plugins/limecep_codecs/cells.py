"""The cells of a line of CSV, in the dialect that the options describe."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

from limecep.intake.payload import plain

if TYPE_CHECKING:
    from limecep_codecs.config import CsvOptions

#: Occurs in no line.
_NEVER = "\n"


class Cells:
    """Takes lines apart.

    Attributes:
        delimiter: What stands between cells.
        quote: What quotes them; what occurs in no line where nothing does.
        blanks: Where none of these characters is in a line, nothing of it is to be trimmed.
    """

    def __init__(self, options: CsvOptions) -> None:
        self.delimiter = options.delimiter
        self.quote = options.quote or _NEVER
        blanks = [c for c in " \t" if c not in (options.delimiter, options.quote)] if options.trim else []
        self.blanks = (*blanks, _NEVER, _NEVER)[:2]
        self._stripped = "".join(blanks)
        self._edges = [edge for b in blanks for edge in (b + options.delimiter, options.delimiter + b)]
        self._quotes = bool(options.quote)
        quote, delimiter = re.escape(self.quote), re.escape(options.delimiter)
        space = f"[{self._stripped}]*+" if blanks else ""
        # A cell is quoted only if the quotes are all of it.
        self._cell = re.compile(
            rf"(?:(?<={delimiter})|\A){space}"
            rf"(?:({quote}(?:[^{quote}]|{quote}{quote})*+{quote}){space}(?={delimiter}|\Z)|([^{delimiter}]*+))"
        )

    def trimmed(self, text: str) -> list[str]:
        """The cells of a line without quotes, without the blanks around them."""
        text = text.strip(self._stripped)
        cells = text.split(self.delimiter)
        # Most blanks stand within cells.
        for edge in self._edges:
            if edge in text:
                return [cell.strip(self._stripped) for cell in cells]
        return cells

    def flat(self, text: str) -> list[str]:
        """The cells of lines without quotes, one after the other, without the blanks around them; between two
        lines a newline is a cell."""
        cells = text.replace("\n", f"{self.delimiter}\n{self.delimiter}").split(self.delimiter)
        # To look for blanks at the edges takes longer than to strip all cells.
        if any(blank in text for blank in self._stripped):
            return [cell.strip(self._stripped) for cell in cells]
        return cells

    def of(self, text: str) -> list[str] | None:
        """The cells of a line, or of several joined by newlines; None where a quoted cell is not closed.

        Raises:
            csv.Error: It is no CSV.
        """
        first, second = self.blanks
        if first in text or second in text:
            text = self._cell.sub(lambda m: m[1] or m[2].rstrip(self._stripped), text)
        lines = csv.reader(
            [text],
            delimiter=self.delimiter,
            quotechar=self.quote if self._quotes else None,
            quoting=csv.QUOTE_MINIMAL if self._quotes else csv.QUOTE_NONE,
            strict=True,
        )
        try:
            return next(lines, [])
        except csv.Error as error:
            if str(error) == "unexpected end of data":
                return None
            raise


def plain_with_comma(text: str) -> int | float | bool | str:
    """What a cell reads as where the comma is the decimal mark: `3,14` is a number, `1.234` is text."""
    if "." in text:
        return text
    if "," not in text:
        return plain(text)
    number = plain(text.replace(",", ".", 1))
    return text if isinstance(number, str) else number
