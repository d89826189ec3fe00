"""Options of the codecs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from limecep import option
from limecep.problems import Problem, suggestion

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# What options are checked by is imported where it is used: listing plugins reads these classes alone.


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistryOptions:
    """Where a schema registry is."""

    registry: str = option(
        "",
        help="The URL of a schema registry with the API of Confluent's. Each message then begins with byte 0 "
        "and the id of the schema that it was written with.",
        example="http://localhost:8081",
    )
    user: str = option("", help="The user at the registry.", example="limecep")
    password: str = option(
        "", help="The password, best kept in a file.", example="${file:/run/secrets/registry}"
    )
    timeout: int = option(
        10_000_000, unit="duration", help="How long an answer of the registry may take.", example="10s"
    )

    def check_registry(self) -> None:
        """Raises ValueError where it cannot be asked so."""
        if self.registry:
            _check_url(self.registry)
        elif self.user or self.password:
            raise ValueError("'user' and 'password' are those at a 'registry', which is not given")
        if self.password and not self.user:
            raise ValueError("'password' needs a 'user'")
        if self.timeout < 1:
            raise ValueError("'timeout' must be more than 0")


def _check_url(registry: str) -> None:
    from urllib.parse import urlsplit

    try:
        url = urlsplit(registry)
        sound = url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0
    except ValueError:
        sound = False
    if not sound or not registry.isprintable() or " " in registry:
        raise ValueError("'registry' must be a URL: http://HOST:PORT or https://HOST:PORT, and a path")
    if url.query or url.fragment:
        raise ValueError("'registry' must be a URL without '?' and '#'")
    if url.username is not None:
        raise ValueError("'registry' must not hold a user: give 'user' and 'password'")


@dataclass(frozen=True, slots=True, kw_only=True)
class AvroOptions(RegistryOptions):
    """Where the schemas of messages are."""

    schema: str = option(
        "",
        help="A file with a schema as JSON (.avsc), below the folder of the pipeline's file. It is the "
        "schema of every message; with a registry it is the reader's schema, which messages are turned into.",
        example="reading.avsc",
    )

    def __post_init__(self) -> None:
        if not self.schema and not self.registry:
            raise ValueError("'schema' or 'registry' must be given")
        self.check_registry()

    def vet(self, root: Path, lines: bool) -> Iterator[tuple[str, Problem]]:
        """What is wrong with the file of the schema, and with messages that are lines."""
        if lines:
            yield "", _of_lines("Avro")
        if self.schema:
            from limecep_schemas.avro_schemas import of_file
            from limecep_schemas.unfit import Unfit

            try:
                of_file(root / self.schema)
            except Unfit as error:
                yield "schema", Problem(code="bad-value", message=f"'schema': {error}", hint=error.hint)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtobufOptions(RegistryOptions):
    """Which message is read, and where its definition is."""

    descriptor: str = option(
        "",
        help="A file with a FileDescriptorSet, below the folder of the pipeline's file: protoc "
        "--include_imports --descriptor_set_out=FILE writes it. Not needed with a registry.",
        example="plant.pb",
    )
    message: str = option(
        "",
        help="The full name of the message. With a registry others are then invalid; without it, messages "
        "are whatever they say that they are.",
        example="plant.Reading",
    )
    framing: Literal["none", "confluent"] = option(
        "none",
        help="What messages begin with; confluent: byte 0, the id of a schema, and the place of the message "
        "in it, as serializers of a schema registry write them. With a registry they always do, and the id "
        "is looked up.",
    )

    def __post_init__(self) -> None:
        if bool(self.descriptor) == bool(self.registry):
            said = "'descriptor' or 'registry' must be given"
            raise ValueError(f"{said}, not both" if self.descriptor else said)
        if self.descriptor and not self.message:
            raise ValueError("'message' must name a message of 'descriptor'")
        self.check_registry()

    def vet(self, root: Path, lines: bool) -> Iterator[tuple[str, Problem]]:
        """What is wrong with the file of the descriptors, and with messages that are lines."""
        if lines:
            yield "", _of_lines("Protocol Buffers")
        try:
            from limecep_schemas.descriptors import Descriptors
        except ImportError:
            # Other distributions have modules of `google`, too.
            said = "codec 'protobuf' needs the module 'google.protobuf', which is not installed"
            yield "", Problem(code="missing-module", message=said, hint="pip install 'limecep[protobuf]'")
            return
        from limecep_schemas.unfit import Unfit

        if self.registry:
            return
        try:
            known = Descriptors(root / self.descriptor)
        except Unfit as error:
            yield "descriptor", Problem(code="bad-value", message=f"'descriptor': {error}", hint=error.hint)
            return
        if self.message not in known.paths:
            said = f"'message': {self.descriptor} has no message '{self.message}'"
            yield (
                "message",
                Problem(code="bad-value", message=said, hint=suggestion(self.message, known.names)),
            )


def _of_lines(what: str) -> Problem:
    return Problem(
        code="bad-value",
        message=f"messages of {what} are binary, and this source reads lines of a text",
        hint="read them from a broker",
    )
