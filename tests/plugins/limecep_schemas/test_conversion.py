"""Messages of Protocol Buffers as records: as its own JSON mapping has them, but for what the record says
otherwise."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from google.protobuf import any_pb2, duration_pb2, field_mask_pb2, struct_pb2, timestamp_pb2, wrappers_pb2
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from limecep_schemas.conversion import Conversion, single

GOOGLE = (any_pb2, duration_pb2, field_mask_pb2, struct_pb2, timestamp_pb2, wrappers_pb2)
TYPES = {
    "text": FieldDescriptorProto.TYPE_STRING,
    "raw": FieldDescriptorProto.TYPE_BYTES,
    "flag": FieldDescriptorProto.TYPE_BOOL,
    "single": FieldDescriptorProto.TYPE_FLOAT,
    "double": FieldDescriptorProto.TYPE_DOUBLE,
    "big": FieldDescriptorProto.TYPE_UINT64,
}
MESSAGES = {
    "at": "Timestamp", "took": "Duration", "mask": "FieldMask", "any": "Any", "tree": "Struct",
    "value": "Value", "list": "ListValue", "wrapped": "Int64Value", "bytes": "BytesValue",
}  # fmt: skip


def pool() -> DescriptorPool:
    """The message All has a field of each of those kinds, `child` of its own, and what has several values."""
    known_types, file = DescriptorPool(), FileDescriptorProto(name="all.proto", package="t", syntax="proto3")
    for module in GOOGLE:
        known = FileDescriptorProto()
        module.DESCRIPTOR.CopyToProto(known)
        known_types.AddSerializedFile(known.SerializeToString())
        file.dependency.append(known.name)
    message = file.message_type.add(name="All")
    one, many = FieldDescriptorProto.LABEL_OPTIONAL, FieldDescriptorProto.LABEL_REPEATED
    number = iter(range(1, 100))
    for name, kind in TYPES.items():
        message.field.add(name=name, number=next(number), type=kind, label=one)
    kind = FieldDescriptorProto.TYPE_MESSAGE
    own = {"child": (".t.All", one), "children": (".t.All", many), "per_flag": (".t.All.PerFlagEntry", many)}
    of_google = {name: (f".google.protobuf.{type_name}", one) for name, type_name in MESSAGES.items()}
    for name, (type_name, label) in {**of_google, **own}.items():
        message.field.add(name=name, number=next(number), type=kind, label=label, type_name=type_name)
    message.field.add(name="raws", number=next(number), type=TYPES["raw"], label=many)
    enum = FieldDescriptorProto.TYPE_ENUM
    message.field.add(name="states", number=next(number), type=enum, label=many, type_name=".t.State")
    entry = message.nested_type.add(name="PerFlagEntry")
    entry.options.map_entry = True
    entry.field.add(name="key", number=1, type=TYPES["flag"], label=one)
    entry.field.add(name="value", number=2, type=TYPES["big"], label=one)
    state = file.enum_type.add(name="State")
    state.value.add(name="OFF", number=0)
    state.value.add(name="ON", number=1)
    known_types.AddSerializedFile(file.SerializeToString())
    return known_types


POOL = pool()
All: Any = GetMessageClass(POOL.FindMessageTypeByName("t.All"))


def made(**fields: Any) -> Any:
    """A message; those in it are copied into the definitions that it has."""
    message = All()
    for name, value in fields.items():
        if isinstance(value, Message):
            getattr(message, name).SetInParent()
            getattr(message, name).MergeFromString(value.SerializeToString())
        elif name in ("tree", "per_flag"):
            getattr(message, name).update(value)
        elif isinstance(value, list):
            getattr(message, name).extend(value)
        elif isinstance(value, dict):
            getattr(message, name).CopyFrom(All(**value))
        else:
            setattr(message, name, value)
    return message


def told(message: Any) -> dict[str, Any]:
    return Conversion(POOL).record(message)


def packed(message: Any) -> any_pb2.Any:
    anything = any_pb2.Any()
    anything.Pack(message)
    return anything


def test_what_is_absent_is_left_out_and_what_cannot_be_has_its_default() -> None:
    assert told(All()) == {
        "text": "", "raw": "", "flag": False, "single": 0.0, "double": 0.0, "big": 0,
        "children": [], "per_flag": {}, "raws": [], "states": [],
    }  # fmt: skip


@pytest.mark.parametrize(
    "fields",
    [
        {"text": "ä", "raw": b"\x00\xff", "flag": True, "single": 0.1, "double": 0.1},
        {
            "single": 16777216.0,
            "child": {"text": "a", "child": {"flag": True}},
            "children": [All(text="b"), All()],
        },
        {"raws": [b"a", b""], "states": [1, 0, 7]},
        {"at": timestamp_pb2.Timestamp(seconds=1_767_607_200, nanos=250_000_000)},
        {"at": timestamp_pb2.Timestamp(), "took": duration_pb2.Duration(seconds=1, nanos=500_000_000)},
        {
            "mask": field_mask_pb2.FieldMask(paths=["a.b_c", "d"]),
            "bytes": wrappers_pb2.BytesValue(value=b"a"),
        },
        {"tree": {"a": [1, 2.5, None, True, "x", {"b": []}]}},
        {"value": struct_pb2.Value(string_value="x"), "list": struct_pb2.ListValue()},
        {"any": packed(timestamp_pb2.Timestamp(seconds=5))},
    ],
)
def test_a_record_is_what_the_json_mapping_says(fields: dict[str, Any]) -> None:
    message = made(**fields)
    wanted = MessageToDict(
        message,
        preserving_proto_field_name=True,
        always_print_fields_with_no_presence=True,
        descriptor_pool=POOL,
    )
    found = told(message)
    # Its own default is text: "0".
    assert wanted.pop("big") == str(found.pop("big"))
    for child in (found.get("child"), *found["children"]):
        while child:
            child["big"] = str(child["big"])
            child = child.get("child")
    assert found == wanted


def test_integers_of_64_bits_are_numbers() -> None:
    message = made(
        big=2**64 - 1, wrapped=wrappers_pb2.Int64Value(value=-(2**63)), per_flag={True: 2**63, False: 1}
    )
    found = told(message)
    assert (found["big"], found["wrapped"]) == (2**64 - 1, -(2**63))
    assert found["per_flag"] == {"true": 2**63, "false": 1}


def test_numbers_that_are_not_finite_are_missing() -> None:
    inner = struct_pb2.Value(number_value=float("inf"))
    found = told(made(double=float("nan"), single=float("-inf"), value=inner))
    assert (found["double"], found["single"], found["value"]) == (None, None, None)


def test_a_message_of_any_type_says_its_type() -> None:
    assert (
        told(made(any=packed(made(text="a"))))["any"].items()
        >= {
            "@type": "type.googleapis.com/t.All",
            "text": "a",
        }.items()
    )
    stranger = any_pb2.Any(type_url="x/not.Known", value=b"\x01")
    assert told(made(any=stranger))["any"] == {"@type": "x/not.Known", "value": "AQ=="}


def test_times_that_cannot_be_and_messages_nested_too_deeply_are_refused() -> None:
    with pytest.raises(ValueError, match=r"out of range|valid"):
        told(made(at=timestamp_pb2.Timestamp(seconds=2**60)))
    deep = All(text="a")
    for _ in range(1000):
        deep = made(any=packed(deep))
    with pytest.raises(RecursionError):
        told(deep)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.10000000149011612, 0.1),
        (16777216.0, 16777216.0),
        (3.4028234663852886e38, 3.4028235e38),
        (1e-45, 1.4013e-45),
    ],
)
def test_a_number_of_32_bits_has_no_more_digits_than_tell_it(value: float, shown: float) -> None:
    value = struct.unpack("<f", struct.pack("<f", value))[0]
    assert single(value) == shown
