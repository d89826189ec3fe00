"""The id, the type and the source of an event are text, unless its payload has something of that name."""

from __future__ import annotations

import pytest

from limecep.language.check import check
from limecep.language.parser import parse


@pytest.mark.parametrize(
    "condition", ["a.id = '1'", "a.id = b.level", "a.id = null", "b.id = 1", "c.id = 1", "a.meta.id = 1"]
)
def test_an_id_may_be_compared_with_text_and_one_of_the_payload_with_anything(condition: str) -> None:
    query = f"PATTERN SEQ(Gas a, Smoke b, Temperature c) WHERE {condition} WITHIN 1 s"
    attributes = {"Gas": {"level", "meta"}, "Smoke": {"id", "level"}}
    assert check(parse(query), attributes=attributes) == []


OWN = {"id": ("n",), "type": ()}


@pytest.mark.parametrize(
    ("condition", "message", "hint"),
    [
        ("c.id = 1", "c.id is text: it does not compare with 1", "write '1', or name the field itself, c.n"),
        ("c.id IN (1, 2)", "c.id is text: it does not compare with 1", "write '1', or"),
        ("c.id BETWEEN 1 AND 2", "c.id is text: it does not compare with 1", "write '1', or"),
        ("c.id = $x", "c.id is text: it does not compare with 7", "write '7', or"),
        ("c.id + 1 = 2", "c.id is text: nothing can be calculated with it", "name the field itself, c.n"),
        ("abs(c.id) = 2", "c.id is text: nothing can be calculated with it", "name the field itself, c.n"),
        ("c.type = 1", "c.type is text: it does not compare with 1", "write '1'"),
    ],
)
def test_where_attributes_are_not_known_an_id_made_of_another_field_is_text(
    condition: str, message: str, hint: str
) -> None:
    query = parse(f"PATTERN SEQ(Temperature c) WHERE {condition} WITHIN 1 s")
    (problem,) = check(query, params={"x": 7}, own=OWN)
    name = "type" if "type" in condition else "id"
    assert problem.message == f"{message}, unless the record has a field '{name}'"
    assert problem.hint.startswith(hint)
    (problem,) = check(query, params={"x": 7}, own=OWN, attributes={"Temperature": {"level", "n"}})
    assert problem.message == message


@pytest.mark.parametrize("own", [{"id": ("id",)}, {"id": ("n", "id")}, {"id": ()}, {}])
@pytest.mark.parametrize("condition", ["c.id = 1", "c.id = $x", "c.id + 1 = 2"])
def test_a_record_with_an_id_of_its_own_may_be_compared_with_anything(
    condition: str, own: dict[str, tuple[str, ...]]
) -> None:
    query = parse(f"PATTERN SEQ(Temperature c) WHERE {condition} WITHIN 1 s")
    assert check(query, params={"x": 7}, own=own) == []


def test_a_field_that_the_payload_does_not_keep_is_not_advised() -> None:
    query = parse("PATTERN SEQ(Temperature c) WHERE c.id = 1 WITHIN 1 s")
    (problem,) = check(query, own=OWN, attributes={"Temperature": {"level"}})
    assert problem.hint == "write '1'"
