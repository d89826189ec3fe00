"""What this plugin brings."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl
from limecep_schemas.config import AvroOptions, ProtobufOptions

AVRO = ComponentSpec(
    kind="codec",
    name="avro",
    factory="limecep_schemas.avro_codec:AvroCodec",
    options=AvroOptions,
    summary="Avro messages: of the schema in a file, or of those that a schema registry has",
    example="""\
format: {type: avro, schema: reading.avsc}
format: {type: avro, registry: "http://localhost:8081"}""",
    requires=("fastavro",),
    extra="avro",
    stability="alpha",
)
PROTOBUF = ComponentSpec(
    kind="codec",
    name="protobuf",
    factory="limecep_schemas.protobuf_codec:ProtobufCodec",
    options=ProtobufOptions,
    summary="Protocol Buffers messages: of a descriptor set that protoc writes, or of a schema registry",
    example="""\
format: {type: protobuf, descriptor: plant.pb, message: plant.Reading}
format: {type: protobuf, descriptor: plant.pb, message: plant.Reading, framing: confluent}
format: {type: protobuf, registry: "http://localhost:8081"}""",
    requires=("google",),
    extra="protobuf",
    stability="alpha",
)


@hookimpl
def limecep_codecs() -> list[ComponentSpec]:
    return [AVRO, PROTOBUF]
