"""Options of the codecs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import msgspec

from limecep import option

# What options are checked by is imported where it is used: listing plugins reads these classes alone.

#: What lines of JSON begin with that belong to no other.
_OUTERMOST = (b"{", b"[", b"]", b"}")
_ENCODING = option(
    "utf-8",
    help="The encoding of the text, by a name that Python knows: latin-1, cp1252, utf-16, ...",
    example="latin-1",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonOptions:
    """Where in a message the records stand."""

    path: str = option(
        "",
        help="Where an object or a list of objects stands in a message, names with dots between them; what "
        "stands beside it is left out. Default: the message itself.",
        example="data.items",
    )
    layout: Literal["auto", "lines", "document"] = option(
        "auto",
        help="The layout of a file: a value a line, or documents over any number of lines; auto looks at the "
        "first line, and takes files called .jsonl or .ndjson for lines.",
    )
    encoding: str = _ENCODING

    def __post_init__(self) -> None:
        if self.path and not all(self.path.split(".")):
            raise ValueError(f"'path' must be names with dots between them, not '{self.path}'")
        from limecep_codecs.text import check_encoding

        check_encoding(self.encoding)

    def whole(self, line: bytes) -> bool:
        """Whether a last line without its line end ends a document, or is all of one."""
        if self.layout == "lines" or line[:1] not in _OUTERMOST:
            return False
        if not line.strip(b"]} \t\r"):
            return True
        if line[:1] == b"{" and not self.path:
            return False
        try:
            msgspec.json.decode(line)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return False
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class CsvOptions:
    """How a CSV file is written."""

    delimiter: str = option(",", help="The character between cells.", example=";")
    quote: str = option('"', help="The quotation mark: one character, or '' for none.", example="'")
    comment: str = option("", help="The beginning of lines that are comments; default: none.", example="#")
    skip: int = option(0, help="The number of lines before the header, or before the first record.")
    columns: list[str] = option(
        [],
        help="The names of the columns, if no line of the input names them. Columns without a name are "
        "ignored.",
        example=["time", "machine", "value"],
    )
    trim: bool = option(True, help="Leave out blanks around names and cells that are not quoted.")
    decimal: Literal[".", ","] = option(".", help="The decimal mark of numbers.")
    nulls: list[str] = option([], help="Words for no value, beside empty cells.", example=["NA", "-"])
    ragged: Literal["invalid", "read"] = option(
        "invalid",
        help="A line with fewer or more cells than there are columns is invalid, or read as far as it goes, "
        "without the cells beyond the last column. The report counts such lines.",
    )
    encoding: str = _ENCODING

    def __post_init__(self) -> None:
        if len(self.delimiter) != 1 or self.delimiter in "\r\n":
            raise ValueError("'delimiter' must be one character; a tab is \"\\t\", in double quotes")
        if len(self.quote) > 1 or self.quote in ("\r", "\n", " ", "\t"):
            raise ValueError("'quote' must be one character, and no blank; '' for none")
        if self.quote == self.delimiter:
            raise ValueError("'quote' and 'delimiter' must differ")
        if self.comment != self.comment.strip():
            raise ValueError("'comment' must not begin or end with blanks")
        if self.skip < 0:
            raise ValueError("'skip' must be 0 or more lines")
        if self.decimal == self.delimiter:
            raise ValueError("'decimal' and 'delimiter' must differ: give the delimiter, such as ';'")
        named = [name for name in self.columns if name]
        if len(set(named)) < len(named):
            raise ValueError("'columns' names a column twice")
        from limecep_codecs.text import check_encoding

        check_encoding(self.encoding)


@dataclass(frozen=True, slots=True, kw_only=True)
class ZeekOptions:
    """Logs of Zeek say themselves how they are written."""

    encoding: str = _ENCODING

    def __post_init__(self) -> None:
        from limecep_codecs.text import check_encoding

        check_encoding(self.encoding)


@dataclass(frozen=True, slots=True, kw_only=True)
class RegexOptions:
    """How lines of text become records: by a pattern, or by a preset."""

    pattern: str = option(
        "",
        help="A regular expression in the syntax of RE2, whose groups (?P<name>...) are the fields. It may "
        "match anywhere in a line: ^ and $ bind it to the ends. Needs limecep[regex].",
        example=r"^(?P<time>\S+) (?P<level>[A-Z]+) took (?P<ms>\d+) ms",
    )
    preset: Literal["syslog", "rfc3164", "rfc5424", "common", "combined", "nmea", "logfmt"] | None = option(
        None,
        help="A known format: syslog (rfc5424 or rfc3164), access logs of web servers (common, combined), "
        "nmea (NMEA 0183) or logfmt (NAME=VALUE).",
        example="combined",
    )
    nulls: list[str] = option([], help="Words for no value, beside empty groups.", example=["-"])
    encoding: str = _ENCODING

    def __post_init__(self) -> None:
        if bool(self.pattern) == (self.preset is not None):
            raise ValueError("'pattern' or 'preset' must be given, and not both")
        from limecep_codecs.text import check_encoding

        check_encoding(self.encoding)
        if self.pattern:
            try:
                from limecep_codecs.patterns import compiled

                compiled(self.pattern)
            except ImportError:
                raise ValueError(
                    "'pattern' needs the module 're2', which is not installed: pip install 'limecep[regex]'"
                ) from None
            except ValueError as error:
                raise ValueError(f"'pattern' {error}") from None


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

    @property
    def heads(self) -> dict[str, object]:
        """Type, identity and time are attributes of the event."""
        ce = self.attributes
        return {"as": {"field": f"{ce}.type"}, "id": [f"{ce}.source", f"{ce}.id"], "time": f"{ce}.time"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangelogOptions:
    """Change logs are all written alike."""

    @property
    def heads(self) -> dict[str, object]:
        """A match is an event of the type that its pattern's name is; what is retracted is withdrawn."""
        withdrawn = {"field": "_op", "is": "retract"}
        return {
            "as": {"field": "_pattern"}, "id": "_match", "time": "_end",
            "revise": {"version": "_revision", "withdrawn": withdrawn},
        }  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class DebeziumOptions:
    """Changes of rows say themselves what happened."""

    @property
    def heads(self) -> dict[str, object]:
        """A row is an event of the type that its table's name is; what is deleted is withdrawn."""
        return {"as": {"field": "_table"}, "revise": {"withdrawn": {"field": "_op", "is": "d"}}}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainOptions:
    """Messages that are a value each."""

    field: str = option("value", help="The field that the value becomes.", name="as", example="celsius")
    kind: Literal["auto", "number", "text"] = option(
        "auto",
        help="auto: numbers, true and false become such, all else is text. number: what is no number is "
        "invalid. text: text, whatever it reads as.",
    )
    nulls: list[str] = option(
        [], help="Words for no value: such a message says nothing.", example=["unavailable", "unknown"]
    )
    encoding: str = _ENCODING

    def __post_init__(self) -> None:
        if not self.field or "." in self.field or self.field.startswith("$"):
            raise ValueError("'as' must be the name of a field, without dots")
        from limecep_codecs.text import check_encoding

        check_encoding(self.encoding)


@dataclass(frozen=True, slots=True, kw_only=True)
class SenmlOptions:
    """Packs of SenML say themselves how they are written."""

    @property
    def heads(self) -> dict[str, object]:
        """A measurement is of the type that its own name says, of the device that the base name is."""
        return {"as": {"field": "n"}, "key": "bn", "time": {"field": "time", "format": "epoch_s"}}
