"""CloudEvents 1.0: structured (the event is a JSON object) and binary (its attributes are headers)."""

from __future__ import annotations

import base64
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from limecep.contracts.codec import Decoded, Record, Spelled, Undecodable
from limecep.encoding import to_canonical_json, to_json
from limecep_codecs.json_codec import REFUSED, words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from limecep.contracts.context import Context
    from limecep.contracts.source import Message
    from limecep_codecs.config import CloudEventsOptions

#: What every event must have, as text.
_REQUIRED = ("id", "source", "type")
#: How the attributes are named among the headers: at Kafka, over HTTP, among MQTT's user properties.
_PREFIXES = ("ce_", "ce-", "")
_STRUCTURED = "application/cloudevents"
#: Bytes of the digest that is the id of what belongs to no match.
_DIGEST_BYTES = 12


class CloudEvents:
    """Reads and writes CloudEvents (`limecep.contracts.codec`).

    A record has the fields of the event's data, and its attributes as one object. Data that is no object is
    the field `data`; what is neither JSON nor text is `data_base64`, as in the event.
    """

    untyped: ClassVar[bool] = False
    holding: ClassVar[bool] = False
    content_type: ClassVar[str] = "application/cloudevents+json; charset=UTF-8"

    def __init__(self, options: CloudEventsOptions, context: Context) -> None:
        self._name = options.attributes
        self._source = options.source or f"/limecep/{context.pipeline}"
        self._decode = msgspec.json.Decoder().decode
        self._decode_spelled = msgspec.json.Decoder(float_hook=Spelled).decode

    def decode(self, messages: Sequence[Message]) -> list[Decoded]:
        decoded: list[Decoded] = []
        for message in messages:
            if message.error:
                decoded.append((message, Undecodable(message.error)))
            else:
                decoded += [(message, record) for record in self._records(message, self._decode)]
        return decoded

    def finish(self) -> list[Decoded]:
        return []

    def spelled(self, message: Message) -> list[Record]:
        # Those that are none keep their places.
        records = self._records(message, self._decode_spelled)
        return [record if isinstance(record, dict) else {} for record in records]

    def encode(self, record: Record) -> bytes:
        """An event in structured mode. Its id is that of the match with the revision; of the late output a
        digest."""
        event: Record = {"specversion": "1.0", "source": self._source}
        if "op" in record:
            # A consumer drops an event whose id it has: one that is told again on purpose is another.
            more = (
                "/final" if record["op"] == "final" else f"/{record['repeat']}" if "repeat" in record else ""
            )
            event |= {
                "id": f"{record['match']}/{record['revision']}{more}",
                "type": f"limecep.match.{record['op']}",
                "subject": record["pattern"],
                "time": record["detected"],
            }
        else:
            event |= {
                "id": blake2b(to_canonical_json(record), digest_size=_DIGEST_BYTES).hexdigest(),
                "type": f"limecep.late.{record['reason']}",
                "subject": record["source"],
            }
        return to_json({**event, "datacontenttype": "application/json", "data": record})

    def _records(self, message: Message, decode: Any) -> list[Record | Undecodable]:
        if message.headers:
            headers = {name.lower(): value.decode(errors="replace") for name, value in message.headers}
            content_type = headers.get("content-type", "")
            prefix = next((p for p in _PREFIXES if f"{p}specversion" in headers), None)
            if prefix is not None and not content_type.startswith(_STRUCTURED):
                return [self._binary(message, headers, prefix, content_type, decode)]
        try:
            value = decode(message.value)
        except REFUSED as error:
            return [Undecodable(words(message.value, error))] if message.value.strip() else []
        # A batch is a list of events.
        return [self._structured(event) for event in (value if type(value) is list else [value])]

    def _structured(self, event: Any) -> Record | Undecodable:
        if type(event) is not dict or "specversion" not in event:
            return Undecodable("not a CloudEvent: neither an object with 'specversion', nor headers with it")
        data = event.pop("data", None)
        encoded = event.pop("data_base64", None)
        return _problem(event) or self._record(event, data, encoded)

    def _binary(
        self, message: Message, headers: Mapping[str, str], prefix: str, content_type: str, decode: Any
    ) -> Record | Undecodable:
        attributes: Record = {
            name.removeprefix(prefix): value
            for name, value in headers.items()
            if name.startswith(prefix) and name != "content-type"
        }
        if content_type:
            attributes["datacontenttype"] = content_type
        if said := _problem(attributes):
            return said
        kind = content_type.partition(";")[0].strip().lower()
        if not message.value:
            return self._record(attributes, None, None)
        if not kind or kind.endswith(("/json", "+json")):
            try:
                return self._record(attributes, decode(message.value), None)
            except REFUSED as error:
                return Undecodable(words(message.value, error))
        try:
            return self._record(attributes, message.value.decode(), None)
        except UnicodeDecodeError:
            return self._record(attributes, None, base64.b64encode(message.value).decode())

    def _record(self, attributes: Record, data: Any, encoded: Any) -> Record:
        record: Record = data if type(data) is dict else {} if data is None else {"data": data}
        if encoded is not None:
            record["data_base64"] = encoded
        record[self._name] = attributes
        return record


def _problem(attributes: Mapping[str, Any]) -> Undecodable | None:
    for name in _REQUIRED:
        value = attributes.get(name)
        if type(value) is not str or not value:
            return Undecodable(f"not a CloudEvent: '{name}' is missing, or no text")
    version = attributes["specversion"]
    if type(version) is not str or not version.startswith("1."):
        return Undecodable(f"not a CloudEvent of version 1: 'specversion' is {version!r}")
    return None
