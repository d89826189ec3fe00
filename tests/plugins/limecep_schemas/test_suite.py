"""The codecs are codecs like any other. The registry is a stand-in, which answers GET /schemas/ids/{id}."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from limecep.testing.codec import CodecConformance
from limecep.testing.plugin import PluginConformance
from limecep_schemas.avro_codec import AvroCodec
from limecep_schemas.config import AvroOptions, ProtobufOptions
from limecep_schemas.protobuf_codec import ProtobufCodec

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import RegistryStandIn

    from limecep.contracts.context import Context

RECORD = {"machine": "m1", "celsius": 20.5}
AVRO = b"\x04m1\x02\x00\x00\x00\x00\x00\x80\x34\x40"
PROTOBUF = b"\x0a\x02m1\x11\x00\x00\x00\x00\x00\x80\x34\x40"
READ = {**RECORD, "state": "OFF"}


class TestPlugin(PluginConformance):
    module = "limecep_schemas.plugin"


class TestPlainAvro(CodecConformance):
    samples = ((AVRO, [RECORD]), (b"", []), (b"\x04m2\x00", [{"machine": "m2", "celsius": None}]))
    broken = (b"\x04", AVRO + b"\x00", b"\x02\xff\x00", b"\x00\x08")

    @pytest.fixture(autouse=True)
    def _file(self, tmp_path: Path, reading: Any) -> None:
        self.root = tmp_path
        (tmp_path / "r.avsc").write_text(json.dumps(reading))

    def make_codec(self, context: Context) -> AvroCodec:
        context.root = self.root
        return AvroCodec(AvroOptions(schema="r.avsc"), context)


class TestFramedAvro(CodecConformance):
    samples = (
        (b"\0\0\0\0\x07" + AVRO, [RECORD]),
        (b"\0\0\0\0\x07\x04m2\x00", [{"machine": "m2", "celsius": None}]),
    )
    broken = (AVRO, b"\0\0", b"\0\0\0\0\x09" + AVRO, b"\0\0\0\0\x07")

    @pytest.fixture(autouse=True)
    def _registry(self, registry: RegistryStandIn, reading: Any) -> None:
        self.url = registry.url
        registry.register(7, reading)

    def make_codec(self, context: Context) -> AvroCodec:
        return AvroCodec(AvroOptions(registry=self.url), context)


class TestPlainProtobuf(CodecConformance):
    samples = ((PROTOBUF, [READ]), (b"\x20\x01", [{"machine": "", "celsius": 0.0, "state": "ON"}]))
    broken = (b"\x0a", b"\x0a\x01\xff", b"\x0f")

    @pytest.fixture(autouse=True)
    def _file(self, plant: Path) -> None:
        self.root = plant.parent

    def make_codec(self, context: Context) -> ProtobufCodec:
        context.root = self.root
        framing = "confluent" if type(self) is TestFramedProtobuf else "none"
        options = ProtobufOptions(descriptor="plant.pb", message="plant.Reading", framing=framing)  # type: ignore[arg-type]
        return ProtobufCodec(options, context)


class TestFramedProtobuf(TestPlainProtobuf):
    samples = ((b"\0\0\0\0\x07\x02\x02" + PROTOBUF, [READ]), (b"", []))
    broken = (PROTOBUF, b"\0\0\0\0\x07\x00" + PROTOBUF, b"\0\0\0\0\x07")
