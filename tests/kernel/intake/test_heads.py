"""Type, id and order of an event, read from decoded records."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.config.model import ComponentConfig, SourceConfig
from limecep.contracts.codec import Spelled
from limecep.contracts.source import Message
from limecep.intake.fields import Unusable
from limecep.intake.heads import id_reader, order_reader, type_reader
from limecep.intake.times import Inexact
from limecep.spec import ComponentSpec

MESSAGE = Message(b"", "home/k1/gas", "1")


def config(**changes: Any) -> SourceConfig:
    spec = ComponentSpec(kind="source", name="test", factory="", summary="")
    return SourceConfig(name="src", connector=ComponentConfig(spec=spec, options=None), channel="", **changes)


def test_a_type_is_the_fixed_one_or_the_name_of_the_source() -> None:
    assert type_reader(config(event_type="A"))({}, MESSAGE) == "A"
    assert type_reader(config())({}, MESSAGE) == "src"


def test_types_come_from_a_field_and_a_map() -> None:
    type_of = type_reader(config(type_field="k", type_map={"A": "Alarm"}))
    assert [type_of({"k": k}, MESSAGE) for k in "AB"] == ["Alarm", "B"]
    with pytest.raises(Unusable, match="type 'k' is a number, not text"):
        type_of({"k": 1.5}, MESSAGE)
    with pytest.raises(Unusable, match="'k' is missing"):
        type_of({}, MESSAGE)


def test_without_fields_there_is_no_id_to_read() -> None:
    assert id_reader((), "/") is None


@pytest.mark.parametrize(
    ("value", "read"),
    [("a b", "a b"), (-7, "-7"), (Spelled("1.00"), "1.00"), (Spelled("1e2"), "1e2")],
)
def test_ids_are_text_or_numbers_as_spelled(value: Any, read: str) -> None:
    id_of = id_reader(("id",), "/")
    assert id_of is not None
    assert id_of({"id": value}, MESSAGE) == read


def test_the_spelling_of_a_float_is_asked_for() -> None:
    id_of = id_reader(("id",), "/")
    assert id_of is not None
    with pytest.raises(Inexact):
        id_of({"id": 1.1}, MESSAGE)


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({}, "no id: 'id' is missing"), ({"id": None}, "no id: 'id' is missing"), ({"id": ""}, "no id"),
        ({"id": True}, "id 'id' is a boolean"), ({"id": {}}, "id 'id' is an object"),
        ({"id": [1]}, "id 'id' is a list, not text or a number"),
    ],
)  # fmt: skip
def test_other_ids_are_unusable(record: dict[str, Any], words: str) -> None:
    id_of = id_reader(("id",), "/")
    assert id_of is not None
    with pytest.raises(Unusable, match=words):
        id_of(record, MESSAGE)


def test_an_id_of_several_fields_needs_them_all() -> None:
    id_of = id_reader(("$topic[1]", "seq"), "/")
    assert id_of is not None
    assert id_of({"seq": 4}, MESSAGE) == "k1/4"
    with pytest.raises(Unusable, match="'seq' is missing"):
        id_of({}, MESSAGE)


def test_without_a_field_there_is_no_order_to_read() -> None:
    assert order_reader(None, "/", None) is None


@pytest.mark.parametrize("value", [2, 2.0, "2", "+2", "002", " 2 ", "2.0"])
def test_an_order_is_an_integer_however_it_is_written(value: Any) -> None:
    order_of = order_reader("n", "/", None)
    assert order_of is not None
    assert order_of({"n": value}, MESSAGE) == 2


@pytest.mark.parametrize("value", [-(2**63), 2**63 - 1, str(2**63 - 1), "-3"])
def test_an_order_has_64_bits(value: Any) -> None:
    order_of = order_reader("n", "/", None)
    assert order_of is not None
    assert order_of({"n": value}, MESSAGE) == int(value)


@pytest.mark.parametrize(
    "value", [2**63, -(2**63) - 1, str(2**63), 1.5, [1], 1e30, True, "x", None, "--1", "²"]
)
def test_other_orders_are_unusable(value: Any) -> None:
    order_of = order_reader("n", "/", None)
    assert order_of is not None
    with pytest.raises(Unusable, match="order"):
        order_of({"n": value}, MESSAGE)
