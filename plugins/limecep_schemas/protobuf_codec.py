"""Protocol Buffers: messages of one type, plain, or framed as serializers of a schema registry write them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from google.protobuf.message import DecodeError
from google.protobuf.unknown_fields import UnknownFieldSet

from limecep.contracts.codec import Decoded, Record, Undecodable
from limecep.errors import RunFailure
from limecep_schemas.conversion import Conversion
from limecep_schemas.descriptors import Descriptors
from limecep_schemas.framing import Unframed, message_path, schema_id
from limecep_schemas.unfit import Unfit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.context import Context
    from limecep.contracts.source import Message
    from limecep_schemas.config import ProtobufOptions

_OTHERWISE = "Messages that are not need no 'framing'"


class ProtobufCodec:
    """Reads Protocol Buffers (`limecep.contracts.codec`). Framed messages that are empty give no record: so
    Kafka deletes. Without framing such a message is one whose fields all have their defaults."""

    untyped: ClassVar[bool] = False
    holding: ClassVar[bool] = False

    def __init__(self, options: ProtobufOptions, context: Context) -> None:
        try:
            self._known = Descriptors(context.root / options.descriptor)
            self._place = self._known.paths[options.message]
        except Unfit as error:
            raise RunFailure(f"{context.label}: 'descriptor': {error}") from None
        except KeyError:
            said = f"{context.label}: 'message': {options.descriptor} has no message '{options.message}'"
            raise RunFailure(said) from None
        self._name = options.message
        self._type = self._known.message(options.message)
        self._framed = options.framing == "confluent"
        self._value = Conversion(self._known.pool).value
        self._logger = context.logger
        self._strangers = 0

    def decode(self, messages: Sequence[Message]) -> list[Decoded]:
        decoded: list[Decoded] = []
        for message in messages:
            if message.error:
                decoded.append((message, Undecodable(message.error)))
            elif message.value or not self._framed:
                decoded.append((message, self._record(message)))
        return decoded

    def finish(self) -> list[Decoded]:
        return []

    def spelled(self, message: Message) -> list[Record]:
        return []

    def counted(self) -> dict[str, Any]:
        return {"unknown_fields": self._strangers} if self._strangers else {}

    def _record(self, message: Message) -> Record | Undecodable:
        try:
            value = self._unframed(message.value) if self._framed else message.value
            parsed = self._type.FromString(value)
            if not parsed.IsInitialized():
                lacking = ", ".join(parsed.FindInitializationErrors())
                return self._undecodable(message.value, f"it lacks what must be there: {lacking}")
            record = self._value(parsed)
        except Unframed as error:
            return Undecodable(str(error))
        except DecodeError:
            return self._undecodable(message.value, "its bytes do not fit")
        except UnicodeDecodeError:
            return self._undecodable(message.value, "a text in it is not UTF-8")
        except ValueError as error:
            return self._undecodable(message.value, " ".join(str(error).split()))
        except RecursionError:
            return self._undecodable(message.value, "it is nested too deeply")
        if type(record) is not dict:
            return Undecodable(f"no record: a message {self._name} is a single value")
        self._note(message, parsed)
        return record

    def _unframed(self, value: bytes) -> bytes:
        schema_id(value, _OTHERWISE)
        path, begin = message_path(value)
        file, own = self._place
        if path != own:
            other = self._known.at(file, path)
            raise Unframed(
                f"another message than {self._name}: its place in the schema is {_dotted(path)}"
                f"{f', where {file} has {other}' if other else ''}, not {_dotted(own)}"
            )
        return value[begin:]

    def _undecodable(self, value: bytes, why: str) -> Undecodable:
        framed = value[:1] == b"\0" and not self._framed
        hint = "; it begins with byte 0 and may be framed: 'framing: confluent'" if framed else ""
        return Undecodable(f"no message {self._name}: {why}{hint}")

    def _note(self, message: Message, parsed: Any) -> None:
        """Counts messages with fields that their definition does not have, and logs the first."""
        unknown = UnknownFieldSet(parsed)
        if not len(unknown):
            return
        self._strangers += 1
        if self._strangers == 1:
            numbers = ", ".join(str(n) for n in sorted({field.field_number for field in unknown}))
            self._logger.warning(
                f"a message has fields that {self._name} does not define, and they are left out: is it of a "
                "newer definition, or another message? (later ones are counted, not logged)",
                fields=numbers,
                position=message.position,
            )


def _dotted(path: tuple[int, ...]) -> str:
    return ".".join(map(str, path))
