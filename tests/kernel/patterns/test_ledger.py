"""The ledger: a match keeps its name and counts its revisions."""

from __future__ import annotations

from limecep.contracts.tables import PLAIN
from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.model.match import Match
from limecep.patterns.ledger import Ledger
from limecep.patterns.match_codec import MatchCodec
from limecep.plan.compiler import compile_plan
from limecep.store.lane import Ordering
from limecep.store.store import Store

PLAN = compile_plan(parse("PATTERN SEQ(A a, A b, A* c[]) WITHIN 1 h"), name="p")
ALTERNATIVE = PLAN.alternatives[0]
CODEC = MatchCodec(PLAN, Store().subscribe(PLAN), Ordering(1))


def match(*times: int, era: int = 0) -> Match:
    """A match of events at these times; in another era they have left memory and come again."""
    events = [Event("A", f"a{t}", t, ordinal=t + 100 * era) for t in times]
    return Match(ALTERNATIVE, ((events[0],), (events[1],), tuple(events[2:])))


M, N, P = match(1, 2), match(1, 2, 3), match(1, 4)
KM, KN, KP = M.key(), N.key(), P.key()


def made() -> Ledger:
    # Nothing is written.
    return Ledger(PLAIN, CODEC)


def test_a_match_counts_its_revisions_through_corrections() -> None:
    ledger = made()
    assert (ledger.emit(KM, M).revision, ledger.emit(KM, M).generation) == (1, 0)
    second = ledger.correct(KM, M, KN, N)
    assert (second.first, second.revision) == (M, 2)
    third = ledger.correct(KN, N, KP, P)
    assert (third.first, third.revision) == (M, 3)


def test_a_match_found_again_goes_on_counting() -> None:
    ledger = made()
    ledger.emit(KM, M)
    assert ledger.retract(KM, M).revision == 2
    again = ledger.emit(KM, M)
    assert (again.first, again.revision, again.generation) == (M, 3, 0)


def test_a_match_that_took_another_form_is_found_again_in_that_form() -> None:
    ledger = made()
    ledger.emit(KM, M)
    ledger.correct(KM, M, KN, N)
    ledger.retract(KN, N)
    again = ledger.emit(KN, N)
    assert (again.first, again.revision) == (M, 4)


def test_the_events_another_match_began_as_make_a_match_of_another_name() -> None:
    ledger = made()
    ledger.emit(KM, M)
    ledger.correct(KM, M, KN, N)
    other = ledger.emit(KM, M)
    assert (other.first, other.revision, other.generation) == (M, 1, 1)
    assert ledger.retract(KM, M).generation == 1
    assert ledger.emit(KM, M).revision == 3


def test_what_nothing_can_change_any_more_is_forgotten() -> None:
    ledger = made()
    ledger.emit(KM, M)
    ledger.retract(KM, M)
    ledger.forget(1)
    assert ledger.emit(KM, M).revision == 3
    ledger.retract(KM, M)
    # Its first event leaves: what ends later, but starts there, is not found again.
    ledger.forget(2)
    assert ledger.emit(KM, M).revision == 1


def again(times: tuple[int, ...], era: int) -> tuple[tuple[object, ...], Match]:
    """A match in another era, with its key."""
    found = match(*times, era=era)
    return found.key(), found


def test_a_line_outlives_the_events_of_its_match() -> None:
    ledger = made()
    ledger.correct(KM, M, KN, N)
    ledger.archive(2)
    assert len(ledger) == 0
    key, found = again((1, 2, 3), 1)
    line = ledger.line(key, found)
    assert (line.revision, [e.id for g in line.first.groups for e in g]) == (2, ["a1", "a2"])
    line = ledger.retract(key, found)
    assert line.revision == 3
    ledger.archive(2)
    key, found = again((1, 2, 3), 2)
    line = ledger.emit(key, found)
    assert (line.revision, [e.id for g in line.first.groups for e in g]) == (4, ["a1", "a2"])


def test_a_version_is_found_again_as_what_it_was_and_not_as_what_it_began_as() -> None:
    ledger = made()
    ledger.correct(KM, M, KN, N)
    for era in (1, 2):
        ledger.archive(2)
        key, found = again((1, 2), era)
        assert ledger.line(key, found).revision == 1
        key, found = again((1, 2, 3), era)
        assert ledger.retract(key, found).revision == 2 * era + 1
        assert ledger.emit(key, found).revision == 2 * era + 2


def test_that_another_match_began_as_the_same_events_is_known_as_long() -> None:
    ledger = made()
    ledger.correct(KM, M, KN, N)
    ledger.archive(2)
    key, found = again((1, 2), 1)
    assert ledger.emit(key, found).generation == 1
    ledger.archive(2)
    key, found = again((1, 2), 2)
    assert ledger.line(key, found).generation == 1


def test_only_matches_whose_events_leave_are_put_aside() -> None:
    ledger = made()
    late = match(5, 6)
    ledger.retract(late.key(), late)
    ledger.correct(KM, M, KN, N)
    ledger.archive(5)
    assert ledger.emit(late.key(), late).revision == 3
    assert ledger.line(KN, N).revision == 2
    ledger.forget(4)
    assert ledger.line(KN, N).revision == 1
