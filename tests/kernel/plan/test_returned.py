"""The values of matches; `tests/properties` holds them against the oracle."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from limecep.errors import ConfigurationError
from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.plan.compiler import compile_plan
from limecep.testing.functions import FUNCTIONS


def event(type: str, **payload: Any) -> Event:
    return Event(type, "e", 0, 0, "s", payload)


def values(returns: str, groups: dict[str, list[Event]], counters: Any = None, **params: Any) -> Any:
    query = f"PATTERN SEQ(A a, B* b[], C? c) WITHIN 1 s RETURN {returns}"
    plan = compile_plan(parse(query, FUNCTIONS.get), name="p", params=params, counters=counters)
    returned = plan.alternatives[0].returned
    assert returned is not None
    return returned(groups, event("C"))


def test_values_are_named_and_what_is_missing_is_none() -> None:
    found = values(
        "a.v AS v, a.other AS none, sum(b.v) + $more AS sum, last(b).v AS last, b[3].v AS third, c.v AS c, "
        "c.v IS NULL AS gone, count(c) AS n, a.v > 3 OR c.v > 3 AS `high or not`",
        {"a": [event("A", v=5)], "b": [event("B", v=1), event("B", v=2)]},
        more=0.5,
    )
    assert found == {
        "v": 5, "none": None, "sum": 3.5, "last": 2, "third": None, "c": None, "gone": True, "n": 0,
        "high or not": True,
    }  # fmt: skip


@pytest.mark.parametrize("text", ["a.v * 1e300 * 1e300", "-a.v * 1e300 * 1e9", "a.nan", "a.v / 0", "a.t + 1"])
def test_what_is_no_number_is_missing(text: str) -> None:
    assert values(f"{text} AS x", {"a": [event("A", v=1e10, nan=float("nan"), t="x")]}) == {"x": None}


def test_a_function_that_raises_gives_nothing_and_is_counted() -> None:
    counters: Counter[str] = Counter()
    groups = {"a": [event("A", v=2)]}
    assert values("failing(a.v) AS x, doubled(a.v) AS y", groups, counters) == {"x": None, "y": 4}
    assert counters == {"raised_by_failing": 1}


def test_a_parameter_without_a_value_is_told() -> None:
    with pytest.raises(ConfigurationError, match="limit"):
        values("$limit AS x", {})
