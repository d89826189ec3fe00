"""Patterns that cannot go with a rule of an engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.config.loader import load_dict
from limecep.registry import Registry
from limecep.spec import ComponentSpec

if TYPE_CHECKING:
    from collections.abc import Sequence


def codes(installed: Registry, query: str) -> Sequence[str]:
    """The problems of a pattern whose engine has a rule."""
    best = ComponentSpec(
        kind="engine", name="best", factory="none:None", summary="", capabilities=frozenset({"rule"})
    )
    document = {"version": 1, "patterns": {"p": {"query": f"PATTERN {query} WITHIN 10 s", "engine": "best"}}}
    loaded = load_dict(document, Registry([*installed.specs(), best]))
    assert (loaded.config is None) == any(p.severity == "error" for p in loaded.problems)
    return [p.code for p in loaded.problems if p.code != "no-sources"]


@pytest.mark.parametrize(
    "query", ["SEQ(A a, !C c)", "SEQ(A a, !C c, B? b)", "OR(SEQ(A a, B b), SEQ(A a, !C c))"]
)
def test_an_absence_after_what_may_be_the_last_event_is_refused(installed: Registry, query: str) -> None:
    assert codes(installed, query) == ["unruly-absence"]


@pytest.mark.parametrize("query", ["SEQ(A a, !C c, B b)", "SEQ(A a, B+ b[])", "SEQ(A+ a[], B+ b[], C+ c[])"])
def test_all_else_goes_with_a_rule_and_no_number_of_matches_is_warned_of(
    installed: Registry, query: str
) -> None:
    assert codes(installed, query) == []
