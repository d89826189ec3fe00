"""Messages of Avro, plain and framed. The registry is a stand-in that answers GET /schemas/ids/{id}."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from limecep.contracts.codec import Undecodable
from limecep.contracts.source import Message
from limecep.errors import RunFailure
from limecep_schemas.avro_codec import AvroCodec
from limecep_schemas.config import AvroOptions

if TYPE_CHECKING:
    from conftest import RegistryStandIn, Run

DATA = b"\x04m1\x02\x00\x00\x00\x00\x00\x80\x34\x40"
RECORD = {"machine": "m1", "celsius": 20.5}
AMOUNT = {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}


def decoded(codec: AvroCodec, *values: bytes) -> list[Any]:
    found = codec.decode([Message(value, "c", f"c:{n}") for n, value in enumerate(values)])
    return [record.error if isinstance(record, Undecodable) else record for _, record in found]


def plain(run: Run, schema: Any) -> AvroCodec:
    (run.context.root / "r.avsc").write_text(json.dumps(schema))
    return AvroCodec(AvroOptions(schema="r.avsc"), run.context)


def test_a_framed_message_is_read_by_the_schema_it_was_written_with(
    registry: RegistryStandIn, run: Run, reading: Any
) -> None:
    registry.register(7, reading)
    registry.register(8, {**reading, "fields": reading["fields"][:1]})
    codec = AvroCodec(AvroOptions(registry=registry.url), run.context)
    head = b"\0\0\0\0"
    found = decoded(codec, head + b"\x07" + DATA, head + b"\x08" + DATA[:3], b"", head + b"\x09", DATA)
    assert found[:2] == [RECORD, {"machine": "m1"}]
    assert len(found) == 4  # The empty message is none.
    assert found[2].startswith("schema 9: the schema registry ")
    assert "begins with byte 0x04, not with 0: is it framed?" in found[3]
    assert "schema 7: no message of its schema" in decoded(codec, head + b"\x07" + DATA[:5])[0]


def test_a_framed_message_is_turned_into_the_readers_schema(
    registry: RegistryStandIn, run: Run, reading: Any
) -> None:
    registry.register(7, reading)
    field = {"name": "unit", "type": "string", "default": "C"}
    newer = {**reading, "fields": [*reading["fields"], field]}
    (run.context.root / "r.avsc").write_text(json.dumps(newer))
    codec = AvroCodec(AvroOptions(registry=registry.url, schema="r.avsc"), run.context)
    assert decoded(codec, b"\0\0\0\0\x07" + DATA) == [{**RECORD, "unit": "C"}]


def test_what_may_be_framed_and_what_is_a_file_is_told(
    registry: RegistryStandIn, run: Run, reading: Any
) -> None:
    codec = plain(run, reading)
    assert "may be framed, and then needs 'registry'" in decoded(codec, b"\0\0\0\0\x07" + DATA)[0]
    framed = AvroCodec(AvroOptions(registry=registry.url), run.context)
    assert "it is a file of Avro, which is not read" in decoded(framed, b"Obj\x01...")[0]


def test_an_array_is_several_records_and_what_is_none_is_told(run: Run, reading: Any) -> None:
    codec = plain(run, {"type": "array", "items": ["string", reading]})
    assert decoded(codec, b"\x04\x02" + DATA + b"\x00\x02x\x00") == [
        RECORD,
        "no record: the message holds a value of the type str",
    ]


def test_an_id_has_the_decimals_of_its_schema(run: Run) -> None:
    codec = plain(run, {"type": "record", "name": "P", "fields": [{"name": "id", "type": AMOUNT}]})
    message = Message(b"\x04\x00\x96", "c", "c:1")
    assert codec.decode([message]) == [(message, {"id": 1.5})]
    assert codec.spelled(message) == [{"id": "1.50"}]


def test_a_schema_that_is_gone_when_the_run_begins_ends_it(run: Run) -> None:
    with pytest.raises(RunFailure, match=r"sources.s: 'schema': .*gone.avsc cannot be read"):
        AvroCodec(AvroOptions(schema="gone.avsc"), run.context)


def test_messages_nested_ever_more_deeply_are_told_sooner_or_later(run: Run) -> None:
    chain = {"type": "record", "name": "R", "fields": [{"name": "next", "type": ["null", "R"]}]}
    codec = plain(run, chain)
    found = [decoded(codec, b"\x02" * depth + b"\x00")[0] for depth in range(0, 1500, 10)]
    assert found[:2] == [{"next": None}, decoded(codec, b"\x02" * 10 + b"\x00")[0]]
    told = [said for said in found if isinstance(said, str)]
    assert len(told) > 50
    assert all("nested too deeply" in said for said in told)
