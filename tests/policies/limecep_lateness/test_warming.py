"""Nothing is refused before enough was seen."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from limecep import Event
from limecep.testing.streams import SECOND
from limecep_lateness.config import (
    DeviationOptions,
    QuantileOptions,
)
from limecep_lateness.deviation import Deviation
from limecep_lateness.quantile import Quantile

NOTHING: Any = None


def late(behind: int, name: str = "A") -> Event:
    """An event so many seconds behind 100 s."""
    return Event(name, f"x{behind}", (100 - behind) * SECOND, source="s")


AT_100: Any = SimpleNamespace(lta=100 * SECOND)


@pytest.mark.parametrize(
    "policy",
    [Deviation(NOTHING, DeviationOptions(k=0, warm_up=2), NOTHING),
     Quantile(NOTHING, QuantileOptions(quantile=0.1, warm_up=2), NOTHING)],
)  # fmt: skip
def test_they_refuse_nothing_before_they_have_seen_enough(policy: Deviation | Quantile) -> None:
    verdicts = [policy.assess(late(behind), AT_100) for behind in (1, 20, 40)]
    assert [v.extremely_late for v in verdicts] == [False, False, True]
    assert [bool(v.reason) for v in verdicts] == [False, False, True]
    assert not policy.assess(late(1000, "B"), AT_100).extremely_late
