"""Definitions of Protocol Buffers that a registry writes as descriptors."""

from __future__ import annotations

from base64 import b64encode

import pytest
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto

from limecep_schemas.definitions import Definitions, file_of
from limecep_schemas.unfit import Unfit

KINDS = FieldDescriptorProto


def file(name: str, *imports: str, **fields: str) -> FileDescriptorProto:
    """A file with one message, of fields that are messages."""
    made = FileDescriptorProto(name=name, package="plant", syntax="proto3", dependency=imports)
    message = made.message_type.add(name=name.partition(".")[0].title())
    for number, (field, kind) in enumerate(fields.items(), start=1):
        one = {"label": KINDS.LABEL_OPTIONAL, "type": KINDS.TYPE_MESSAGE}
        message.field.add(name=field, number=number, type_name=kind, **one)
    message.nested_type.add(name="Inner")
    return made


def test_messages_are_found_by_their_place() -> None:
    known = Definitions(file("reading.proto"), ())
    assert known.message((0,)).DESCRIPTOR.full_name == "plant.Reading"
    assert known.message((0, 0)).DESCRIPTOR.full_name == "plant.Reading.Inner"
    for path in ((1,), (0, 1), (-1,)):
        with pytest.raises(Unfit, match="no message at the place"):
            known.message(path)


def test_what_every_program_has_need_not_be_registered() -> None:
    imports = ("google/protobuf/timestamp.proto", "confluent/meta.proto", "confluent/type/decimal.proto")
    times = {"at": ".google.protobuf.Timestamp", "price": ".confluent.type.Decimal"}
    known = Definitions(file("reading.proto", *imports, **times), ())
    message = known.message((0,))()
    message.at.seconds = 5
    message.price.scale = 2
    told = {"value": "", "precision": 0, "scale": 2}
    assert known.record(message) == {"at": "1970-01-01T00:00:05Z", "price": told}


def test_what_is_imported_is_among_the_references() -> None:
    place = file("place.proto")
    reading = file("reading.proto", "place.proto", where=".plant.Place")
    assert Definitions(reading, [place, place]).message((0,)).DESCRIPTOR.fields_by_name["where"] is not None
    with pytest.raises(Unfit, match=r"imports place\.proto, which the registry does not name"):
        Definitions(reading, ())
    with pytest.raises(Unfit, match="descriptors are broken"):
        Definitions(file("reading.proto", where=".plant.Place"), ())


def test_source_text_is_no_descriptor() -> None:
    written = b64encode(file("x.proto").SerializeToString()).decode()
    assert file_of(written, "y.proto").name == "y.proto"
    for text in ('syntax = "proto3";', b64encode(b"no descriptor").decode()):
        with pytest.raises(Unfit, match=r"source text, and no descriptors.*protoc"):
            file_of(text, "y.proto")
