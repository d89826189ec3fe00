"""The `derive` blocks of patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.config.loader import load_dict
from limecep.config.model import DeriveConfig

if TYPE_CHECKING:
    from limecep.registry import Registry

LOW = "SEQ(Temperature a) WITHIN 5 s RETURN a.v AS v"


def found(registry: Registry, *patterns: tuple[str, str, dict[str, Any]], **source: Any) -> Any:
    """What is loaded of patterns, each with its name, its query and other keys."""
    sources = {"t": {"type": "file", "channel": "t.jsonl", "as": "Temperature", "time": "ts"} | source}
    named = {name: {"query": f"PATTERN {query}", **more} for name, query, more in patterns}
    return load_dict({"version": 1, "sources": sources, "patterns": named}, registry)


def test_it_says_of_which_type_matches_are_and_when_they_happen(installed: Registry) -> None:
    config = found(
        installed,
        ("low", LOW, {"derive": {"as": "Hot"}}),
        ("mid", "SEQ(Hot a, !Hot b) WITHIN 5 s", {"derive": {"as": "Last", "time": "deadline"}}),
        ("top", "SEQ(Last a) WITHIN 5 s", {}),
    ).config
    assert [p.derives for p in config.patterns] == [
        DeriveConfig("Hot", "end"), DeriveConfig("Last", "deadline"), None
    ]  # fmt: skip
    assert config.derives


@pytest.mark.parametrize(
    ("low", "top", "code", "said"),
    [
        ({"derive": {}}, {}, "missing-key", "'derive' of pattern 'low' needs 'as'"),
        ({"derive": {"as": "Hot", "when": "end"}}, {}, "unknown-key", "no key 'when'"),
        ({"derive": {"as": "Hot", "time": "middle"}}, {}, "bad-value", "'time' must be one of"),
        ({"derive": {"as": 5}}, {}, "wrong-type", "'as' must be text"),
        ({"derive": "Hot"}, {}, "wrong-type", "'derive' must be a block"),
        ({"derive": {"as": "Temperature"}}, {}, "conflict", "source 't' brings 'Temperature' as well"),
        ({"derive": {"as": "Hot", "time": "deadline"}}, {}, "bad-value", "does not end with a negated step"),
        ({"derive": {"as": "Cold"}}, {}, "unknown-type", "no source gives events of type 'Hot'"),
        (
            {"derive": {"as": "Hot"}},
            {"results": {"emit": "final", "horizon": "10m"}},
            "no-horizon",
            "'top' asks for results that are final, but reads what pattern 'low' derives",
        ),
    ],
)
def test_a_mistake_is_named(
    installed: Registry, low: dict[str, Any], top: dict[str, Any], code: str, said: str
) -> None:
    loaded = found(installed, ("low", LOW, low), ("top", "SEQ(Hot a) WITHIN 5 s", top))
    assert any(p.code == code and said in p.message for p in loaded.problems), loaded.problems
    assert loaded.config is None


def test_what_is_final_may_stand_on_what_becomes_so(installed: Registry) -> None:
    bound = {"lateness": {"type": "bound", "within": "10m"}}
    finals = {"results": {"emit": "final"}}
    loaded = found(
        installed,
        ("low", LOW, {"derive": {"as": "Hot"}, **bound}),
        ("top", "SEQ(Hot a) WITHIN 5 s", bound | finals),
    )
    assert loaded.config is not None


@pytest.mark.parametrize(
    ("read", "derived", "way"),
    [
        ("Alarm", "Alarm", "pattern 'low' derives what it reads, over 'low' -> 'top' -> 'low'"),
        ("Temperature", "Hot", "pattern 'top' derives what it reads"),
    ],
)
def test_no_pattern_derives_what_it_reads(installed: Registry, read: str, derived: str, way: str) -> None:
    loaded = found(
        installed,
        ("low", f"SEQ(Temperature a, {read} b) WITHIN 5 s", {"derive": {"as": "Hot"}}),
        ("top", "SEQ(Hot a) WITHIN 5 s", {"derive": {"as": derived}}),
    )
    [problem] = [p for p in loaded.problems if p.code == "derive-cycle"]
    assert problem.message == way
    assert "over any number of steps" in problem.hint


def test_attributes_of_what_is_derived_are_known(installed: Registry) -> None:
    def said(query: str) -> list[str]:
        low = (
            "low",
            "SEQ(Temperature a) WITHIN 5 s PARTITION BY room RETURN a.v AS v",
            {"derive": {"as": "Hot"}},
        )
        return [
            p.message for p in found(installed, low, ("top", query, {})).problems if p.severity == "error"
        ]

    assert said("SEQ(Hot a, Temperature b) WHERE a.v = b.v WITHIN 5 s PARTITION BY room") == []
    assert said("SEQ(Hot a) WHERE a.w = 5 WITHIN 5 s") == ["'a' has no attribute 'w'"]
    assert said("SEQ(Hot a) WITHIN 5 s PARTITION BY house") == [
        "events of type 'Hot' have no attribute 'house'"
    ]


def test_a_value_is_not_called_like_what_the_pattern_is_partitioned_by(installed: Registry) -> None:
    def codes(value: str) -> list[str]:
        query = f"SEQ(Temperature a) WITHIN 5 s PARTITION BY room RETURN {value} AS room"
        low = ("low", query, {"derive": {"as": "Hot"}})
        return [p.code for p in found(installed, low, ("top", "SEQ(Hot a) WITHIN 5 s", {})).problems]

    assert "conflict" in codes("a.v")
    assert "conflict" not in codes("a.room")


def test_a_source_is_not_called_like_a_pattern_that_derives(installed: Registry) -> None:
    loaded = found(installed, ("t", LOW, {"derive": {"as": "Hot"}}), ("top", "SEQ(Hot a) WITHIN 5 s", {}))
    assert any("a source is called 't' as well" in p.message for p in loaded.problems)


def test_what_nobody_reads_is_a_warning(installed: Registry) -> None:
    loaded = found(installed, ("low", LOW, {"derive": {"as": "Hot"}}))
    assert loaded.config is not None
    [problem] = [p for p in loaded.problems if p.code == "unused-type"]
    assert "pattern 'low' derives 'Hot', which no pattern names" in problem.message
    assert "patterns name Temperature" in problem.hint
