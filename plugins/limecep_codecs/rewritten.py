"""JSON whose objects stand for other records than they look like."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.contracts.codec import Undecodable
from limecep_codecs.config import JsonOptions
from limecep_codecs.json_codec import JsonCodec

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.contracts.codec import Decoded, Record
    from limecep.contracts.context import Context
    from limecep.contracts.source import Message


class RewrittenCodec(JsonCodec):
    """Reads JSON (`limecep.contracts.codec`), and makes records of its objects.

    Args:
        context: As of any codec.
        rewrite: The record that an object stands for, or why it stands for none.
    """

    def __init__(self, context: Context, rewrite: Callable[[Record], Record | Undecodable]) -> None:
        super().__init__(JsonOptions(), context)
        self._rewrite = rewrite

    def decode(self, messages: Sequence[Message]) -> list[Decoded]:
        return self._rewritten(super().decode(messages))

    def table(self, messages: Sequence[Message]) -> None:
        """As of `limecep.contracts.codec.Tabular`: records are not what they look like."""

    def finish(self) -> list[Decoded]:
        return self._rewritten(super().finish())

    def spelled(self, message: Message) -> list[Record]:
        found = [self._rewrite(record) for record in super().spelled(message)]
        # Those that are none keep their places.
        return [{} if isinstance(record, Undecodable) else record for record in found]

    def _rewritten(self, decoded: Sequence[Decoded]) -> list[Decoded]:
        return [(m, r if isinstance(r, Undecodable) else self._rewrite(r)) for m, r in decoded]
