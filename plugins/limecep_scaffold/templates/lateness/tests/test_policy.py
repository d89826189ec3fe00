"""The policy does what every lateness policy must do, and what it is for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.api import Statistics
from limecep.testing.lateness import LatenessConformance
from limecep.testing.streams import written
from limecep_mine.config import MineOptions
from limecep_mine.policy import SECOND, MinePolicy

if TYPE_CHECKING:
    from limecep.api import Context, Plan


class TestMinePolicy(LatenessConformance):
    def make_policy(self, plan: Plan, context: Context) -> MinePolicy:
        return MinePolicy(plan, MineOptions(within=5 * SECOND), context)


@pytest.mark.parametrize(("event", "refused"), [("a95", False), ("a94", True)])
def test_the_bound_is_still_used(event: str, refused: bool) -> None:
    statistics = Statistics()
    statistics.lta = 100 * SECOND
    nothing: None = None
    policy = MinePolicy(nothing, MineOptions(within=5 * SECOND), nothing)  # type: ignore[arg-type]
    [late] = written(event)
    assert policy.assess(late, statistics).extremely_late is refused
