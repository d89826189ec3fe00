"""The ledger: a match keeps its name and counts its revisions."""

from __future__ import annotations

from typing import Any

from limecep.management.ledger import Ledger
from limecep.model.event import Event
from limecep.model.match import Match


def match(*times: int) -> Match:
    groups = tuple((Event("A", f"a{t}", t, ordinal=t),) for t in times)
    alternative: Any = None
    return Match(alternative, groups)


M, N, P = match(1, 2), match(1, 2, 3), match(1, 4)
KM, KN, KP = M.key(), N.key(), P.key()


def test_a_match_counts_its_revisions_through_corrections() -> None:
    ledger = Ledger()
    assert (ledger.emit(KM, M).revision, ledger.emit(KM, M).generation) == (1, 0)
    second = ledger.correct(KM, M, KN, N)
    assert (second.first, second.revision) == (M, 2)
    third = ledger.correct(KN, N, KP, P)
    assert (third.first, third.revision) == (M, 3)


def test_a_match_found_again_goes_on_counting() -> None:
    ledger = Ledger()
    ledger.emit(KM, M)
    assert ledger.retract(KM, M).revision == 2
    again = ledger.emit(KM, M)
    assert (again.first, again.revision, again.generation) == (M, 3, 0)


def test_a_match_that_took_another_form_is_found_again_in_that_form() -> None:
    ledger = Ledger()
    ledger.emit(KM, M)
    ledger.correct(KM, M, KN, N)
    ledger.retract(KN, N)
    again = ledger.emit(KN, N)
    assert (again.first, again.revision) == (M, 4)


def test_the_events_another_match_began_as_make_a_match_of_another_name() -> None:
    ledger = Ledger()
    ledger.emit(KM, M)
    ledger.correct(KM, M, KN, N)
    other = ledger.emit(KM, M)
    assert (other.first, other.revision, other.generation) == (M, 1, 1)
    assert ledger.retract(KM, M).generation == 1
    assert ledger.emit(KM, M).revision == 3


def test_what_nothing_can_change_any_more_is_forgotten() -> None:
    ledger = Ledger()
    ledger.emit(KM, M)
    ledger.retract(KM, M)
    ledger.forget(2)
    assert ledger.emit(KM, M).revision == 3
    ledger.retract(KM, M)
    ledger.forget(3)
    assert ledger.emit(KM, M).revision == 1
