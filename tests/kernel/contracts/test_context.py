"""What a component is given: what it says of an evaluation that was cut short."""

from __future__ import annotations

from collections import Counter

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.testing.bench import SilentLogger
from limecep.testing.streams import written


def context() -> Context:
    return Context(label="l", clock=ManualClock(), counters=Counter(), logger=SilentLogger())


def test_what_is_cut_short_is_counted_and_the_first_of_it_logged() -> None:
    made = context()
    for ordinal, end in enumerate(written("a1 a2 a3"), start=1):
        end.ordinal = ordinal
        made.truncated(end)
        made.truncated(end, "enumeration")
    assert made.counters == {"truncated": 3}
    ((level, text, values),) = made.logger.entries
    assert level == "warning"
    assert text.startswith("an evaluation was cut short at max_per_end, and matches are missing")
    assert values == {"end_event": made.truncations.first}
    assert made.truncations.first is not None
    assert made.truncations.first["id"] == "a1"


def test_the_bound_that_was_reached_is_named() -> None:
    made = context()
    (end,) = written("a1")
    made.truncated(end, "enumeration")
    assert "cut short at enumeration," in made.logger.entries[0][1]


def test_unless_told_otherwise_nothing_stops_and_nothing_is_whole() -> None:
    made = context()
    assert not made.stopping()
    made.raise_if_stopped("what is left undone")
    assert not made.whole(b"line")
    assert (made.resumes, made.lines, made.encoding) == (False, False, "utf-8")
    assert made.shared is not context().shared
