"""Records as small devices write them: a line each, `type=Smoke;id=s17;room=k1`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from limecep.api import Decoded, Record, Undecodable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.api import Context, Message
    from limecep_mine.config import MineOptions


class MineCodec:
    """Reads records of one line each. Lines know nothing of each other, so nothing is ever held back."""

    untyped: ClassVar[bool] = True
    holding: ClassVar[bool] = False

    def __init__(self, options: MineOptions, context: Context) -> None:
        self._between = options.between

    def decode(self, messages: Sequence[Message]) -> list[Decoded]:
        """A record for each line; what is wrong with one is no matter to the next."""
        decoded: list[Decoded] = []
        for message in messages:
            if message.error:
                decoded.append((message, Undecodable(message.error)))
                continue
            try:
                text = message.value.decode()
            except UnicodeDecodeError:
                decoded.append((message, Undecodable("not UTF-8")))
                continue
            decoded += [(message, self._record(line)) for line in text.splitlines() if line.strip()]
        return decoded

    def finish(self) -> list[Decoded]:
        """Nothing was held back."""
        return []

    def spelled(self, message: Message) -> list[Record]:
        """Values are text already."""
        return []

    def _record(self, line: str) -> Record | Undecodable:
        record: Record = {}
        for field in line.split(self._between):
            name, equals, value = field.partition("=")
            if not equals or not name.strip():
                return Undecodable(f"'{field}' is not NAME=VALUE")
            record[name.strip()] = value.strip()
        return record
