"""How long slack policies wait."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from limecep_slack.config import AdaptiveOptions, FixedOptions
from limecep_slack.waiting import AdaptiveSlack, FixedSlack

PLAN: Any = SimpleNamespace(within=10_000_000)
CONTEXT: Any = None


def late(ratio: float) -> Any:
    return SimpleNamespace(ratio=ratio)


def test_fixed_waits_the_same_time_always() -> None:
    policy = FixedSlack(PLAN, FixedOptions(wait=7), CONTEXT)
    assert [policy.wait(late(ratio)) for ratio in (0.0, 0.9)] == [7, 7]


@pytest.mark.parametrize(("ratio", "wait"), [(0.0, 0), (0.0999, 0), (0.1, 1_000_000), (0.7, 7_000_000)])
def test_adaptive_waits_a_share_of_the_window_from_its_trigger_on(ratio: float, wait: int) -> None:
    assert AdaptiveSlack(PLAN, AdaptiveOptions(), CONTEXT).wait(late(ratio)) == wait
