"""Definitions of Protocol Buffers that a registry has, as descriptors."""

from __future__ import annotations

import binascii
from base64 import b64decode
from importlib import import_module
from typing import TYPE_CHECKING, Any, final

from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import DecodeError
from google.protobuf.message_factory import GetMessageClass

from limecep_schemas.conversion import Conversion
from limecep_schemas.unfit import Unfit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from limecep.contracts.codec import Record

#: Files that come with Protocol Buffers, and are in no registry.
_OF_GOOGLE = {
    f"google/protobuf/{name}.proto"
    for name in ("any", "api", "descriptor", "duration", "empty", "field_mask", "source_context", "struct",
                 "timestamp", "type", "wrappers")
}  # fmt: skip
#: Files that come with the serializers of Confluent's registry. The first defines options alone.
_META, _DECIMAL = "confluent/meta.proto", "confluent/type/decimal.proto"


def file_of(text: str, name: str) -> FileDescriptorProto:
    """The file that the text of a registry describes, under another name: that by which others import it.

    Raises:
        Unfit: It describes none.
    """
    try:
        file = FileDescriptorProto.FromString(b64decode(text, validate=True))
    except (binascii.Error, ValueError, DecodeError):
        raise Unfit(
            "the registry gives its source text, and no descriptors ('format=serialized'): write them with "
            "protoc --include_imports --descriptor_set_out=FILE, and name that with 'descriptor'"
        ) from None
    file.name = name
    return file


@final
class Definitions:
    """The messages that a schema defines.

    Args:
        file: The schema.
        others: The schemas that it imports, each after those that it imports itself.

    Raises:
        Unfit: It imports what is not there, or is broken.
    """

    def __init__(self, file: FileDescriptorProto, others: Iterable[FileDescriptorProto]) -> None:
        self._pool = DescriptorPool()
        self._file = file
        self._there: set[str] = set()
        self._classes: dict[tuple[int, ...], Any] = {}
        for each in (*others, file):
            self._add(each)
        self.record: Callable[[Any], Record | Any] = Conversion(self._pool).value

    def message(self, path: tuple[int, ...]) -> Any:
        """The class of the message that is defined somewhere in the schema.

        Raises:
            Unfit: There is none.
        """
        known = self._classes.get(path)
        if known is None:
            known = self._classes[path] = self._found(path)
        return known

    def _found(self, path: tuple[int, ...]) -> Any:
        name, messages = self._file.package, self._file.message_type
        for number in path:
            if not 0 <= number < len(messages):
                raise Unfit(f"it has no message at the place {'.'.join(map(str, path))}")
            name = f"{name}.{messages[number].name}" if name else messages[number].name
            messages = messages[number].nested_type
        return GetMessageClass(self._pool.FindMessageTypeByName(name))

    def _add(self, file: FileDescriptorProto) -> None:
        if file.name in self._there:
            return
        for name in file.dependency:
            if name not in self._there and (brought := _brought(name)) is not None:
                self._add(brought)
        absent = [name for name in file.dependency if name not in self._there]
        if absent:
            raise Unfit(f"it imports {absent[0]}, which the registry does not name among its references")
        self._there.add(file.name)
        try:
            self._pool.AddSerializedFile(file.SerializeToString())
            self._pool.FindFileByName(file.name)
        except (TypeError, KeyError) as error:
            raise Unfit(f"its descriptors are broken ({' '.join(str(error).split())})") from None


def _brought(name: str) -> FileDescriptorProto | None:
    """A file that every program has; None if it is none of those."""
    file = FileDescriptorProto(name=name, syntax="proto3")
    if name in _OF_GOOGLE:
        module = import_module(f"{name.removesuffix('.proto').replace('/', '.')}_pb2")
        module.DESCRIPTOR.CopyToProto(file)
    elif name == _DECIMAL:
        file.package = "confluent.type"
        decimal = file.message_type.add(name="Decimal")
        kinds = FieldDescriptorProto
        fields = (("value", kinds.TYPE_BYTES), ("precision", kinds.TYPE_UINT32), ("scale", kinds.TYPE_INT32))
        for number, (field, kind) in enumerate(fields, start=1):
            decimal.field.add(name=field, number=number, type=kind, label=kinds.LABEL_OPTIONAL)
    elif name != _META:
        return None
    return file
