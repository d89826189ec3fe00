"""Lines of text taken apart by a regular expression, or by what is known of a format of logs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from limecep.contracts.codec import Decoded, Record, Undecodable
from limecep_codecs.logs import PRESETS
from limecep_codecs.nmea import TEXTS
from limecep_codecs.patterns import compiled
from limecep_codecs.text import text_reader, unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.contracts.context import Context
    from limecep.contracts.source import Message
    from limecep_codecs.config import RegexOptions


class RegexCodec:
    """Reads lines of text (`limecep.contracts.codec`), each a record of the groups that have names. Blank
    lines give none."""

    untyped: ClassVar[bool] = True
    holding: ClassVar[bool] = False

    def __init__(self, options: RegexOptions, context: Context) -> None:
        self._text = text_reader(options.encoding, context)
        self._read = _by(options.pattern) if options.pattern else PRESETS[str(options.preset)]
        self._nulls = frozenset(options.nulls)
        self.texts = TEXTS if options.preset == "nmea" else frozenset[str]()

    def decode(self, messages: Sequence[Message]) -> list[Decoded]:
        read, nulls = self._read, self._nulls
        decoded: list[Decoded] = []
        for message in messages:
            if message.error:
                decoded.append((message, Undecodable(message.error)))
                continue
            try:
                text = self._text(message.value).removeprefix("\ufeff")
            except UnicodeDecodeError as error:
                decoded.append((message, Undecodable(unreadable(error))))
                continue
            for line in text.split("\n"):
                line = line.removesuffix("\r")
                if not line.strip():
                    continue
                record = read(line)
                if nulls and type(record) is dict:
                    record = {name: value for name, value in record.items() if value not in nulls}
                decoded.append((message, record))
        return decoded

    def finish(self) -> list[Decoded]:
        return []

    def spelled(self, message: Message) -> list[Record]:
        return []


def _by(pattern: str) -> Callable[[str], Record | Undecodable]:
    """What reads lines by a pattern."""
    search, places = compiled(pattern)
    none = Undecodable("the line does not match the pattern")

    def read(line: str) -> Record | Undecodable:
        # It works on bytes, and would count characters where it is given text.
        data = line.encode()
        found = search(data)
        if found is None:
            return none
        record: dict[str, Any] = {}
        for name, group in places:
            begin, end = found.span(group)
            if begin < end:
                record[name] = data[begin:end].decode()
        return record

    return read
