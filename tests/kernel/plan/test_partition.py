from __future__ import annotations

import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limecep.model.event import Event
from limecep.model.keys import canonical
from limecep.plan.partition import compile_partition, shown_key


def event(**payload: object) -> Event:
    return Event(type="A", id="7", t_gen=0, source="s", payload=payload)


def test_numbers_agree_whatever_their_kind():
    key = compile_partition((("k",),))
    assert key(event(k=1)) == key(event(k=1.0))
    assert hash(key(event(k=1))) == hash(key(event(k=1.0)))


@pytest.mark.parametrize(
    ("value", "spelled"),
    [
        (1, 1), (1.0, 1), (-0.0, 0), (1.5, 1.5), (1e22, 10**22), (2**70, 2**70), (float(2**70), 2**70),
        (Decimal("1.00"), 1), (Decimal("1E+2"), 100), (Decimal("0.1"), 0.1), (Decimal("-0"), 0),
        ("1", "1"), (math.inf, math.inf), (Decimal("Infinity"), math.inf),
    ],
)  # fmt: skip
def test_a_key_has_one_spelling(value, spelled):
    key = compile_partition((("k",),))(event(k=value))
    assert (key, type(key)) == (spelled, type(spelled))
    assert shown_key((("k",), ("j",)), event(k=value, j=True)) == {"k": spelled, "j": True}


@given(
    st.floats() | st.integers() | st.decimals(allow_nan=True) | st.booleans() | st.text(max_size=2), st.data()
)
def test_equal_values_have_one_spelling(value, data):
    same = [value]
    if isinstance(value, (float, int)) and not isinstance(value, bool) and math.isfinite(value):
        same += [Decimal(value), *([int(value)] if value == int(value) else [])]
    spelled = {(type(s), s) for s in map(canonical, same)}
    assert len(spelled) == 1 or value != value


def test_the_key_that_is_shown_has_the_names_that_were_written():
    assert shown_key((("room", "name"), ("source",)), event(room={"name": "k1"})) == {
        "room.name": "k1", "source": "s"
    }  # fmt: skip
    assert shown_key((), event()) is None


@pytest.mark.parametrize(("x", "y"), [(True, 1), (False, 0), ("1", 1), (True, "true"), (1, 2), ("a", "b")])
def test_what_does_not_compare_equal_has_another_key(x, y):
    one, two = compile_partition((("k",),)), compile_partition((("k",), ("j",)))
    assert one(event(k=x)) != one(event(k=y))
    assert two(event(k=x, j=0)) != two(event(k=y, j=0))
    assert one(event(k=x)) == one(event(k=x))


@pytest.mark.parametrize("value", [None, [1], {"a": 1}, math.nan, Decimal("NaN"), Decimal("1e9999")])
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
