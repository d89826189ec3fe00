"""Options of the codecs."""

from __future__ import annotations

from dataclasses import dataclass

from limecep import option


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonOptions:
    """Where in a message the records stand."""

    path: str = option(
        "",
        help="Where an object or a list of objects stands in a message, names with dots between them; what "
        "stands beside it is left out. Default: the message itself.",
        example="data.items",
    )

    def __post_init__(self) -> None:
        if self.path and not all(self.path.split(".")):
            raise ValueError(f"'path' must be names with dots between them, not '{self.path}'")


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


@dataclass(frozen=True, slots=True, kw_only=True)
class CloudEventsOptions:
    """How CloudEvents become records, and records CloudEvents."""

    attributes: str = option(
        "ce",
        help="The field that holds the attributes of an event; those of its data stand beside it.",
        example="ce",
    )
    source: str = option(
        "",
        help="The 'source' of what is written; default: /limecep/ and the pipeline's name.",
        example="/box-12",
    )

    def __post_init__(self) -> None:
        if not self.attributes or "." in self.attributes or self.attributes.startswith("$"):
            raise ValueError("'attributes' must be the name of a field, without dots")
