"""What a pattern asks of a runner that divides it by key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.config.keyed import decides_across_keys, waits_for_time
from limecep.config.loader import load_dict
from limecep.host import Host
from limecep.local import component

if TYPE_CHECKING:
    from limecep.config.model import PipelineConfig


@component("results")
class Mine:
    """Says nothing beforehand."""

    promise, passes, emit = "equal", frozenset[str](), "eager"
    across_keys = announces = False
    horizon = skip = None

    def __init__(self, *given: Any) -> None: ...

    def decide(self, changes: Any, moment: Any) -> Any: ...


def config(query: str, **pattern: Any) -> PipelineConfig:
    document = {"version": 1, "patterns": {"p": {"query": f"PATTERN {query}", **pattern}}}
    return load_dict(document, Host.load().with_plugins(Mine).registry).checked()


@pytest.mark.parametrize(
    ("query", "results", "waits"),
    [
        ("SEQ(A a, B b) WITHIN 1 s", "corrected", False),
        ("SEQ(A a, !B b) WITHIN 1 s", "corrected", True),
        ("SEQ(A a, B+ b[]) WITHIN 1 s", {"type": "corrected", "emit": "complete"}, True),
        ("SEQ(A a, !B b) WITHIN 1 s", "mine", None),
    ],
)
def test_what_waits_for_time_is_known_where_the_policy_says_when_matches_go_out(
    query: str, results: Any, waits: bool | None
) -> None:
    made = config(query, results=results)
    assert waits_for_time(made.patterns[0], made) is waits


@pytest.mark.parametrize("partition", ["", " PARTITION BY k"])
def test_a_policy_decides_across_keys_where_there_are_some(
    partition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (pattern,) = config(
        f"SEQ(A a, B b) WITHIN 1 s{partition}", results={"type": "throttle", "matches": 1, "per": "10s"}
    ).patterns
    assert not decides_across_keys(pattern)
    monkeypatch.setattr(type(pattern.results.options), "across_keys", True, raising=False)
    assert decides_across_keys(pattern) == bool(partition)
