"""Logs of Zeek: lines between `#fields`, `#types` and other lines that say how they are written."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from limecep.contracts.codec import Decoded, Record, Undecodable
from limecep_codecs.text import text_reader, unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.contracts.context import Context
    from limecep.contracts.source import Message
    from limecep_codecs.config import ZeekOptions

    #: A name, its type, and what reads its values.
    Column = tuple[str, str, Callable[[str], Any]]

_ESCAPE = re.compile(r"(?:\\x[0-9a-fA-F]{2})+|\\\\")
_CONTAINER = re.compile(r"(?:set|vector|table)\[(.*)\]")
#: The types of numbers that are not whole.
_FRACTIONS = ("time", "interval", "double")


@dataclass(slots=True)
class _Log:
    """What the head of a log says. `anew` is whether the fields changed in what was read last."""

    separator: str = "\t"
    set_separator: str = ","
    empty: str = "(empty)"
    unset: str = "-"
    fields: list[str] = field(default_factory=list)
    types: list[str] = field(default_factory=list)
    anew: bool = False


class ZeekCodec:
    """Reads logs of Zeek (`limecep.contracts.codec`). Values have the types that the log says; a set or
    vector is a list; what is unset is left out. A log may say anew in its middle how it is written."""

    untyped: ClassVar[bool] = False

    def __init__(self, options: ZeekOptions, context: Context) -> None:
        self._text = text_reader(options.encoding, context)
        self._logs: dict[str, _Log] = {}
        self._columns: dict[str, list[Column]] = {}

    def decode(self, messages: Sequence[Message]) -> list[Decoded]:
        decoded: list[Decoded] = []
        for known in self._logs.values():
            known.anew = False
        for message in messages:
            try:
                text = self._text(message.value)
            except UnicodeDecodeError as error:
                decoded.append((message, Undecodable(message.error or unreadable(error))))
                continue
            if message.error:
                decoded.append((message, Undecodable(message.error)))
                continue
            for line in text.split("\n"):
                line = line.removesuffix("\r")
                if line[:1] == "#":
                    self._head(message.channel, line)
                elif line.strip():
                    decoded.append((message, self._record(message.channel, line)))
        return decoded

    @property
    def holding(self) -> bool:
        return any(log.anew for log in self._logs.values())

    def finish(self) -> list[Decoded]:
        for log in self._logs.values():
            log.anew = False
        return []

    def spelled(self, message: Message) -> list[Record]:
        # A float holds microseconds of this age exactly.
        return []

    def remembered(self) -> Any:
        """The head of each log."""
        return msgspec.to_builtins(self._logs)

    def recall(self, known: Any) -> None:
        """Goes on from what was `remembered`."""
        self._logs = msgspec.convert(known, dict[str, _Log])
        self._columns.clear()

    def _head(self, channel: str, line: str) -> None:
        """Reads a line that says how others are written."""
        log = self._logs.setdefault(channel, _Log())
        self._columns.pop(channel, None)
        if line.startswith("#separator "):
            log.separator = _unescaped(line.removeprefix("#separator ")) or "\t"
            return
        name, *values = line[1:].split(log.separator)
        value = _unescaped(values[0]) if values else ""
        if name == "set_separator":
            log.set_separator = value or ","
        elif name == "empty_field":
            log.empty = value
        elif name == "unset_field":
            log.unset = value
        elif name == "fields":
            log.anew = log.anew or (bool(log.fields) and log.fields != values)
            log.fields, log.types = values, ["string"] * len(values)
        elif name == "types" and len(values) == len(log.fields):
            log.types = values

    def _record(self, channel: str, line: str) -> Record | Undecodable:
        log = self._logs.get(channel)
        if log is None or not log.fields:
            return Undecodable("no log of Zeek: there is no '#fields' before it")
        columns = self._columns.get(channel)
        if columns is None:
            columns = [
                (name, kind, _reader(log, kind)) for name, kind in zip(log.fields, log.types, strict=True)
            ]
            self._columns[channel] = columns
        cells = line.split(log.separator)
        if len(cells) != len(columns):
            return Undecodable(f"{len(cells)} values where '#fields' names {len(columns)}")
        unset = log.unset
        record: Record = {}
        for (name, kind, read), cell in zip(columns, cells, strict=True):
            if cell != unset:
                try:
                    record[name] = read(cell)
                except ValueError:
                    return Undecodable(f"'{name}' is no {kind}: '{cell}'")
        return record


def _reader(log: _Log, kind: str) -> Callable[[str], Any]:
    """What makes values of a type, and raises ValueError."""
    if kind in _FRACTIONS:
        return _finite
    if kind in ("count", "int", "port"):
        return int
    if kind == "bool":
        return _boolean
    empty = log.empty
    if (inner := _CONTAINER.fullmatch(kind)) is None:
        return lambda cell: "" if cell == empty else _unescaped(cell) if "\\" in cell else cell
    read, separator, unset = _reader(log, inner[1]), log.set_separator, log.unset
    return lambda cell: (
        [] if cell == empty else [read(item) for item in cell.split(separator) if item != unset]
    )


def _finite(cell: str) -> float:
    number = float(cell)
    if not math.isfinite(number):
        raise ValueError(cell)
    return number


def _boolean(cell: str) -> bool:
    if cell not in ("T", "F"):
        raise ValueError(cell)
    return cell == "T"


def _unescaped(text: str) -> str:
    """Text whose bytes may be written as \\x2d; bytes that are no text stay written so."""
    return _ESCAPE.sub(_character, text)


def _character(found: re.Match[str]) -> str:
    if found[0] == "\\\\":
        return "\\"
    try:
        return bytes.fromhex(found[0].replace("\\x", "")).decode()
    except UnicodeDecodeError:
        return found[0]
