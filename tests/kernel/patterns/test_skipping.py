"""Which matches drop others, and what a change does to that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep import Pipeline
from limecep.contracts.results import Skip
from limecep.errors import ConfigurationError
from limecep.host import Host
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
