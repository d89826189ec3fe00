"""Events that are so many deviations later than usual are refused."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from limecep import Event
from limecep.testing.streams import SECOND
from limecep_lateness.config import (
    DeviationOptions,
)
from limecep_lateness.deviation import Deviation

NOTHING: Any = None


def late(behind: int, name: str = "A") -> Event:
    """An event so many seconds behind 100 s."""
    return Event(name, f"x{behind}", (100 - behind) * SECOND, source="s")


AT_100: Any = SimpleNamespace(lta=100 * SECOND)


# deviation, quantile


def test_deviation_refuses_beyond_the_mean_and_so_many_deviations() -> None:
    policy = Deviation(NOTHING, DeviationOptions(k=1.5, warm_up=0), NOTHING)
    for behind in (2, 4, 4, 4, 5, 5, 7):
        policy.assess(late(behind), AT_100)
    # 2 4 4 4 5 5 7 9 have the mean 5 and the standard deviation 2.
    verdict = policy.assess(late(9), AT_100)
    assert (verdict.score, verdict.threshold) == pytest.approx((9.0, 8.0))
    assert verdict.extremely_late
    assert verdict.reason == "9 s late, more than 8 s, the mean and 1.5 deviations of its type"
    assert policy.horizon(AT_100) is None
