"""Which matches drop others, and what a change does to that."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from limecep import Pipeline
from limecep.contracts.results import Skip
from limecep.contracts.tables import PLAIN
from limecep.errors import ConfigurationError
from limecep.host import Host
from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.model.match import Match
from limecep.patterns.skipping import Skipping
from limecep.plan.compiler import compile_plan
from limecep.plan.partition import compile_partition
from limecep.testing.streams import written
from limecep_results.config import CorrectedOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.model.update import Update

REGISTRY = Host.load().registry
QUERY = "PATTERN SEQ(A a, B b, C c) WITHIN 20 s"


def pipeline(query: str = QUERY, **results: Any) -> Pipeline:
    pattern = {
        "query": query, "select": "stam", "lateness": {"type": "accept", "within": "1h"}, "slack": "none",
        "results": {"type": "corrected", **results},
    }  # fmt: skip
    return Pipeline.from_dict({"version": 1, "name": "t", "patterns": {"p": pattern}}, registry=REGISTRY)


def shown(updates: Sequence[Update]) -> list[str]:
    return [f"{u.op} {' '.join(e.id for g in u.match.groups for e in g)}" for u in updates]


def log(made: Pipeline, text: str) -> list[str]:
    return shown([*made.feed(written(text)), *made.finish()])


@pytest.mark.parametrize(
    ("skip", "expected"),
    [
        ("none", ["a1 b3 c4", "a2 b3 c4", "a1 b3 c6", "a2 b3 c6", "a5 b7 c8", "a1 b3 c8", "a2 b3 c8",
                  "a1 b7 c8", "a2 b7 c8"]),
        ("to-next", ["a1 b3 c4", "a2 b3 c4", "a5 b7 c8"]),
        ("skip-to-next", ["a1 b3 c4", "a2 b3 c4", "a5 b7 c8"]),
        ("past-last", ["a1 b3 c4", "a5 b7 c8"]),
        ("to-first[b]", ["a1 b3 c4", "a5 b7 c8"]),
        # Each match drops what starts before its own start, so the order of starts within one end counts.
        ("to-last[a]", ["a1 b3 c4", "a2 b3 c4", "a2 b3 c6", "a2 b3 c8", "a2 b7 c8", "a5 b7 c8"]),
    ],
)  # fmt: skip
def test_kept_matches_drop_later_ones(skip: str, expected: list[str]) -> None:
    got = log(pipeline(skip=skip), "a1 a2 b3 c4 a5 c6 b7 c8")
    assert sorted(got) == sorted(f"emit {e}" for e in expected)


def test_a_change_runs_on_from_match_to_match() -> None:
    made = pipeline("PATTERN SEQ(A a, B b) WITHIN 3 s", skip="past-last")
    assert shown(made.feed(written("a2 b4 a4 b6 a6 b8"))) == ["emit a2 b4", "emit a6 b8"]
    # The late match drops the first, which frees the one that followed it, which drops the last.
    assert sorted(shown(made.feed(written("b2 a1")))) == [
        "emit a1 b2", "emit a4 b6", "retract a2 b4", "retract a6 b8",
    ]  # fmt: skip


def test_a_match_that_is_dropped_and_comes_back_goes_on_counting() -> None:
    made = pipeline("PATTERN SEQ(A+ a[], B+ b[]) WHERE count(a) <= 2 WITHIN 10 s", skip="to-next")
    updates = made.feed(written("a4 a2 b5 b3 a1"))
    assert [f"{u.op} {u.revision} {' '.join(e.id for g in u.match.groups for e in g)}" for u in updates] == [
        "emit 1 a2 a4 b5",
        "retract 2 a2 a4 b5",
        "emit 1 a2 b3 b5",
        "correct 2 a1 a2 b3 b5",
        "emit 3 a2 a4 b5",
    ]


def test_what_is_dropped_is_not_announced_as_final() -> None:
    made = pipeline(skip="past-last", final=True)
    assert log(made, "a1 a2 b3 c4") == ["emit a1 b3 c4", "final a1 b3 c4"]


def test_final_matches_wait_for_those_that_may_drop_them() -> None:
    made = pipeline("PATTERN SEQ(A a, B+ b[]) WITHIN 5 s", skip="past-last", emit="final", horizon="1s")
    assert log(made, "a1 a2 b3 b4 a20 b21 a40") == ["emit a1 b3 b4", "emit a20 b21"]


@pytest.mark.parametrize("text", ["to-nowhere", "to-first", "to-first[]", "past-last[b]", ""])
def test_a_misspelt_strategy_is_refused_with_those_there_are(text: str) -> None:
    with pytest.raises(ConfigurationError, match=r"'skip' must be none, to-next, past-last"):
        pipeline(skip=text)


def test_a_variable_must_be_one_of_the_pattern() -> None:
    with pytest.raises(
        ConfigurationError, match=r"'skip' names 'd', which is no variable (?s:.*)known: a, b, c"
    ):
        pipeline(skip="to-first[d]")


def test_the_strategy_of_the_options_is_a_value() -> None:
    assert CorrectedOptions(skip="to-last[b]").skips == Skip("last", "b")
    assert CorrectedOptions().skips is None


# -- by themselves -----------------------------------------------------------------------------------------

(ALTERNATIVE,) = compile_plan(parse("PATTERN SEQ(A a, B* b[], C c) WITHIN 1 h"), name="p").alternatives
EVENTS: dict[str, Event] = {}


def event(name: str) -> Event:
    """`a3` is an A at 3; `a3k` one of key k."""
    time, key = name[1:].rstrip("k"), name[-1] == "k"
    return EVENTS.setdefault(
        name, Event(name[0].upper(), name, int(time), payload={"k": key}, ordinal=len(EVENTS))
    )


def match(text: str) -> Match:
    first, *between, last = map(event, text.split())
    return Match(ALTERNATIVE, ((first,), tuple(between), (last,)))


class Made:
    """Skipping of one strategy, a line for each key."""

    def __init__(self, to: Any = "past-last", variable: str = "") -> None:
        codec: Any = SimpleNamespace(key=Match.key)
        self.skipping = Skipping(Skip(to, variable), compile_partition((("k",),)), PLAIN, codec)

    def change(self, come: str = "", gone: str = "") -> tuple[list[str], list[str]]:
        """Matches apart by commas; what is kept now and was not, and what was and is not."""
        sides = [[match(t) for t in text.split(", ") if t] for text in (come, gone)]
        appeared, vanished = self.skipping.change(*sides)
        return named(appeared), named(vanished)

    def again(self) -> Made:
        """As it is after a crash."""
        made = Made(self.skipping._skip.to, self.skipping._skip.variable)
        for key, entry in self.skipping.candidates.items():
            made.skipping.candidates[key] = type(entry)(entry.order, entry.match)
        made.skipping.figures.update(self.skipping.figures)
        made.skipping.restore()
        return made

    def kept(self) -> list[str]:
        return named(e.match for e in self.skipping.candidates.values() if self.skipping.keeps(e.match))


def named(matches: Any) -> list[str]:
    return sorted(" ".join(e.id for g in m.groups for e in g) for m in matches)


def test_what_goes_frees_what_it_dropped() -> None:
    made = Made()
    assert made.change("a1 c4, a2 c5, a5 c6") == (["a1 c4", "a5 c6"], [])
    assert len(made.skipping) == 3
    assert made.change(gone="a1 c4") == (["a2 c5"], ["a1 c4", "a5 c6"])
    assert made.change(gone="a1 c4, a9 c9") == ([], [])
    assert made.change("a1 c4", "a2 c5") == (["a1 c4", "a5 c6"], ["a2 c5"])
    assert made.kept() == ["a1 c4", "a5 c6"]
    assert made.change() == ([], [])
    assert not made.skipping.keeps(match("a7 c8"))


def test_a_change_goes_on_as_far_as_it_makes_a_difference() -> None:
    made = Made()
    made.change("a1 c3, a4 c6, a7 c9")
    last = made.skipping.candidates[match("a7 c9").key()]
    # What is told by a change of an entry that is not looked at: it stays as it is.
    last.kept = False
    assert made.change("a2 c4") == ([], [])
    assert not last.kept


def test_what_starts_as_a_match_ends_is_dropped_by_the_end_past_last() -> None:
    tied = Made()
    assert tied.change("a1 c4, c4 c5, a5 c6") == (["a1 c4", "a5 c6"], [])


def test_a_variable_decides_by_its_first_or_last_event_or_by_none() -> None:
    matches = "a1 b3 b5 c6, a2 c7, a4 c8, a5 c9"
    assert Made("first", "b").change(matches)[0] == ["a1 b3 b5 c6", "a4 c8", "a5 c9"]
    assert Made("last", "b").change(matches)[0] == ["a1 b3 b5 c6"]
    assert Made("last", "b").change("a1 b3 b4 c6, a5 c7")[0] == ["a1 b3 b4 c6", "a5 c7"]


def test_matches_of_other_keys_or_with_next_of_other_starts_have_nothing_to_do_with_each_other() -> None:
    assert Made().change("a1 c4, a2k c5k")[0] == ["a1 c4", "a2k c5k"]
    assert Made("next").change("a1 c4, a1 c5, a2 c5")[0] == ["a1 c4", "a2 c5"]
    one = Made("next")
    one.change("a1 c4, a2 c5, a1k c5k")
    assert len(one.skipping._lines) == 3


@pytest.mark.parametrize("text", ["a1 c4", "a1 c4, a2 c5", "a1 c4, a2 c5, a5 c6, a1k c4k"])
def test_which_are_kept_is_decided_again_after_a_crash(text: str) -> None:
    made = Made()
    made.change(text)
    again = made.again()
    assert again.kept() == made.kept()
    assert again.change(gone="a1 c4") == made.change(gone="a1 c4")


def test_what_was_dropped_by_a_match_that_is_forgotten_stays_dropped() -> None:
    made = Made()
    made.change("a1 c4, a2 c5, a3 c6")
    made.skipping.forget(4)
    assert len(made.skipping) == 3
    made.skipping.forget(5)
    assert named(e.match for e in made.skipping.candidates.values()) == ["a2 c5", "a3 c6"]
    for after in (made.again(), made):
        assert after.kept() == []
        assert after.change("a4 c7, a5 c7") == (["a5 c7"], [])
    made.skipping.forget(9)
    assert len(made.skipping) == 0
    assert made.again().change("a6 c8, a8 c9") == (["a8 c9"], [])


def test_with_next_a_start_that_is_forgotten_is_not_met_again() -> None:
    made = Made("next")
    made.change("a1 c4, a2 c6")
    made.skipping.forget(5)
    assert [line for _, line in made.skipping._lines] == [event("a2").ordinal]
    assert [*made.skipping.figures] == []
    made.change("a2 c7")
    made.skipping.forget(7)
    assert len(made.skipping._lines) == len(made.skipping.figures) == 1
    made.skipping.forget(8)
    assert len(made.skipping._lines) == len(made.skipping.figures) == 0


def test_each_kept_match_is_given_once_in_the_order_of_all_keys() -> None:
    made = Made()
    made.change("a5 c6, a1 c4, a2 c5, a3k c5k, a7 c8")
    given = made.skipping.release(7)
    assert [m.end.id for m in given] == ["c4", "c5k", "c6"]
    assert [base_and_given[1] for base_and_given in made.skipping.figures.values()] == [3, 1]
    assert made.skipping.release(7) == []
    made.skipping.forget(5)
    again = made.again()
    for after in (made, again):
        assert [m.end.id for m in after.skipping.release(99)] == ["c8"]
        assert after.skipping.release(99) == []
    made.skipping.forget(99)
    made.change("a9 c10")
    assert [m.end.id for m in made.skipping.release(99)] == ["c10"]


def test_what_was_not_given_when_it_is_forgotten_counts_for_none() -> None:
    made = Made()
    made.change("a1 c4, a5 c6")
    made.skipping.forget(5)
    assert [m.end.id for m in made.skipping.release(99)] == ["c6"]
