"""The policies that ship with the kernel's first form: decisions, and nothing that waits."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from limecep import Event
from limecep.spec import NoOptions
from limecep_lateness.accept import Accept
from limecep_lateness.config import AcceptOptions
from limecep_results.config import ResultOptions
from limecep_results.corrected import Corrected
from limecep_slack.none import NoSlack

NOTHING: Any = None
SECOND = 1_000_000


def accept(within: int | None) -> Accept:
    return Accept(NOTHING, AcceptOptions(within=within), NOTHING)


def event(t_gen: int) -> Event:
    return Event("A", "a1", t_gen)


def test_accept_without_bound_uses_every_event_and_has_no_horizon() -> None:
    statistics = SimpleNamespace(lta=10**15)
    assert not accept(None).assess(event(0), statistics).extremely_late
    assert accept(None).horizon(statistics) is None


@pytest.mark.parametrize(
    ("behind", "refused"), [(9 * SECOND, False), (10 * SECOND, False), (10 * SECOND + 1, True)]
)
def test_accept_refuses_what_is_further_behind_than_its_bound(behind: int, refused: bool) -> None:
    statistics = SimpleNamespace(lta=100 * SECOND)
    verdict = accept(10 * SECOND).assess(event(100 * SECOND - behind), statistics)
    assert verdict.extremely_late is refused
    assert (verdict.score, verdict.threshold) == (behind / SECOND, 10.0)


def test_nothing_before_the_horizon_is_used_and_what_is_on_it_is() -> None:
    policy, statistics = accept(10 * SECOND), SimpleNamespace(lta=100 * SECOND)
    horizon = policy.horizon(statistics)
    assert horizon == 90 * SECOND
    assert policy.assess(event(horizon - 1), statistics).extremely_late
    assert not policy.assess(event(horizon), statistics).extremely_late


def test_no_slack_waits_for_nothing() -> None:
    assert NoSlack(NOTHING, NoOptions(), NOTHING).wait(SimpleNamespace()) == 0


def test_corrected_corrects() -> None:
    assert Corrected(NOTHING, ResultOptions(), NOTHING).corrects
