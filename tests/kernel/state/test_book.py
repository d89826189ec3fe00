"""The book: what is written of tables is what changed in them."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.contracts.state import Row
from limecep.contracts.tables import Form
from limecep.errors import RunFailure
from limecep.state.book import EACH, Book, Numbers

FORM: Form[str, int] = Form(lambda key, value: [key, value], lambda value, events: (value[0], value[1]))


def said(book: Book) -> tuple[list[tuple[int, str, bytes]], list[int]]:
    put, deleted = book.changes()
    return [tuple(row) for row in put], deleted


def rows(book: Book) -> list[Row]:
    return book.changes()[0]


def test_an_entry_keeps_its_row_until_it_is_deleted() -> None:
    book = Book(Numbers())
    table = book.of("p").table("live", FORM)
    table["a"], table["b"] = 1, 2
    assert said(book) == ([(1, "part/p/live", b'["a",1]'), (2, "part/p/live", b'["b",2]')], [])
    table["a"] = 3
    assert said(book) == ([(1, "part/p/live", b'["a",3]')], [])
    del table["a"]
    assert table.pop("c", None) is None
    assert said(book) == ([], [1])
    table["a"] = 4
    assert said(book) == ([(3, "part/p/live", b'["a",4]')], [])


def test_several_processes_write_one_state() -> None:
    book, second = Book(Numbers()), Book(Numbers(1))
    for b in (book, second):
        b.of("p").table("live", FORM)["a"] = 1
    book.add(*second.changes())
    assert [row.number for row in rows(book)] == [EACH + 1, 1]
    numbers = Numbers(1)
    for seen in (7, EACH + 3, 2 * EACH + 9):
        numbers.seen(seen)
    assert numbers.next() == EACH + 4


def test_what_comes_and_goes_between_two_writings_is_not_written() -> None:
    book = Book(Numbers())
    table = book.table("t", FORM)
    table["a"] = 1
    del table["a"]
    table.update(b=2)
    table.clear()
    assert said(book) == ([], [])


def test_a_table_may_begin_with_something_and_go() -> None:
    book = Book(Numbers())
    table = book.table("t", FORM, {"a": 1})
    assert said(book) == ([(1, "t", b'["a",1]')], [])
    book.drop(table)
    table["a"] = 2
    assert said(book) == ([], [1])


def test_rows_are_read_back_in_the_order_in_which_tables_were_asked_for() -> None:
    book, again = Book(Numbers()), Book(Numbers())
    # What is read of a row of `names` asks for tables of which rows were written before it.
    for name in "xy":
        book.table("values", FORM, {name: 1})
    book.table("names", FORM, {"x": 0, "y": 0})
    families: dict[str, dict[str, int]] = {}

    def read(value: Any, events: Any) -> tuple[str, int]:
        name = value[0]
        families[name] = again.table("values", Form(FORM.write, FORM.read, lambda key, _: families[key]))
        return name, value[1]

    names = again.table("names", Form(FORM.write, read))
    again.load(rows(book), {})
    assert (names, families) == ({"x": 0, "y": 0}, {"x": {"x": 1}, "y": {"y": 1}})
    assert said(again) == ([], [])


def test_a_row_that_names_what_is_not_there_is_damage() -> None:
    book, again = Book(Numbers()), Book(Numbers())
    book.table("t", FORM, {"a": 1})
    again.table("t", Form(FORM.write, lambda value, events: (value[0], events[7].ordinal)))
    with pytest.raises(
        RunFailure, match=r"the state is damaged: a row of 't' does not fit \(KeyError\(7\)\)"
    ):
        again.load(rows(book), {})


def test_a_cell_is_written_where_it_says_something_else() -> None:
    book = Book(Numbers())
    book.cell("head", b"1")
    book.cell("head", b"1")
    assert said(book) == ([(1, "head", b"1")], [])
    book.cell("head", b"1")
    assert said(book) == ([], [])
    book.cell("head", b"2")
    assert said(book) == ([(1, "head", b"2")], [])
    book.drop_cell("head")
    assert said(book) == ([], [1])


def test_every_way_of_changing_a_dictionary_is_noted() -> None:
    book = Book(Numbers())
    table = book.table("t", FORM, {"a": 1, "b": 2, "c": 3})
    rows(book)
    assert table.setdefault("a", 9) == 1
    assert said(book) == ([], [])
    assert table.setdefault("d", 4) == 4
    table |= {"a": 5}
    table.update({"b": 6}, c=7)
    put, deleted = said(book)
    assert [value for _, _, value in put] == [b'["d",4]', b'["a",5]', b'["b",6]', b'["c",7]']
    assert ([number for number, _, _ in put], deleted) == ([4, 1, 2, 3], [])
    assert table.pop("a") == 5
    assert table.pop("a", 8) == 8
    assert table.popitem() == ("d", 4)
    with pytest.raises(KeyError, match="a"):
        table.pop("a")
    assert said(book) == ([], [1, 4])
    table.clear()
    assert said(book) == ([], [2, 3])


def test_an_entry_that_is_deleted_and_made_again_has_a_row_at_the_end() -> None:
    book = Book(Numbers())
    table = book.table("t", FORM, {"a": 1, "b": 2})
    rows(book)
    table["b"] = 3
    del table["a"]
    table["a"] = 4
    assert said(book) == ([(2, "t", b'["b",3]'), (3, "t", b'["a",4]')], [1])


def test_a_table_that_goes_with_changes_leaves_no_row() -> None:
    book = Book(Numbers())
    table = book.table("t", FORM, {"a": 1, "b": 2})
    rows(book)
    table["a"], table["c"] = 3, 4
    del table["b"]
    book.drop(table)
    book.drop(table)
    del table["a"]
    assert table.pop("c") == 4
    assert said(book) == ([], [2, 1])


def test_a_number_that_is_taken_is_not_given_again() -> None:
    numbers = Numbers()
    numbers.seen(5)
    numbers.seen(3)
    assert [numbers.next(), numbers.next()] == [6, 7]


def test_a_part_of_a_part_has_both_names_and_its_tables_go_as_others_do() -> None:
    book = Book(Numbers())
    part = book.of("p").of("q")
    table = part.table("t", FORM, {"a": 1})
    assert said(book) == ([(1, "part/p/q/t", b'["a",1]')], [])
    part.drop(table)
    assert said(book) == ([], [1])


def test_a_cell_that_was_found_keeps_its_row() -> None:
    book = Book(Numbers())
    book.found(Row(7, "head", b"1"))
    book.cell("head", b"1")
    assert said(book) == ([], [])
    book.cell("head", b"2")
    assert said(book) == ([(7, "head", b"2")], [])
    book.drop_cell("head")
    book.drop_cell("head")
    assert said(book) == ([], [7])


def test_what_is_read_is_that_of_its_table_and_keeps_its_row() -> None:
    book, again = Book(Numbers()), Book(Numbers())
    book.table("t", FORM, {"a": 1})
    book.table("u", FORM, {"b": 2})
    table, other = again.table("t", FORM), again.table("v", FORM)
    again.load([*rows(book), Row(9, "head", b"{no table")], {})
    assert (table, other) == ({"a": 1}, {})
    table["a"] = 3
    assert said(again) == ([(1, "t", b'["a",3]')], [])
