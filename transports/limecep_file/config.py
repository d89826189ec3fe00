"""Options of files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from limecep import option
from limecep.problems import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class FileOptions:
    """The connector of files that are read."""

    root: str = option(
        "",
        help="The folder that channels are below; default: the folder of the pipeline's file.",
        example="data",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesTableOptions:
    """A table whose rows stand in files."""

    root: str = option(
        "",
        help="The folder that the channel is below; default: the folder of the pipeline's file.",
        example="data",
    )
    max_line: int = option(
        1_048_576, help="The longest line, in bytes; longer ones are no rows.", unit="bytes", example="64KB"
    )

    def __post_init__(self) -> None:
        if self.max_line < 1:
            raise ValueError("'max_line' must be at least 1 byte")

    def vet(self, channel: str) -> list[Problem]:
        """What is wrong with the name of the file."""
        if channel != "-":
            return []
        said = "a table cannot be read from standard input: the check of the pipeline would use it up"
        return [Problem(code="bad-channel", message=said, hint="write the rows into a file, and name it")]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSinkOptions:
    """The connector of files that are written."""

    root: str = option(
        "",
        help="The folder that channels are below; default: the folder of the pipeline's file.",
        example="out",
    )
    path: str = option(
        "", help="The file, where the sink names no channel; - is standard output.", example="late.jsonl"
    )

    def vet(self, channel: str) -> list[Problem]:
        """What is wrong with the name of the file."""
        name = channel or self.path
        if not name.lower().endswith(".gz"):
            return []
        return [
            Problem(
                code="bad-channel",
                message=f"'{name}' would not be compressed: files are written as plain JSON lines",
                hint=f"write to {name[:-3]}, and compress it afterwards",
            )
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class StdoutOptions:
    """The connector of standard output."""

    format: Literal["auto", "json", "rows"] = option(
        "auto", help="How records are written: json lines, rows for people, or auto: rows on a terminal."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSettings:
    """What a source of files adds to the keys of every source."""

    speed: float | Literal["max"] = option(
        "max",
        help="How fast it is replayed: max, or how many times event time (1 is as it happened).",
        example=1,
    )
    follow: bool = option(
        False,
        help="Go on reading what is appended, also after rotation, from the first line on. "
        "Events then arrive when they are read.",
    )
    max_line: int = option(
        1_048_576, help="The longest line, in bytes; longer ones are invalid.", unit="bytes", example="64KB"
    )

    @property
    def live(self) -> bool:
        """A file that is followed never ends."""
        return self.follow

    @property
    def paced(self) -> bool:
        """Whether it is read at a speed."""
        return self.speed != "max"

    def __post_init__(self) -> None:
        if not isinstance(self.speed, str) and not 0 < self.speed < float("inf"):
            raise ValueError("'speed' must be max, or a number above 0")
        if self.max_line < 1:
            raise ValueError("'max_line' must be at least 1 byte")
