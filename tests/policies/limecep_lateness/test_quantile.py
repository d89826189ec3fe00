"""Events that are later than nearly all are refused."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from limecep import Event
from limecep.testing.streams import SECOND
from limecep_lateness.config import (
    QuantileOptions,
)
from limecep_lateness.quantile import Quantile

NOTHING: Any = None


def late(behind: int, name: str = "A") -> Event:
    """An event so many seconds behind 100 s."""
    return Event(name, f"x{behind}", (100 - behind) * SECOND, source="s")


AT_100: Any = SimpleNamespace(lta=100 * SECOND)


def test_a_quantile_refuses_what_is_later_than_nearly_all() -> None:
    policy = Quantile(NOTHING, QuantileOptions(quantile=0.9, warm_up=0), NOTHING)
    for behind in range(1, 100):
        policy.assess(late(behind), AT_100)
    below, above = policy.assess(late(88), AT_100), policy.assess(late(99), AT_100)
    assert below.threshold == pytest.approx(90, rel=0.03)
    assert (below.extremely_late, above.extremely_late) == (False, True)
    assert "the 90 % quantile of its type" in above.reason
    assert policy.horizon(AT_100) is None


def test_a_quantile_may_be_taken_several_times() -> None:
    policy = Quantile(NOTHING, QuantileOptions(quantile=0.5, factor=3, warm_up=0), NOTHING)
    for behind in (10, 10, 10, 10):
        policy.assess(late(behind), AT_100)
    assert not policy.assess(late(29), AT_100).extremely_late
    refused = policy.assess(late(31), AT_100)
    assert refused.extremely_late
    assert "3 times the 50 % quantile" in refused.reason
