"""Tables of a pipeline without state: plain dictionaries."""

from __future__ import annotations

from limecep.contracts.tables import PLAIN, Form

FORM: Form[int, int] = Form(lambda key, value: [key, value], lambda value, events: tuple(value))


def test_each_table_is_a_dictionary_of_its_own() -> None:
    first, second = PLAIN.table("t", FORM), PLAIN.table("t", FORM)
    assert first == second == {}
    assert first is not second


def test_what_is_held_from_the_beginning_is_the_table() -> None:
    held = {1: 2}
    assert PLAIN.table("t", FORM, held) is held
    PLAIN.drop(held)
    assert held == {1: 2}


def test_a_part_has_plain_tables_too() -> None:
    assert PLAIN.of("part").table("t", FORM) == {}
