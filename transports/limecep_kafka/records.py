"""Records of the change log, and of the late output, as messages of topics. Imports no client."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from limecep.output.template import Template

if TYPE_CHECKING:
    from limecep.contracts.codec import Encoder
    from limecep.output.record import Record
    from limecep_kafka.config import KafkaSinkSettings

#: What no topic may have in its name.
_FOREIGN = re.compile(r"[^a-zA-Z0-9._-]")


class Outgoing(NamedTuple):
    """A message to be published."""

    topic: str
    value: bytes | None
    key: bytes | None
    headers: list[tuple[str, bytes]]


class Outgoings:
    """Makes messages. The key is the match, so that its records stay in order; what happened to it also
    stands in the header `op`.

    Args:
        channel: A topic, or a template of topics.
        settings: Those of the sink.
        encoder: Makes values of records.
    """

    def __init__(self, channel: str, settings: KafkaSinkSettings, encoder: Encoder) -> None:
        self._topic = Template(channel, lambda value: _FOREIGN.sub("_", value), ".").channel
        self._mode = settings.mode
        self._encode = encoder.encode
        self._headers = [("content-type", encoder.content_type.encode())]

    def of(self, record: Record) -> Outgoing | None:
        """The message of a record; None if there is to be none."""
        mode = self._mode
        op = record.get("op")
        if op is None:
            # The late output: events that belong to no match.
            headers = [*self._headers, ("reason", record["reason"].encode())]
            return Outgoing(self._topic(record), self._encode(record), None, headers)
        if mode == "final" and op != "final" and not record.get("final"):
            return None
        value = None if mode == "upsert" and op == "retract" else self._encode(record)
        headers = [*self._headers, ("op", op.encode())]
        return Outgoing(self._topic(record), value, record["match"].encode(), headers)
