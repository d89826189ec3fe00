from __future__ import annotations

import math

import pytest

from limecep.model.event import Event
from limecep.plan.partition import compile_partition


def event(**payload: object) -> Event:
    return Event(type="A", id="7", t_gen=0, source="s", payload=payload)


def test_numbers_agree_whatever_their_kind():
    key = compile_partition((("k",),))
    assert key(event(k=1)) == key(event(k=1.0))
    assert hash(key(event(k=1))) == hash(key(event(k=1.0)))


@pytest.mark.parametrize(("x", "y"), [(True, 1), (False, 0), ("1", 1), (True, "true"), (1, 2), ("a", "b")])
def test_what_does_not_compare_equal_has_another_key(x, y):
    one, two = compile_partition((("k",),)), compile_partition((("k",), ("j",)))
    assert one(event(k=x)) != one(event(k=y))
    assert two(event(k=x, j=0)) != two(event(k=y, j=0))
    assert one(event(k=x)) == one(event(k=x))


@pytest.mark.parametrize("value", [None, [1], {"a": 1}, math.nan])
def test_a_missing_or_incomparable_attribute_gives_no_key(value):
    assert compile_partition((("k",),))(event(k=value)) is None
    assert compile_partition((("k",), ("j",)))(event(j=1, k=value)) is None
    assert compile_partition((("k",),))(event()) is None


def test_several_attributes_make_one_key():
    key = compile_partition((("room", "name"), ("source",)))
    assert key(event(room={"name": "k1"})) == ("k1", "s")
    assert key(event(room="k1")) is None


def test_without_attributes_all_events_have_one_key():
    key = compile_partition(())
    assert key(event()) == key(event(k=1)) is not None
