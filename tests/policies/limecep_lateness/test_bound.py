"""Events that are further behind than a bound are refused."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from limecep import Event
from limecep.testing.streams import SECOND
from limecep_lateness.accept import Accept
from limecep_lateness.bound import Bound
from limecep_lateness.config import (
    AcceptOptions,
    BoundOptions,
)

NOTHING: Any = None


def late(behind: int, name: str = "A") -> Event:
    """An event so many seconds behind 100 s."""
    return Event(name, f"x{behind}", (100 - behind) * SECOND, source="s")


AT_100: Any = SimpleNamespace(lta=100 * SECOND)


@pytest.mark.parametrize(
    "policy",
    [Accept(NOTHING, AcceptOptions(within=10 * SECOND), NOTHING),
     Bound(NOTHING, BoundOptions(within=10 * SECOND), NOTHING)],
)  # fmt: skip
def test_a_bound_refuses_what_is_further_behind(policy: Bound | Accept) -> None:
    on_it, past_it = policy.assess(late(10), AT_100), policy.assess(late(11), AT_100)
    assert (on_it.extremely_late, on_it.score, on_it.threshold, on_it.reason) == (False, 10.0, 10.0, "")
    assert (past_it.extremely_late, past_it.score, past_it.threshold) == (True, 11.0, 10.0)
    assert past_it.reason == "11 s late, more than 10 s"
    assert policy.horizon(AT_100) == 90 * SECOND
