"""Sets of descriptors, as protoc writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import DecodeError
from google.protobuf.message_factory import GetMessageClass

from limecep_schemas.unfit import Unfit, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_WRITE = "write it with protoc --include_imports --descriptor_set_out=FILE"


@final
class Descriptors:
    """The messages that a file defines.

    Args:
        path: The file.

    Attributes:
        pool: The definitions.
        paths: Where each message is defined, by its full name: its file, its number in it, and for one inside
            of others the number in each of them.

    Raises:
        Unfit: It cannot be read, or holds no descriptors.
    """

    def __init__(self, path: Path) -> None:
        try:
            data = path.read_bytes()
        except OSError as error:
            raise unreadable(path, error) from None
        try:
            files = FileDescriptorSet.FromString(data).file
        except DecodeError:
            raise Unfit(f"{path} is no set of descriptors", _WRITE) from None
        self.pool = DescriptorPool()
        self.paths: dict[str, tuple[str, tuple[int, ...]]] = {}
        for file in files:
            try:
                self.pool.AddSerializedFile(file.SerializeToString())
                self.pool.FindFileByName(file.name)
            except (TypeError, KeyError) as error:
                why = " ".join(str(error).split())
                raise Unfit(f"{path} lacks what {file.name} imports, or is broken ({why})", _WRITE) from None
            self.paths.update(_paths(file.package, file.name, (), file.message_type))
        if not self.paths:
            raise Unfit(f"{path} defines no message", _WRITE)

    @property
    def names(self) -> list[str]:
        """The messages, those that come with Protocol Buffers left out."""
        return [name for name in self.paths if not name.startswith("google.protobuf.")]

    def at(self, file: str, path: tuple[int, ...]) -> str:
        """The message that is defined somewhere; "" if none is."""
        return next((name for name, place in self.paths.items() if place == (file, path)), "")

    def message(self, name: str) -> Any:
        """The class of a message.

        Raises:
            KeyError: There is none of that name.
        """
        return GetMessageClass(self.pool.FindMessageTypeByName(name))


def _paths(
    around: str, file: str, path: tuple[int, ...], messages: Any
) -> Iterator[tuple[str, tuple[str, tuple[int, ...]]]]:
    for number, message in enumerate(messages):
        name = f"{around}.{message.name}" if around else message.name
        # The entries of maps have numbers, too, but are no messages that anybody sends.
        if not message.options.map_entry:
            yield name, (file, (*path, number))
        yield from _paths(name, file, (*path, number), message.nested_type)
