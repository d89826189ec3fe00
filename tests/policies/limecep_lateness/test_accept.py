"""Every event is used, or every one within a bound."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from limecep import Event
from limecep.testing.streams import SECOND
from limecep_lateness.accept import Accept
from limecep_lateness.config import (
    AcceptOptions,
)

NOTHING: Any = None


def late(behind: int, name: str = "A") -> Event:
    """An event so many seconds behind 100 s."""
    return Event(name, f"x{behind}", (100 - behind) * SECOND, source="s")


AT_100: Any = SimpleNamespace(lta=100 * SECOND)


# accept, bound


def test_accept_without_bound_uses_every_event_and_has_no_horizon() -> None:
    policy = Accept(NOTHING, AcceptOptions(), NOTHING)
    assert not policy.assess(late(10**9), AT_100).extremely_late
    assert policy.horizon(AT_100) is None
