"""Records as they are, in JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from limecep.encoding import to_json

if TYPE_CHECKING:
    from limecep.output.record import Record


class Plain:
    """Makes messages of records where no envelope is asked for (`limecep.contracts.codec.Encoder`)."""

    content_type: ClassVar[str] = "application/json"

    def encode(self, record: Record) -> bytes:
        """The record in JSON."""
        return to_json(record)
