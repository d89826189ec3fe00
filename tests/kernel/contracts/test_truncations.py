"""End events whose evaluation was cut short."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.contracts.truncations import Truncations
from limecep.state.book import Book, Numbers
from limecep.testing.streams import SECOND, written

if TYPE_CHECKING:
    from limecep.model.event import Event


def ends(stream: str) -> list[Event]:
    events = written(stream)
    for ordinal, event in enumerate(events, start=1):
        event.ordinal = ordinal
    return events


def test_an_end_event_counts_once_while_memory_holds_it() -> None:
    truncations = Truncations()
    first, second = ends("a1 a2")
    assert [truncations.note(end, "max_per_end") for end in (first, first, second, first)] == [
        True,
        False,
        True,
        False,
    ]
    truncations.forget(2 * SECOND)
    assert truncations.note(first, "max_per_end")
    assert not truncations.note(second, "max_per_end")


def test_the_first_is_named_with_its_bound() -> None:
    truncations = Truncations()
    assert truncations.first is None
    for end, bound in zip(ends("a1.5 a2"), ["enumeration", "max_per_end"], strict=True):
        truncations.note(end, bound)
    expected = {
        "type": "A", "id": "a1.5", "time": "1970-01-01T00:00:01.5Z", "source": "", "bound": "enumeration",
    }  # fmt: skip
    assert truncations.first == expected
    again = Truncations()
    again.restore(truncations.snapshot())
    assert again.first == expected
    truncations.begin(Book(Numbers()))
    assert (truncations.first, truncations.known) == (None, {})


def test_what_is_known_is_written_down() -> None:
    truncations, book = Truncations(), Book(Numbers())
    truncations.begin(book)
    for end in ends("a1 a2"):
        truncations.note(end, "max_per_end")
    rows, _ = book.changes()
    assert len(rows) == 2
    truncations.forget(2 * SECOND)
    assert len(book.changes()[1]) == 1
