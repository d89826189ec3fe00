"""A sink is told again of what stands, until somebody has acknowledged it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from limecep.clock import ManualClock
from limecep.output.outlets import Repeat
from limecep.output.repeating import Repeating

SECOND = 1_000_000


class Bench:
    """Repetitions every ten seconds, by a clock that the test moves."""

    def __init__(self, until: str = "acked", most: int = 3) -> None:
        self.clock = ManualClock()
        self.counters: Counter[str] = Counter()
        self.repeating = Repeating(Repeat(10 * SECOND, until, most), self.clock.now, self.counters)

    def take(self, *records: dict[str, Any]) -> list[str]:
        return [f"{r['op']} {r['match']}" for r in self.repeating(records)]

    def at(self, seconds: int) -> list[str]:
        self.clock.advance(seconds * SECOND)
        return [f"{r['match']} {r['revision']} for the {r['repeat']}." for r in self.repeating.due()]


def record(op: str, match: str, key: object = None, *, revision: int = 1, pattern: str = "fire") -> Any:
    return {
        "op": op,
        "match": match,
        "revision": revision,
        "pattern": pattern,
        "key": key,
        "events": {"a": []},
    }


def test_what_stands_is_told_again_so_many_times() -> None:
    bench = Bench()
    assert bench.take(record("emit", "m")) == ["emit m"]
    assert [bench.at(s) for s in (9, 10, 11, 20)] == [[], ["m 1 for the 1."], [], ["m 1 for the 2."]]
    # What was missed meanwhile is not made up for.
    assert bench.at(70) == ["m 1 for the 3."]
    assert bench.at(1000) == []
    assert bench.counters == {"repeated": 3, "given_up": 1}


def test_what_is_taken_back_is_not_told_again_and_what_is_corrected_as_it_is_now() -> None:
    bench = Bench()
    bench.take(record("emit", "m"), record("emit", "n"))
    bench.clock.advance(5 * SECOND)
    bench.take(record("correct", "m", revision=2), record("retract", "n", revision=2), record("final", "m"))
    assert bench.at(10) == ["m 2 for the 1."]


@pytest.mark.parametrize(
    ("key", "left"),
    [({"room": 1}, ["n", "o"]), ({"room": 2}, ["m", "o"]), (None, ["m", "n"]), ({"match": "n"}, ["m", "o"]),
     ({"match": "z"}, ["m", "n", "o"])],
)  # fmt: skip
def test_the_pattern_that_acknowledges_does_so_by_key_or_by_match(key: object, left: list[str]) -> None:
    bench = Bench()
    bench.take(record("emit", "m", {"room": 1}), record("emit", "n", {"room": 2}), record("emit", "o"))
    # It does not go to the sink, and what is taken back of it has acknowledged all the same.
    assert (
        bench.take(record("emit", "k", key, pattern="acked"), record("retract", "k", key, pattern="acked"))
        == []
    )
    assert [said.split()[0] for said in bench.at(10)] == left
    assert bench.counters["acknowledged"] == 3 - len(left)


def test_what_comes_after_an_acknowledgement_is_told_again() -> None:
    bench = Bench()
    bench.take(record("emit", "k", pattern="acked"), record("emit", "m"))
    assert bench.at(10) == ["m 1 for the 1."]


def test_a_match_that_was_given_up_or_acknowledged_is_not_told_again_when_it_is_corrected() -> None:
    bench = Bench(until="")
    bench.take(record("correct", "m", revision=2))
    assert bench.at(10) == []


def test_a_sink_may_change_what_it_is_given() -> None:
    bench = Bench()
    given = record("emit", "m")
    for passed in bench.repeating([given]):
        passed["events"].clear()
    bench.clock.advance(10 * SECOND)
    assert bench.repeating.due()[0]["events"] == {"a": []}


def test_it_goes_on_where_another_ended() -> None:
    bench, other = Bench(), Bench()
    bench.take(record("emit", "m"), record("emit", "n"))
    bench.at(10)
    known = dict(bench.repeating.changes())
    assert list(bench.repeating.changes()) == []
    bench.take(record("retract", "n"))
    known.update(bench.repeating.changes())
    for match, standing in known.items():
        if standing is not None:
            other.repeating.recall(match, *standing)
    assert other.at(19) == []
    assert other.at(20) == bench.at(20) == ["m 1 for the 2."]
