"""What attributes hold."""

from __future__ import annotations

from typing import Any

from limecep_profile.attributes import LONGEST_VALUE, MOST_VALUES, Attribute, id_fields, key_field, type_field


def attributes(**values: list[Any]) -> dict[str, Attribute]:
    made = {}
    for name, all_of_it in values.items():
        made[name] = Attribute(name)
        for value in all_of_it:
            made[name].note(value)
    return made


def test_kinds_are_counted_and_numbers_have_bounds() -> None:
    (it,) = attributes(v=[1, 2.5, None, "x", True, [1], {}, -3]).values()
    assert it.kinds == {
        "whole number": 2, "number": 1, "nothing": 1, "text": 1, "boolean": 1, "list": 1, "object": 1,
    }  # fmt: skip
    assert (it.least, it.greatest, it.present) == (-3, 2.5, 7)
    assert it.values == {1: 1, "x": 1, -3: 1}


def test_values_are_told_apart_up_to_a_bound() -> None:
    (it,) = attributes(v=[*range(MOST_VALUES), 0]).values()
    assert (it.different, it.many, it.values[0]) == (MOST_VALUES, False, 2)
    it.note(-1)
    assert (it.different, it.many, len(it.values)) == (MOST_VALUES + 1, True, 0)
    (long,) = attributes(v=["x" * (LONGEST_VALUE + 1)]).values()
    assert long.values == {"x" * LONGEST_VALUE: 1}


def test_a_type_has_few_values_and_its_name_says_so() -> None:
    few = ["a", "b"] * 5
    assert type_field(attributes(kind=few, x=few), 10) == "kind"
    assert type_field(attributes(x=few), 10) is None
    assert type_field(attributes(kind=["a"] * 10), 10) is None
    assert type_field(attributes(kind=list("abcdefghij")), 10) is None
    assert type_field(attributes(kind=few), 11) is None
    assert type_field(attributes(type=few, subtype=few, vehicle_type=few), 10) == "type"


def test_a_key_tells_devices_apart() -> None:
    rooms = ["hall", "oven"] * 5
    assert key_field(attributes(room=rooms), 10) == "room"
    assert key_field(attributes(room=[*rooms[:-1], None]), 10) is None
    assert key_field(attributes(room=[str(n) for n in range(10)]), 10) is None
    assert key_field(attributes(colour=rooms), 10) is None


def test_an_id_is_in_every_record_and_no_fraction() -> None:
    ids = list(range(10))
    assert id_fields(attributes(id=ids, uuid=[str(n) for n in ids], device_id=ids), 10) == ["id", "uuid"]
    assert id_fields(attributes(id=[*ids[:-1], 1.5]), 10) == []
    assert id_fields(attributes(id=[*ids[:-1], None]), 10) == []
