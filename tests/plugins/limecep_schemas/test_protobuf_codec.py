"""Messages of Protocol Buffers, plain and framed."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet

from limecep.contracts.codec import Undecodable
from limecep.contracts.source import Message
from limecep.errors import RunFailure
from limecep_schemas.config import ProtobufOptions
from limecep_schemas.protobuf_codec import ProtobufCodec

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import RegistryStandIn, Run

DATA = b"\x0a\x02m1\x18\x05"
RECORD = {"machine": "m1", "celsius": 0.0, "count": 5, "state": "OFF"}


def decoded(codec: ProtobufCodec, *values: bytes) -> list[Any]:
    found = codec.decode([Message(value, "c", f"c:{n}") for n, value in enumerate(values)])
    return [record.error if isinstance(record, Undecodable) else record for _, record in found]


@pytest.fixture
def codec(plant: Path, run: Run) -> ProtobufCodec:
    return ProtobufCodec(ProtobufOptions(descriptor=plant.name, message="plant.Reading"), run.context)


@pytest.fixture
def framed(plant: Path, run: Run) -> ProtobufCodec:
    options = ProtobufOptions(descriptor=plant.name, message="plant.Reading", framing="confluent")
    return ProtobufCodec(options, run.context)


def test_a_field_that_can_be_absent_is_left_out_and_others_have_their_defaults(codec: ProtobufCodec) -> None:
    assert decoded(codec, DATA, b"") == [RECORD, {"machine": "", "celsius": 0.0, "state": "OFF"}]


def test_what_cannot_be_read_says_why(codec: ProtobufCodec) -> None:
    found = decoded(codec, b"\x0a\x09m1", b"\x0a\x01\xff", b"\0\0\0\0\1\2\2" + DATA)
    assert all(said.startswith("no message plant.Reading: ") for said in found)
    assert "begins with byte 0 and may be framed: 'framing: confluent'" in found[2]


def test_a_framed_message_is_read_behind_its_head(framed: ProtobufCodec) -> None:
    head = b"\0\0\0\0\x07"
    found = decoded(framed, head + b"\x02\x02" + DATA, b"", DATA, head + b"\x00" + DATA, head + b"\x02\x0c")
    assert found[0] == RECORD
    assert found[1].startswith("no framed message: it begins with byte 0x0a")
    assert found[2] == (
        "another message than plant.Reading: its place in the schema is 0, where plant.proto has "
        "plant.Alarm, not 1"
    )
    assert found[3] == "another message than plant.Reading: its place in the schema is 6, not 1"


def test_fields_that_nobody_defined_are_counted_and_the_first_is_told(codec: ProtobufCodec, run: Run) -> None:
    assert decoded(codec, DATA + b"\x48\x01", DATA, DATA + b"\x48\x01") == [RECORD] * 3
    assert codec.counted() == {"unknown_fields": 2}
    [(level, said, values)] = run.logger.entries
    assert (level, values) == ("warning", {"fields": "9", "position": "c:0"})
    assert "plant.Reading does not define" in said


def test_a_file_that_is_gone_or_changed_when_the_run_begins_ends_it(plant: Path, run: Run) -> None:
    with pytest.raises(RunFailure, match=r"sources.s: 'descriptor': .*gone.pb cannot be read"):
        ProtobufCodec(ProtobufOptions(descriptor="gone.pb", message="a.B"), run.context)
    with pytest.raises(RunFailure, match=r"plant.pb has no message 'a.B'"):
        ProtobufCodec(ProtobufOptions(descriptor=plant.name, message="a.B"), run.context)


def register(registry: RegistryStandIn, number: int, file: FileDescriptorProto, **more: Any) -> None:
    registry.answers[f"/schemas/ids/{number}?format=serialized"] = {
        "schema": b64encode(file.SerializeToString()).decode(),
        "schemaType": "PROTOBUF",
        **more,
    }


def test_definitions_are_those_that_messages_were_written_with(
    plant: Path, run: Run, registry: RegistryStandIn
) -> None:
    (file,) = FileDescriptorSet.FromString(plant.read_bytes()).file
    register(registry, 7, file)
    file.message_type[1].field[0].name = "press"
    register(registry, 8, file)
    codec = ProtobufCodec(ProtobufOptions(registry=registry.url), run.context)
    seven, eight = b"\0\0\0\0\x07", b"\0\0\0\0\x08"
    found = decoded(
        codec, seven + b"\2\2" + DATA, eight + b"\2\2" + DATA, seven + b"\0", b"", seven + b"\2\x0c", DATA
    )
    assert found[:3] == [RECORD, {"press": "m1", "celsius": 0.0, "count": 5, "state": "OFF"}, {}]
    assert found[3] == "schema 7: it has no message at the place 6"
    assert found[4].startswith("no framed message: it begins with byte 0x0a")
    # Each was asked for once.
    assert len(registry.asked) == 2
    only = ProtobufCodec(ProtobufOptions(registry=registry.url, message="plant.Reading"), run.context)
    assert decoded(only, seven + b"\0", seven + b"\2\2" + DATA) == [
        "another message than plant.Reading: plant.Alarm",
        RECORD,
    ]


def test_definitions_that_others_import_are_asked_for_too(
    plant: Path, run: Run, registry: RegistryStandIn
) -> None:
    (file,) = FileDescriptorSet.FromString(plant.read_bytes()).file
    batch = FileDescriptorProto(
        name="default", package="plant", syntax="proto3", dependency=["a/plant.proto"]
    )
    message = batch.message_type.add(name="Batch")
    message.field.add(name="all", number=1, type=11, label=3, type_name=".plant.Reading")
    reference = {"name": "a/plant.proto", "subject": "a/plant", "version": 3}
    register(registry, 9, batch, references=[reference])
    register(registry, 1, file)
    registry.answers["/subjects/a%2Fplant/versions/3?format=serialized"] = registry.answers[
        "/schemas/ids/1?format=serialized"
    ]
    codec = ProtobufCodec(ProtobufOptions(registry=registry.url), run.context)
    value = b"\0\0\0\0\x09\0\x0a" + bytes([len(DATA)]) + DATA
    assert decoded(codec, value) == [{"all": [RECORD]}]


def test_a_registry_that_writes_no_descriptors_is_told_of(run: Run, registry: RegistryStandIn) -> None:
    path = "/schemas/ids/7?format=serialized"
    registry.answers[path] = {"schema": 'syntax = "proto3";', "schemaType": "PROTOBUF"}
    codec = ProtobufCodec(ProtobufOptions(registry=registry.url), run.context)
    (said,) = decoded(codec, b"\0\0\0\0\x07\0")
    assert said.startswith("schema 7: the registry gives its source text, and no descriptors")
    registry.answers.clear()
    registry.status = 501
    again = ProtobufCodec(ProtobufOptions(registry=registry.url), run.context)
    with pytest.raises(RunFailure, match=r"refuses /schemas/ids/7.*501"):
        decoded(again, b"\0\0\0\0\x07\0")
