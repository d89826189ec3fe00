"""Options of the codecs."""

from __future__ import annotations

from dataclasses import dataclass

from limecep import option


@dataclass(frozen=True, slots=True, kw_only=True)
class CsvOptions:
    """How a CSV file is written."""

    delimiter: str = option(",", help="What stands between cells: one character.", example=";")
    header: list[str] = option(
        [],
        help="The names of the columns, if the input does not begin with a line of them. Columns without a "
        "name are ignored.",
        example=["time", "machine", "value"],
    )

    def __post_init__(self) -> None:
        if len(self.delimiter) != 1 or self.delimiter in '"\r\n':
            raise ValueError("'delimiter' must be one character, and no quote")
        named = [name for name in self.header if name]
        if len(set(named)) < len(named):
            raise ValueError("'header' names a column twice")
