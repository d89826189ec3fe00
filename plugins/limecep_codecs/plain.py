"""Plain values: a message is one number, or one text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from limecep.contracts.codec import Decoded, Record, Spelled, Undecodable
from limecep.intake.payload import plain
from limecep_codecs.text import text_reader, unreadable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.context import Context
    from limecep.contracts.source import Message
    from limecep_codecs.config import PlainOptions

#: How much of a value is quoted where it is no number, in characters.
_SHOWN_CHARACTERS = 40


class PlainCodec:
    """Reads messages that are a value each (`limecep.contracts.codec`): records of one field. Blank messages
    give none."""

    untyped: ClassVar[bool] = False
    holding: ClassVar[bool] = False

    def __init__(self, options: PlainOptions, context: Context) -> None:
        self._name = options.field
        self._kind = options.kind
        self._nulls = frozenset(options.nulls)
        self._text = text_reader(options.encoding, context)

    def decode(self, messages: Sequence[Message]) -> list[Decoded]:
        return [(m, made) for m in messages if (made := self._made(m)) is not None]

    def finish(self) -> list[Decoded]:
        return []

    def spelled(self, message: Message) -> list[Record]:
        made = self._made(message)
        if not isinstance(made, dict):
            return [] if made is None else [{}]
        if type(made[self._name]) is float:
            made[self._name] = Spelled(self._text(message.value).removeprefix("\ufeff").strip())
        return [made]

    def _made(self, message: Message) -> Record | Undecodable | None:
        """The record of a message; None where it says nothing."""
        if message.error:
            return Undecodable(message.error)
        try:
            text = self._text(message.value).removeprefix("\ufeff")
        except UnicodeDecodeError as error:
            return Undecodable(unreadable(error))
        stripped = text.strip()
        if not stripped or stripped in self._nulls:
            return None
        value: Any = text.rstrip("\r\n") if self._kind == "text" else plain(stripped)
        if self._kind == "number" and isinstance(value, (str, bool)):
            shown = stripped if len(stripped) <= _SHOWN_CHARACTERS else f"{stripped[:_SHOWN_CHARACTERS]}..."
            return Undecodable(f"not a number: '{shown}' ('kind: auto' takes text, too)")
        return {self._name: value}
