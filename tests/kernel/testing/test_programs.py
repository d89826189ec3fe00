"""Programs for random tests."""

from __future__ import annotations

from limecep.config.advice import event_types
from limecep.language.parser import parse
from limecep.testing.programs import DERIVED, programs, trailing
from limecep.testing.random_tests import for_all


def test_each_pattern_reads_only_what_those_before_it_derive_and_some_do() -> None:
    levels: set[int] = set()

    def holds(drawn: object) -> None:
        assert isinstance(drawn, list)
        at = 0
        for n, pattern in enumerate(drawn):
            read = {DERIVED.index(t) for t in event_types(pattern) if t in DERIVED}
            assert all(place < n for place in read)
            assert [r.name for r in pattern.returns] == ["v", "w", "k"]
            at = max([at, *(place + 1 for place in read)])
        levels.add(at)

    for_all(holds, programs(complete=True), examples=60)
    assert {1, 2} <= levels


def test_events_may_happen_at_a_deadline_where_all_sequences_end_with_a_negated_step() -> None:
    assert trailing(parse("PATTERN SEQ(A a, !B b) WITHIN 5 s"))
    assert not trailing(parse("PATTERN OR(SEQ(A a, !B b), SEQ(A a, B b)) WITHIN 5 s"))
    assert not trailing(parse("PATTERN SEQ(!B b, A a) WITHIN 5 s"))
