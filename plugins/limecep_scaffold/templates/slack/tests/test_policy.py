"""The policy does what every slack policy must do, and what it is for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.api import Statistics
from limecep.testing.slack import SlackConformance
from limecep_mine.config import MineOptions
from limecep_mine.policy import MinePolicy

if TYPE_CHECKING:
    from limecep.api import Context, Plan


class TestMinePolicy(SlackConformance):
    def make_policy(self, plan: Plan, context: Context) -> MinePolicy:
        return MinePolicy(plan, MineOptions(), context)


@pytest.mark.parametrize(
    ("lateness", "wait"), [([], 0), ([1_000_000, 2_000_000], 1_500_000), ([9_000_000], 5_000_000)]
)
def test_it_waits_for_the_average_up_to_a_bound(lateness: list[int], wait: int) -> None:
    statistics = Statistics()
    for late in lateness:
        statistics.lateness.add(late)
    nothing: None = None
    policy = MinePolicy(nothing, MineOptions(most=5_000_000), nothing)  # type: ignore[arg-type]
    assert policy.wait(statistics) == wait
