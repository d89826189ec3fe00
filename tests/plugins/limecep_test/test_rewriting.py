"""Expectations written anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import structlog

from limecep_test.cases import prepare
from limecep_test.rewriting import Unwritable, rewritten
from tests.plugins.limecep_test.conftest import REGISTRY, case

if TYPE_CHECKING:
    from tests.plugins.limecep_test.conftest import House

EVENTS = "g3(percent=62) h5 s21 h10@24 s21"


def update(house: House, tests: str) -> str:
    """The file once it is written anew."""
    house.write(tests)
    prepared = prepare(house.file, REGISTRY, structlog.get_logger(), update=True)
    assert prepared.file is not None
    return rewritten(prepared.file, [ready.run() for ready in prepared.tests])


def test_only_what_does_not_hold_is_written_anew_and_comments_stay(house: House) -> None:
    before = """\
  # first
  - name: it                   # says what
    events: g3(percent=62) h5 s21 h10@24 s21
    expect:
      # the log
      updates:                 # in order
        - emit fire g=g3 h=h5 s=s21   # soon
        - retract fire g=g3 h=h5 s=s21 by h10 @3
      # what stays
      net:
        - fire
      counts: {read: 4, late: 0}      # how many

  - name: fine                 # as it is
    events: g3
    expect: {net: []}
"""
    after = """\
  # first
  - name: it                   # says what
    events: g3(percent=62) h5 s21 h10@24 s21
    expect:
      # the log
      updates:                 # in order
        - emit fire g=g3 h=h5 s=s21 -> percent=62 by s21 @21
        - correct fire g=g3 h=h5,h10 s=s21 -> percent=62 by h10 @24
      # what stays
      net:
        - fire
      counts: {read: 5, late: 0}      # how many

  - name: fine                 # as it is
    events: g3
    expect: {net: []}
"""
    text = update(house, before)
    assert text == f"pipeline: house.yaml\ntests:\n{after}"
    house.file.write_text(text)
    assert all(ready.run().passed for ready in prepare(house.file, REGISTRY, structlog.get_logger()).tests)


def test_a_line_that_is_the_same_stays_with_its_comment(house: House) -> None:
    line = "        - emit fire g=g3 h=h5 s=s21 -> percent=62   # soon\n"
    tests = case(EVENTS) + "    expect:\n      updates:\n" + line
    assert line in update(house, tests)


def test_what_is_empty_is_filled_in(house: House) -> None:
    text = update(house, case(EVENTS, "updates:\nnet:\nlate:\ncounts:"))
    assert text.endswith("""\
    expect:
      updates:
        - emit fire g=g3 h=h5 s=s21 -> percent=62
        - correct fire g=g3 h=h5,h10 s=s21 -> percent=62
      net:
        - fire g=g3 h=h5,h10 s=s21 -> percent=62
      late: []
      counts: {read: 5, in_order: 3, out_of_order: 1, duplicate: 1, emitted: 1, corrected: 1, live: 1}
""")


def test_ids_that_are_no_plain_text_are_quoted(house: House) -> None:
    text = update(house, case("'g3(percent=62, id=\"a: #b\") h5 s21'", "net:"))
    house.file.write_text(text)
    (ready,) = prepare(house.file, REGISTRY, structlog.get_logger()).tests
    assert ready.run().passed
    assert "a: #b" in text


def test_lists_in_a_line_of_their_own_become_several_lines(house: House) -> None:
    text = update(house, case(EVENTS, "net: []"))
    assert "      net:\n        - fire g=g3 h=h5,h10 s=s21 -> percent=62\n" in text


def test_what_stands_in_a_line_with_something_else_is_left_to_people(house: House) -> None:
    with pytest.raises(Unwritable, match=r"house.test.yaml:5: give 'net' a line of its own"):
        update(house, case(EVENTS, more="expect: {net: []}"))


def test_a_file_that_holds_stays_as_it_is(house: House) -> None:
    house.write(case(EVENTS, "net: [fire]", "any_order: 3"))
    before = house.file.read_text()
    assert update(house, case(EVENTS, "net: [fire]", "any_order: 3")) == before
