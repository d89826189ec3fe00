"""Where code stands."""

from __future__ import annotations

from types import SimpleNamespace

from limecep.whereabouts import place_of


def test_a_function_stands_where_it_is_written() -> None:
    place = place_of(test_a_function_stands_where_it_is_written)
    assert place is not None
    assert place.file == __file__
    assert place.text == "def test_a_function_stands_where_it_is_written() -> None:"


def test_of_what_is_written_nowhere_the_file_is_told_if_there_is_one() -> None:
    assert place_of(len) is None
    assert str(place_of(len, SimpleNamespace(__file__="mine.py"))) == "mine.py"
