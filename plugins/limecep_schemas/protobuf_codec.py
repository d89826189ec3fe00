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
from limecep_schemas.unfit import Unfit, Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.contracts.context import Context
    from limecep.contracts.source import Message
    from limecep_schemas.config import ProtobufOptions

    #: Gives, of the id of a schema and a place in it, the class of the message, and what makes records.
    Definition = Callable[[int, tuple[int, ...]], tuple[Any, Any]]

_OTHERWISE = "Messages that are not need no 'framing'"


class ProtobufCodec:
    """Reads Protocol Buffers (`limecep.contracts.codec`). Framed messages that are empty give no record: so
    Kafka deletes. Without framing such a message is one whose fields all have their defaults."""

    untyped: ClassVar[bool] = False
    holding: ClassVar[bool] = False

    def __init__(self, options: ProtobufOptions, context: Context) -> None:
        self._name = options.message
        self._framed = options.framing == "confluent" or bool(options.registry)
        self._logger = context.logger
        self._strangers = 0
        self._definition: Definition = (
            self._registered(options, context) if options.registry else self._described(options, context)
        )

    def _described(self, options: ProtobufOptions, context: Context) -> Definition:
        """The definition is in a file."""
        try:
            known = Descriptors(context.root / options.descriptor)
            file, own = known.paths[options.message]
        except Unfit as error:
            raise RunFailure(f"{context.label}: 'descriptor': {error}") from None
        except KeyError:
            said = f"{context.label}: 'message': {options.descriptor} has no message '{options.message}'"
            raise RunFailure(said) from None
        made, value = known.message(options.message), Conversion(known.pool).value

        def definition(number: int, path: tuple[int, ...]) -> tuple[Any, Any]:
            if path != own:
                other = known.at(file, path)
                raise Unframed(
                    f"another message than {self._name}: its place in the schema is {_dotted(path)}"
                    f"{f', where {file} has {other}' if other else ''}, not {_dotted(own)}"
                )
            return made, value

        self._alone = made, value
        return definition

    def _registered(self, options: ProtobufOptions, context: Context) -> Definition:
        """The definitions are in a registry."""
        from limecep_schemas.registry import Registry
        from limecep_schemas.written import WrittenDefinitions

        timeout = options.timeout / 1e6
        written = WrittenDefinitions(
            Registry(options.registry, options.user, options.password, timeout, context)
        )

        def definition(number: int, path: tuple[int, ...]) -> tuple[Any, Any]:
            known = written.of(number)
            try:
                made = known.message(path)
            except Unfit as error:
                raise Unreadable(f"schema {number}: {error}") from None
            if self._name and made.DESCRIPTOR.full_name != self._name:
                raise Unreadable(f"another message than {self._name}: {made.DESCRIPTOR.full_name}")
            return made, known.record

        return definition

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
            value, (made, told) = (
                self._unframed(message.value) if self._framed else (message.value, self._alone)
            )
            name = made.DESCRIPTOR.full_name
            parsed = made.FromString(value)
            if not parsed.IsInitialized():
                lacking = ", ".join(parsed.FindInitializationErrors())
                return self._undecodable(message.value, f"it lacks what must be there: {lacking}")
            record = told(parsed)
        except (Unframed, Unreadable) as error:
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
            return Undecodable(f"no record: a message {name} is a single value")
        self._note(message, parsed)
        return record

    def _unframed(self, value: bytes) -> tuple[bytes, tuple[Any, Any]]:
        number = schema_id(value, _OTHERWISE)
        path, begin = message_path(value)
        return value[begin:], self._definition(number, path)

    def _undecodable(self, value: bytes, why: str) -> Undecodable:
        framed = value[:1] == b"\0" and not self._framed
        hint = "; it begins with byte 0 and may be framed: 'framing: confluent'" if framed else ""
        return Undecodable(f"no message{f' {self._name}' if self._name else ''}: {why}{hint}")

    def _note(self, message: Message, parsed: Any) -> None:
        """Counts messages with fields that their definition does not have, and logs the first."""
        unknown = UnknownFieldSet(parsed)
        if not len(unknown):
            return
        self._strangers += 1
        if self._strangers == 1:
            numbers = ", ".join(str(n) for n in sorted({field.field_number for field in unknown}))
            self._logger.warning(
                f"a message has fields that {parsed.DESCRIPTOR.full_name} does not define, and they are left "
                "out: is it of a newer definition, or another message? (later ones are counted, not logged)",
                fields=numbers,
                position=message.position,
            )


def _dotted(path: tuple[int, ...]) -> str:
    return ".".join(map(str, path))
