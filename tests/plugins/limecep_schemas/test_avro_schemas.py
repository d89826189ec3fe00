"""Schemas of Avro, and messages that are of them or not."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from fastavro import parse_schema, schemaless_writer

from limecep_schemas.avro_schemas import Schema, of_file
from limecep_schemas.unfit import Unfit, Unreadable

if TYPE_CHECKING:
    from pathlib import Path


READING: Any = {
    "type": "record",
    "name": "Reading",
    "namespace": "plant",
    "fields": [{"name": "machine", "type": "string"}, {"name": "celsius", "type": ["null", "double"]}],
}


def schema(schema: Any, *references: Any) -> Schema:
    return Schema(json.dumps(schema), map(json.dumps, references))


def record(*fields: tuple[str, Any], name: str = "R") -> dict[str, Any]:
    return {"type": "record", "name": name, "fields": [{"name": n, "type": t} for n, t in fields]}


def written(schema: Any, value: Any) -> bytes:
    stream = io.BytesIO()
    schemaless_writer(stream, parse_schema(schema), value)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "it is not JSON"),
        ("[" * 900 + "]" * 900, "it is nested too deeply"),
        ("5", "no schema"),
        ('{"type": "record"}', '"name" is a required field'),
        (json.dumps(record(("a", "Missing"))), "type Missing is not defined"),
        ('"string"', "is no record, and no list of records"),
        ('["null", "int"]', "is no record"),
        (json.dumps(record(("a", {"type": "array", "items": "null"}))), "whose items take no bytes"),
        (json.dumps(record(("a", {"type": "array", "items": record(name="Empty")}))), "take no bytes"),
    ],
)
def test_what_is_no_schema_of_records_says_why(text: str, said: str) -> None:
    with pytest.raises(Unfit, match=said):
        Schema(text)


def test_a_file_is_named_where_it_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(Unfit, match=r"none\.avsc cannot be read: No such file"):
        of_file(tmp_path / "none.avsc")
    (tmp_path / "bad.avsc").write_text("{")
    with pytest.raises(Unfit, match=r"bad\.avsc: no schema"):
        of_file(tmp_path / "bad.avsc")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\x04m1\x02", "it ends too early"),
        (b"\x04m1\x06", "a branch of a union"),
        (b"\x02\xff\x00", "is not UTF-8"),
        (b"\x04m1\x00more", "4 of its 8 bytes are left over"),
    ],
)
def test_a_message_of_another_schema_says_why(data: bytes, said: str) -> None:
    with pytest.raises(Unreadable, match=f"no message of its schema: .*{said}"):
        schema(READING).value(data)


def test_a_time_or_an_id_that_is_none_says_so() -> None:
    named = schema(record(("id", {"type": "string", "logicalType": "uuid"})))
    with pytest.raises(Unreadable, match=r"a value in it is none of its type \(badly formed"):
        named.value(b"\x02a")
    timed = schema(record(("t", {"type": "long", "logicalType": "timestamp-millis"})))
    with pytest.raises(Unreadable, match="out of range"):
        timed.value(b"\xfe\xff\xff\xff\xff\xff\xff\xff\x7f")


def test_a_message_nested_as_deeply_as_it_is_long_ends_no_process() -> None:
    chain = schema(record(("next", ["null", "R"])))
    assert chain.value(b"\x02\x00") == {"next": {"next": None}}
    with pytest.raises(Unreadable, match="nested too deeply"):
        chain.value(b"\x02" * 1_000_000)


def test_a_message_is_turned_into_another_schema() -> None:
    field = {"name": "unit", "type": "string", "default": "C"}
    newer = schema({**READING, "fields": [READING["fields"][0], field]})
    data = written(READING, {"machine": "m1", "celsius": 20.5})
    assert schema(READING).value(data, newer) == {"machine": "m1", "unit": "C"}
    other = schema({**READING, "name": "Other"})
    with pytest.raises(Unreadable, match=r"plant\.Reading does not turn into plant\.Other, .* of 'schema'$"):
        schema(READING).value(data, other)
    stricter = schema({**READING, "fields": [{"name": "unit", "type": "string"}]})
    with pytest.raises(Unreadable, match="of 'schema': No default value for field unit"):
        schema(READING).value(data, stricter)


def test_types_of_other_schemas_are_known() -> None:
    whole = schema(record(("at", "Place"), name="Whole"), record(("x", "int"), name="Place"))
    assert whole.value(b"\x02") == {"at": {"x": 1}}
