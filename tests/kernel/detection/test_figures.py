"""The figures of a pattern."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any, cast

import pytest

from limecep.detection.figures import figures_of

pytestmark = pytest.mark.interpreted

PLAIN = {
    "emitted": 5, "corrected": 2, "retracted": 1, "live": 4, "pending": 6, "engine_runs": 7,
    "on_demand_runs": 3, "events_handed": 40, "refused": 8, "slack_waits": 9, "unrepaired": 0,
}  # fmt: skip
COUNTED = {
    k: PLAIN[k]
    for k in ("emitted", "corrected", "retracted", "engine_runs", "on_demand_runs", "events_handed")
}


def shown(
    partition: tuple[str, ...] = (), cut: int = 0, unrepaired: int = 0, stopped: str = "", **more: int
) -> dict[str, Any]:
    manager = SimpleNamespace(
        plan=SimpleNamespace(name="p", partition=partition),
        pending=6,
        refused=8,
        slack_waits=9,
        stopped=stopped,
        views=SimpleNamespace(without_key=0),
    )
    context = SimpleNamespace(
        counters=Counter(COUNTED | more), truncations=SimpleNamespace(first={"end": "b1"})
    )
    others = {"q": 70}
    given: Any = context, manager, Counter(others, p=unrepaired), Counter(others, p=cut)
    return figures_of(*cast("tuple[Any, Any, Any, Any]", given))


def test_a_pattern_has_what_it_counted_and_what_its_manager_knows() -> None:
    assert shown() == PLAIN


@pytest.mark.parametrize(
    ("given", "more"),
    [
        ({"unrepaired": 2}, {"unrepaired": 2}),
        ({"cut": 3}, {"windows_cut": 3}),
        ({"partition": ("zone",)}, {"without_key": 0}),
        ({"final": 4}, {"final": 4}),
        ({"stopped": "it raised"}, {"disabled": "it raised"}),
        ({"truncated": 1}, {"truncated": 1, "truncated_first": {"end": "b1"}}),
    ],
)
def test_what_not_every_pattern_has_is_there_where_it_has(given: Any, more: dict[str, Any]) -> None:
    assert shown(**given) == PLAIN | more


def test_what_was_counted_for_the_report_goes_on_being_counted() -> None:
    counters = Counter(emitted=1)
    context: Any = SimpleNamespace(counters=counters, truncations=None)
    manager: Any = SimpleNamespace(
        plan=SimpleNamespace(name="p", partition=()), pending=0, refused=0, slack_waits=0, stopped=""
    )
    figures = figures_of(context, manager, Counter(), Counter())
    assert counters == {"emitted": 1}
    # What was not counted yet is 0.
    assert {name for name, value in figures.items() if value} == {"emitted", "live"}
