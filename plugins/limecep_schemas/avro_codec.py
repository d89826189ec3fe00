"""Avro: messages without their schema, plain, or framed as serializers of a schema registry write them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from limecep.contracts.codec import Decoded, Record, Undecodable
from limecep.errors import RunFailure
from limecep_schemas.avro_schemas import Schema, of_file
from limecep_schemas.framing import HEAD_BYTES, Unframed, schema_id
from limecep_schemas.unfit import Unfit, Unreadable
from limecep_schemas.values import plain, spelled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.context import Context
    from limecep.contracts.source import Message
    from limecep_schemas.config import AvroOptions
    from limecep_schemas.values import Told
    from limecep_schemas.written import WrittenSchemas

#: What a file of Avro begins with, which has its schema in it.
_FILE = b"Obj\x01"
_OTHERWISE = "Messages that are not need 'schema' without 'registry'"


class AvroCodec:
    """Reads Avro (`limecep.contracts.codec`). A message is a record, or a list of records. An empty message
    gives none: so Kafka deletes."""

    untyped: ClassVar[bool] = False
    holding: ClassVar[bool] = False

    def __init__(self, options: AvroOptions, context: Context) -> None:
        self._schema: Schema | None = None
        self._written: WrittenSchemas | None = None
        if options.schema:
            try:
                self._schema = of_file(context.root / options.schema)
            except Unfit as error:
                raise RunFailure(f"{context.label}: 'schema': {error}") from None
        if options.registry:
            from limecep_schemas.registry import Registry
            from limecep_schemas.written import WrittenSchemas

            timeout = options.timeout / 1e6
            registry = Registry(options.registry, options.user, options.password, timeout, context)
            self._written = WrittenSchemas(registry)

    def decode(self, messages: Sequence[Message]) -> list[Decoded]:
        decoded: list[Decoded] = []
        for message in messages:
            if message.error:
                decoded.append((message, Undecodable(message.error)))
            else:
                decoded += [(message, record) for record in self._records(message.value, plain)]
        return decoded

    def finish(self) -> list[Decoded]:
        return []

    def spelled(self, message: Message) -> list[Record]:
        # Those that are none keep their places.
        records = self._records(message.value, spelled)
        return [record if isinstance(record, dict) else {} for record in records]

    def _records(self, value: bytes, told: Told) -> list[Record | Undecodable]:
        if not value:
            return []
        try:
            found = self._value(value)
        except (Unframed, Unreadable) as error:
            odd = value.startswith(_FILE)
            return [Undecodable(f"{error}; it is a file of Avro, which is not read" if odd else str(error))]
        if type(found) is list:
            return [_record(item, told) for item in found]
        return [_record(found, told)]

    def _value(self, value: bytes) -> Any:
        if self._written is None:
            assert self._schema is not None
            try:
                return self._schema.value(value)
            except Unreadable as error:
                if value[0] == 0 and len(value) > HEAD_BYTES:
                    raise Unreadable(f"{error}; it may be framed, and then needs 'registry'") from None
                raise
        number = schema_id(value, _OTHERWISE)
        schema = self._written.of(number)
        try:
            return schema.value(value[HEAD_BYTES:], self._schema)
        except Unreadable as error:
            raise Unreadable(f"schema {number}: {error}") from None


def _record(value: Any, told: Told) -> Record | Undecodable:
    if type(value) is dict:
        record: Record = told(value)
        return record
    return Undecodable(f"no record: the message holds a value of the type {type(value).__name__}")
