"""The short form of events."""

from __future__ import annotations

from decimal import Decimal

import pytest

from limecep_test.words import Misspelt, words


def test_a_word_has_a_type_a_time_attributes_and_an_arrival() -> None:
    text = 'g3 GasLeak4.5(room="the hall", percent=62 on=true of=null name=kit)@7 @60'
    first, second, clock = words(text)
    assert (first.text, first.name, first.time, first.arrival, first.attributes) == ("g3", "g", 3, None, None)
    assert (second.text, second.name, second.time) == ("GasLeak4.5", "GasLeak", Decimal("4.5"))
    assert second.arrival == 7
    assert second.attributes == {"room": "the hall", "percent": 62, "on": True, "of": None, "name": "kit"}
    assert (clock.name, clock.time) == ("", 60)
    assert text[second.begin : second.end].startswith("GasLeak4.5(")


def test_a_type_that_ends_with_digits_is_parted_from_the_time_by_a_colon() -> None:
    (word,) = words("PM25:3.5")
    assert (word.name, word.time) == ("PM25", Decimal("3.5"))


def test_empty_parentheses_are_attributes_too() -> None:
    assert [w.attributes for w in words("g3() g3")] == [{}, None]


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("g3 gas", "gas"),
        ("3", "3"),
        ("g3(percent)", "p"),
        ("g3(percent=1", ""),
        ("g3(a=1)h4", "h"),
        ("g3@x", "@"),
        ("g-3", "g-3"),
    ],
)
def test_what_is_no_event_is_told_where_it_stands(text: str, marked: str) -> None:
    with pytest.raises(Misspelt) as error:
        list(words(text))
    assert text[error.value.begin : error.value.end] == marked
    assert error.value.hint or "blank" in str(error.value)
