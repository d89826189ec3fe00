"""JSON: an object a message, or a list of objects, or either somewhere inside; in a text also over several
lines."""

from __future__ import annotations

import math
import re
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from limecep.contracts.codec import Decoded, Record, Spelled, Undecodable
from limecep.contracts.source import channels_of
from limecep_codecs.documents import Document, Documents
from limecep_codecs.rows import Rows, values_of
from limecep_codecs.text import not_utf8, text_reader, unreadable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.context import Context
    from limecep.contracts.source import Message
    from limecep_codecs.config import JsonOptions

_BOM = b"\xef\xbb\xbf"
_MARK = "\ufeff"
#: An escape; `lone` where it is one half of a character whose other half is not there.
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<lone>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)
#: Texts, which are left as they are; words for what is no number; numbers that may be too large.
_NOT_FINITE = re.compile(
    r'"(?:[^"\\]|\\.)*+"?|(?P<word>-?\b(?:NaN|Infinity)\b)|(?P<number>-?\b\d++(?:\.\d++)?[eE]\+?\d++)',
    re.ASCII | re.DOTALL,
)
#: Files that are known to have a value a line, by how their names end.
_OF_LINES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")
#: Lines that documents begin with, and records that are a line each do not.
_OPENINGS = ("{", "[")
#: How many lines of a document are read together at first.
_FEW = 16
#: What the decoder raises on what it cannot read.
REFUSED = (msgspec.MsgspecError, ValueError, RecursionError)


class JsonCodec:
    """Reads JSON (`limecep.contracts.codec`). A message with nothing but white space gives no record.

    A message is a value; where messages are lines, a value may go over several of them, which the first line
    of a channel shows. A message may also hold several values, one after the other.
    """

    untyped: ClassVar[bool] = False

    def __init__(self, options: JsonOptions, context: Context) -> None:
        self._path = options.path.split(".") if options.path else []
        self._layout = options.layout
        self._lines = context.lines
        self._text = text_reader(options.encoding, context)
        self._encoded = self._text is not bytes.decode
        self._decode = msgspec.json.Decoder().decode
        self._decode_spelled = msgspec.json.Decoder(float_hook=Spelled).decode
        self._documents = Documents(self._path, self._text_of, self._outcome)
        self._channels: dict[str, Document] = {}
        self._without_end = 0
        self._logger = context.logger
        self._not_finite = 0

    def decode(self, messages: Sequence[Message]) -> list[Decoded]:
        decoded: list[Decoded] = []
        self._documents.spellings.clear()
        if not self._lines:
            self._each(messages, decoded)
            return decoded
        if all(self._channel(name).layout == "lines" for name in {m.channel for m in messages}):
            self._each(messages, decoded)
            return decoded
        for name, lines in groupby(messages, attrgetter("channel")):
            self._read(self._channel(name), list(lines), decoded)
        return decoded

    def table(self, messages: Sequence[Message]) -> Rows | None:
        if self._path or self._encoded:
            return None
        if self._lines and any(self._channel(name).layout != "lines" for name in channels_of(messages)):
            return None
        values = values_of(messages)
        try:
            records = [] if values is None else list(map(self._decode, values))
        except REFUSED:
            return None
        if set(map(type, records)) != {dict}:
            return None
        self._documents.spellings.clear()
        return Rows(messages, records)

    @property
    def holding(self) -> bool:
        return any(d.held or d.stack or d.lost for d in self._channels.values())

    def finish(self) -> list[Decoded]:
        decoded: list[Decoded] = []
        self._documents.spellings.clear()
        for document in self._channels.values():
            while document.held or document.stack:
                self._without_end += not document.held
                self._read(document, self._documents.finish(document, decoded), decoded)
            document.lost = False
        return decoded

    def spelled(self, message: Message) -> list[Record]:
        document = self._channels.get(message.channel)
        spellings = self._documents.spellings.get(message.position)
        values: Sequence[Any]
        if spellings is None and document is not None and document.layout == "document":
            return []
        if spellings is not None:
            values = [self._spell(text) if text.startswith("{") else None for text in spellings]
        else:
            values = _records(self._spell(self._text(message.value).removeprefix(_MARK)), self._path)
        # Those that are none keep their places.
        return [value if isinstance(value, dict) else {} for value in values]

    def counted(self) -> dict[str, Any]:
        """How many documents did not end, although all records that they have were read; how many values were
        no finite numbers, and are missing."""
        counted = {"documents_without_end": self._without_end, "not_finite": self._not_finite}
        return {name: count for name, count in counted.items() if count}

    def remembered(self) -> Any:
        """How each channel is written, and what is held."""
        return msgspec.to_builtins(self._channels)

    def recall(self, known: Any) -> None:
        """Goes on from what was `remembered`."""
        self._channels = msgspec.convert(known, dict[str, Document])

    def _channel(self, name: str) -> Document:
        return self._channels.setdefault(name, Document())

    def _read(self, document: Document, lines: Sequence[Message], decoded: list[Decoded]) -> None:
        """Reads lines of a channel."""
        size = _FEW
        while lines:
            if document.layout == "lines":
                self._each(lines, decoded)
                return
            if document.layout == "document" or document.lost:
                # Where much is broken, what comes after it is looked at again and again.
                anew = self._documents.read(document, lines[:size], decoded)
                lines = [*anew, *lines[size:]]
                size = _FEW if anew else 4 * size
            else:
                lines = self._look(document, lines, decoded)

    def _look(
        self, document: Document, lines: Sequence[Message], decoded: list[Decoded]
    ) -> Sequence[Message]:
        """Finds out how a text is written: by the option, the name, or the first line that is a value by
        itself, or begins one. Returns the lines from that on."""
        if self._layout != "auto":
            document.layout = self._layout
        elif lines[0].channel.lower().endswith(_OF_LINES):
            document.layout = "lines"
        if document.layout:
            return lines
        for n, message in enumerate(lines):
            text = self._text_of(message)
            if isinstance(text, str):
                try:
                    self._decode(text.removeprefix(_MARK))
                    document.layout = "lines"
                    return lines[n:]
                except REFUSED as error:
                    if _goes_on(text, error):
                        document.layout = "document"
                        return lines[n:]
            self._each([message], decoded)
        return []

    def _each(self, messages: Sequence[Message], decoded: list[Decoded]) -> None:
        """Reads messages that know nothing of each other."""
        decode, path = self._decode, self._path
        if self._encoded:
            decode = self._decode_text
        add = decoded.append
        for message in messages:
            if message.error:
                add((message, Undecodable(message.error)))
                continue
            try:
                value = decode(message.value)
            except REFUSED:
                self._retry(message, decoded)
                continue
            if type(value) is dict and not path:
                add((message, value))
            else:
                decoded += [(message, record) for record in _records(value, path)]

    def _decode_text(self, value: Any) -> Any:
        return self._decode(self._text(value))

    def _retry(self, message: Message, decoded: list[Decoded]) -> None:
        text = self._text_of(message)
        if isinstance(text, Undecodable):
            decoded.append((message, text))
            return
        text = text.removeprefix(_MARK)
        try:
            value = self._value(text, message.position)
            decoded += [(message, record) for record in _records(value, self._path)]
        except REFUSED as error:
            if not text.strip():
                return
            said = words(text.encode(), error)
            if self._lines and text.strip() in _OPENINGS:
                said += " ('layout: document' reads values over several lines)"
            several = [] if self._lines else self._several(message)
            decoded += several or [(message, Undecodable(said))]

    def _value(self, text: str, position: str = "") -> Any:
        """What a text holds; what is no finite number is missing."""
        try:
            return self._decode(text)
        except REFUSED as error:
            mended, count = finite(text)
            if not count:
                raise
            try:
                value = self._decode(mended)
            except REFUSED:
                raise error from None
        if not self._not_finite:
            first = f"first: {position}; " if position else ""
            self._logger.warning(
                "NaN, Infinity and numbers too large for a float are no JSON, and are read as missing "
                f"({first}the report counts them as 'not_finite')"
            )
        self._not_finite += count
        return value

    def _spell(self, text: str) -> Any:
        try:
            return self._decode_spelled(text)
        except REFUSED:
            return self._decode_spelled(finite(text)[0])

    def _several(self, message: Message) -> list[Decoded]:
        """The records of a message that stands by itself; none where it is anything else."""
        found: list[Decoded] = []
        document = Document("document")
        self._documents.read(document, [message], found)
        sound = document == Document("document") and all(isinstance(record, dict) for _, record in found)
        return found if sound else []

    def _text_of(self, message: Message) -> str | Undecodable:
        if message.error:
            return Undecodable(message.error)
        try:
            return self._text(message.value)
        except UnicodeDecodeError as error:
            return Undecodable(unreadable(error))

    def _outcome(self, text: str, names: int, number: int) -> Record | Undecodable:
        """The record that a value in a document is, to which some names of the path have led."""
        item = _item(number) if number else ""
        if names < len(self._path):
            return Undecodable(_absent(self._path[: names + 1], item))
        try:
            return _record(self._value(text), item, self._path)
        except REFUSED as error:
            return Undecodable(f"{words(text.encode(), error)} of the value that begins here")


def _goes_on(text: str, error: Exception) -> bool:
    """Whether a line that is no value is the beginning of one, or of several."""
    said = str(error)
    return text.lstrip(f"{_MARK} \t").startswith(("{", "[")) and ("truncated" in said or "trailing" in said)


def _records(value: Any, path: Sequence[str]) -> list[Record | Undecodable]:
    """The records in a value: the object at a path, or the objects of a list there; of lists on the way, of
    each item."""
    found = _items(value)
    for depth, name in enumerate(path, 1):
        there: list[tuple[Any, str]] = []
        for outer, item in found:
            if type(outer) is dict and name in outer:
                there += _items(outer[name])
            elif type(outer) is Undecodable:
                there.append((outer, item))
            else:
                there.append((Undecodable(_absent(path[:depth], item)), item))
        found = there
    return [_record(inner, item, path) for inner, item in found]


def _item(number: int) -> str:
    return f"item {number} of the list"


def _absent(path: Sequence[str], item: str) -> str:
    place = f"there is no '{'.'.join(path)}'"
    return f"{place} in {item}" if item else place


def _items(value: Any) -> list[tuple[Any, str]]:
    """A value, or the items of a list, each with the words for it."""
    if type(value) is list:
        return [(inner, _item(n)) for n, inner in enumerate(value, 1)]
    return [(value, "")]


def _record(value: Any, item: str, path: Sequence[str]) -> Record | Undecodable:
    if isinstance(value, (dict, Undecodable)):
        return value
    if item:
        return Undecodable(f"{item} is not a JSON object")
    place = f"what stands at '{'.'.join(path)}' is " if path else ""
    return Undecodable(f"{place}not a JSON object, nor a list of them")


def finite(text: str) -> tuple[str, int]:
    """A text with null for what is no finite number: NaN and Infinity, which some programs write, and 1e999.
    With it, how many there were."""
    count = 0

    def mended(found: re.Match[str]) -> str:
        nonlocal count
        if not (found["word"] or (found["number"] and math.isinf(float(found["number"])))):
            return found[0]
        count += 1
        return "null"

    return _NOT_FINITE.sub(mended, text), count


def words(value: bytes, error: Exception) -> str:
    """Why bytes are not JSON, in words for the user."""
    broken = not_utf8(value)
    if broken:
        return broken
    if isinstance(error, RecursionError):
        return "the JSON is nested too deeply"
    text = str(error)
    start = len(_BOM) if value.startswith(_BOM) else 0
    whole = value[start:].decode()
    if "truncated" in text or "surrogate" in text:
        # The decoder may take half a character for the end of the text.
        lone = next((m for m in _ESCAPE.finditer(whole) if m["lone"]), None)
        if lone is not None and lone.end() < len(whole.rstrip()):
            return f"not JSON at column {lone.start() + 1}: {lone[0]} is half a character (a lone surrogate)"
    if "truncated" in text:
        return f"not JSON: it ends too early, at column {len(whole) + 1}"
    what, _, at = text.removeprefix("JSON is malformed: ").rpartition(" (byte ")
    if not what:
        reason = text.partition(" - at ")[0]
        return f"not JSON: {reason[:1].lower()}{reason[1:]}"
    column = len(value[start : start + int(at.rstrip(")"))].decode("utf-8", errors="ignore")) + 1
    if (word := re.match("NaN|-?Infinity", whole[column - 1 :].removeprefix("-"))) is not None:
        what = f"{word[0]} is no number there: write null"
    return f"not JSON at column {column}: {what}"
