"""Net results of a change log, and the rules it must keep."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.language.parser import parse
from limecep.model.match import Match
from limecep.model.update import Update
from limecep.output.render import Renderer
from limecep.plan.compiler import compile_plan
from limecep.testing.cases import ids
from limecep.testing.changelog import net, net_of_records
from limecep.testing.streams import written

PLAN = compile_plan(parse("PATTERN SEQ(A a, B+ b[]) WITHIN 10 s"), name="p")
EVENTS = {e.id: e for e in written("a1 b2 b3 b4")}
FIRST, LARGER, OTHER = "a1 b2", "a1 b2 b3", "a1 b4"


def update(
    op: Any,
    match: str,
    first: str,
    revision: int,
    pattern: str = "p",
    *,
    detected: int = 0,
    latency: int = 0,
    cause: Any = "in_order",
) -> Update:
    def made(text: str) -> Match:
        a, *b = (EVENTS[name] for name in text.split())
        return Match(PLAN.alternatives[0], ((a,), tuple(b)))

    return Update(
        op=op,
        pattern=pattern,
        key=None,
        match=made(match),
        first=made(first),
        revision=revision,
        cause=cause,
        cause_event=None,
        detected=detected,
        latency=latency,
    )


def test_what_is_corrected_counts_in_its_last_version() -> None:
    log = [update("emit", FIRST, FIRST, 1), update("correct", LARGER, FIRST, 2)]
    assert ids(net(log)) == [["a1", "b2", "b3"]]


def test_what_is_taken_back_does_not_count_and_may_come_again() -> None:
    log = [update("emit", FIRST, FIRST, 1), update("retract", FIRST, FIRST, 2)]
    assert net(log) == set()
    assert ids(net([*log, update("emit", LARGER, FIRST, 3, detected=1)])) == [["a1", "b2", "b3"]]


def test_what_one_moment_takes_back_another_that_passes_with_it_may_tell_again() -> None:
    log = [update("emit", FIRST, FIRST, 1), update("retract", FIRST, FIRST, 2, cause="time")]
    assert ids(net([*log, update("emit", FIRST, FIRST, 3, cause="time")])) == [["a1", "b2"]]


def test_final_repeats_the_revision_and_keeps_the_match() -> None:
    log = [update("emit", FIRST, FIRST, 1), update("final", FIRST, FIRST, 1)]
    assert ids(net(log)) == [["a1", "b2"]]


def test_other_patterns_are_left_out_where_one_is_asked_for() -> None:
    log = [update("emit", FIRST, FIRST, 1), update("emit", OTHER, OTHER, 1, "q")]
    assert ids(net(log, "q")) == [["a1", "b4"]]


EMITTED = update("emit", FIRST, FIRST, 1)


@pytest.mark.parametrize(
    ("log", "complaint"),
    [
        ([update("retract", FIRST, FIRST, 1)], "not live"),
        ([update("correct", FIRST, FIRST, 1)], "not live"),
        ([update("final", FIRST, FIRST, 1)], "not live"),
        ([EMITTED, update("emit", FIRST, FIRST, 2)], "the match is live"),
        ([update("emit", FIRST, FIRST, 2)], "expected 1"),
        ([update("emit", LARGER, FIRST, 1)], "first version"),
        ([EMITTED, update("correct", LARGER, FIRST, 3)], "expected 2"),
        ([EMITTED, update("retract", LARGER, FIRST, 2)], "it was"),
        ([EMITTED, update("correct", FIRST, FIRST, 2)], "it was"),
        ([EMITTED, update("final", FIRST, FIRST, 2)], "final repeats"),
        ([EMITTED, update("final", LARGER, FIRST, 1)], "live version"),
        ([EMITTED, update("final", FIRST, FIRST, 1), update("retract", FIRST, FIRST, 2)], "is final"),
        ([EMITTED, update("emit", OTHER, OTHER, 1), update("correct", FIRST, OTHER, 2)], "live already"),
        (
            [EMITTED, update("retract", FIRST, FIRST, 2), update("emit", FIRST, FIRST, 3)],
            "for the same cause",
        ),
        ([update("emit", FIRST, FIRST, 1, detected=2), update("emit", OTHER, OTHER, 1)], "before the one"),
        ([update("emit", FIRST, FIRST, 1, latency=-1)], "latency"),
    ],
)
def test_a_log_that_breaks_a_rule_is_refused(log: list[Update], complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        net(log)


def test_records_are_folded_as_updates_are() -> None:
    log = [update("emit", FIRST, FIRST, 1), update("correct", LARGER, FIRST, 2, detected=1_500_000)]
    records = [Renderer().render(u) for u in log]
    assert net_of_records(records) == net(log)
    with pytest.raises(AssertionError, match="expected 3"):
        net_of_records([*records, records[1]])
