"""Which messages of a log have events of some times."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limecep.detection.spans import Spans
from limecep.runtime import log_index
from limecep.runtime.log_index import IndexRoom, LogIndex, Shelf, Unit

UNITS = st.lists(st.tuples(st.integers(1, 9), st.lists(st.integers(0, 60), max_size=4)), max_size=30)


def indexed(units: list[tuple[int, list[int]]], room: int = 10**6) -> tuple[LogIndex, list[Unit]]:
    """An index of units, by their sizes and times; and the units."""
    index, made, begin = LogIndex(IndexRoom(room)), [], 0
    for number, (size, times) in enumerate(units):
        made.append(Unit(begin, size, number))
        index.add(made[-1], times)
        begin += size
    return index, made


@given(UNITS, st.lists(st.tuples(st.integers(0, 60), st.integers(0, 20)), min_size=1, max_size=3))
def test_the_units_are_those_with_events_of_these_times(
    units: list[tuple[int, list[int]]], ranges: list[tuple[int, int]]
) -> None:
    spans = Spans((low, low + length) for low, length in ranges)
    index, made = indexed(units)
    wanted = [unit for unit, (_, times) in zip(made, units, strict=True) if any(t in spans for t in times)]
    found = [*index.units(spans)]
    # A unit is one range as long as no other has a time between: what is in none of them may be within.
    assert [unit for unit in found if unit in wanted] == wanted
    for unit in set(found) - set(wanted):
        times = units[made.index(unit)][1]
        assert any(min(times) < high and low < max(times) for low, high in spans)


def test_what_came_since_is_found_as_well() -> None:
    index, (first, second) = indexed([(2, [10, 11]), (3, [20])])
    assert [*index.units(Spans([(20, 30)]))] == [second]
    third = Unit(5, 1, 2)
    index.add(third, [11])
    assert [*index.units(Spans([(11, 12)]))] == [first, third]
    assert [*index.units(Spans([(21, 90)]))] == []
    assert [*index.units(Spans([(0, 9)]))] == []


def test_units_know_where_they_stand_and_what_time_was_reached() -> None:
    shelf = Shelf(Unit(100, 4, 7))
    for unit in (Unit(100, 4, 7), Unit(104, 2, 9)):
        shelf.add(unit, [unit.begin])
    assert [shelf.unit(0), shelf.unit(1)] == [Unit(100, 4, 7), Unit(104, 2, 9)]


def test_a_thin_shelf_is_one_unit_of_all() -> None:
    shelf = Shelf(Unit(100, 4, 7))
    shelf.add(Unit(100, 4, 7), [5, 9])
    shelf.add(Unit(104, 2, 9), [30])
    shelf.close()
    before = shelf.bytes
    shelf.thin()
    assert shelf.bytes < before
    assert [shelf.unit(n) for n in shelf.units(Spans([(10, 20)]))] == [Unit(100, 6, 7)]
    assert shelf.units(Spans([(31, 40)])) == shelf.units(Spans([(0, 4)])) == []
    assert shelf.units(Spans([(30, 30)])) == [0]


def test_a_closed_shelf_is_as_large_as_its_ranges() -> None:
    shelf = Shelf(Unit(0, 1, 0))
    for n in range(3):
        shelf.add(Unit(n, 1, 0), [n, n])
    shelf.close()
    # By unit 2 and 8 bytes, by range 8, 8 and 2.
    assert shelf.bytes == 3 * 10 + 3 * 18


@pytest.mark.parametrize(("units", "messages"), [(3, 1000), (1000, 30)])
def test_where_memory_is_full_the_oldest_are_made_thin(
    units: int, messages: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_index, "SHELF_UNITS", units)
    monkeypatch.setattr(log_index, "SHELF_MESSAGES", messages)
    # Room for two shelves of three units.
    index, made = indexed([(10, [n]) for n in range(12)], room=170)
    assert [*index.units(Spans([(0, 0)]))] == [Unit(0, 30, 0)]
    assert [*index.units(Spans([(4, 4)]))] == [made[4]]
    assert [*index.units(Spans([(11, 11)]))] == [made[11]]
