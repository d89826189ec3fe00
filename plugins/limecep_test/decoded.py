"""Records of a test, in the place of those that a codec makes of messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.codec import Decoded as Pair
    from limecep.contracts.codec import Record
    from limecep.contracts.source import Message


class Decoded:
    """A `limecep.contracts.codec.Codec` of messages that hold records as JSON."""

    untyped: ClassVar[bool] = False
    holding: ClassVar[bool] = False

    def __init__(self, options: Any, context: Any) -> None:
        pass

    def decode(self, messages: Sequence[Message]) -> Sequence[Pair]:
        """The record of each message."""
        return [(message, msgspec.json.decode(message.value)) for message in messages]

    def finish(self) -> Sequence[Pair]:
        """Nothing is held back."""
        return ()

    def spelled(self, message: Message) -> Sequence[Record]:
        """The records as they are: numbers of YAML are spelled no other way."""
        return [msgspec.json.decode(message.value)]
