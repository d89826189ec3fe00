"""The suite for slack policies notices policies that are wrong on purpose."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING, Any

import pytest

from limecep.testing.slack import SlackConformance
from limecep.testing.streams import SECOND

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.contracts.slack import SlackPolicy
    from limecep.plan.plan import Plan

pytestmark = pytest.mark.usefixtures("unshrunk")


class Right:
    """A second for every event in ten that is late."""

    def wait(self, statistics: Any) -> Any:
        return int(statistics.ratio * 10_000_000)


class InSeconds(Right):
    def wait(self, statistics: Any) -> Any:
        return statistics.ratio * 10


class Backwards(Right):
    def wait(self, statistics: Any) -> Any:
        return -1


class ForEver(Right):
    def wait(self, statistics: Any) -> Any:
        return 10**18


class Chance(Right):
    def wait(self, statistics: Any) -> Any:
        return random.randrange(1_000_000)


class Shares(Right):
    """Goes by how often any pattern asked."""

    asked = 0

    def wait(self, statistics: Any) -> Any:
        Shares.asked += 1
        return Shares.asked


class Divides(Right):
    def wait(self, statistics: Any) -> Any:
        return int(1 / statistics.ratio)


class Counts(Right):
    """In figures that are not its own."""

    def wait(self, statistics: Any) -> Any:
        statistics.source("s").outcomes["in_order"] += 1
        return 0


class Sleeps(Right):
    def wait(self, statistics: Any) -> Any:
        time.sleep(1e-6)
        return 0


class Keeps(Right):
    def __init__(self) -> None:
        self._seen: list[float] = []

    def wait(self, statistics: Any) -> Any:
        self._seen.append(statistics.ratio + 0.5)
        return 0


class Learns(Right):
    """The more often it was asked, the longer it waits."""

    def __init__(self) -> None:
        self.asked = 0

    def wait(self, statistics: Any) -> Any:
        self.asked += 1
        return self.asked

    def remembered(self) -> Any:
        return self.asked

    def recall(self, known: Any) -> None:
        self.asked = known


class RecallsLess(Learns):
    """Of what is needed to go on."""

    def __init__(self) -> None:
        super().__init__()
        self.last = 0

    def wait(self, statistics: Any) -> Any:
        self.last = super().wait(statistics) + self.last
        return self.last


class LearnsUnseen(Right):
    """And does not remember it."""

    def __init__(self) -> None:
        self.asked = 0

    def wait(self, statistics: Any) -> Any:
        self.asked += 1
        return self.asked


class GoesByHash(Right):
    def wait(self, statistics: Any) -> Any:
        return hash("a") % 1000


class ByHash(SlackConformance):
    def make_policy(self, plan: Plan, context: Context) -> SlackPolicy:
        return GoesByHash()


def suite(policy: type[Right]) -> SlackConformance:
    class Suite(SlackConformance):
        def make_policy(self, plan: Plan, context: Context) -> SlackPolicy:
            return policy()

    return Suite()


class TestRight(SlackConformance):
    examples = 25
    # The built-in policies are tried elsewhere, in tests/policies.
    test_what_it_gives_depends_on_no_hash_and_no_wall_clock = None

    def make_policy(self, plan: Plan, context: Context) -> SlackPolicy:
        return Right()


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("policy", "test", "said"),
    [(InSeconds, "a_wait_is_a_number_of_microseconds", "whole microseconds"),
     (Backwards, "a_wait_is_a_number_of_microseconds", "a negative wait"),
     (ForEver, "a_wait_is_a_number_of_microseconds", "longer than a year"),
     (Counts, "a_wait_is_a_number_of_microseconds", r"sources\.s\.outcomes\.in_order was \d+ and is"),
     (Chance, "one_history_gives_one_answer", ""),
     (Shares, "one_history_gives_one_answer", "")],
)  # fmt: skip
def test_a_policy_that_is_wrong_is_noticed(policy: type[Right], test: str, said: str) -> None:
    with pytest.raises(AssertionError, match=said or None):
        getattr(suite(policy), f"test_{test}")(1)


def test_a_policy_that_grows_with_the_stream_is_noticed() -> None:
    with pytest.raises(AssertionError, match="bytes more"):
        suite(Keeps).test_memory_is_bounded()


def test_a_policy_that_needs_events_first_is_noticed() -> None:
    with pytest.raises(ZeroDivisionError):
        suite(Divides).test_it_can_be_asked_before_anything_has_come()


def test_another_policy_goes_on_from_what_was_learnt() -> None:
    suite(Learns).test_another_goes_on_from_what_it_remembers(1)
    for forgetful in (RecallsLess, LearnsUnseen):
        with pytest.raises(AssertionError, match="not all in 'remembered'"):
            suite(forgetful).test_another_goes_on_from_what_it_remembers(1)


def test_a_policy_that_waits_otherwise_after_a_restart_is_noticed() -> None:
    class Patient(LearnsUnseen):
        def wait(self, statistics: Any) -> Any:
            return super().wait(statistics) * SECOND

    with pytest.raises(AssertionError, match="after a restart"):
        suite(Patient).test_after_a_restart_a_pattern_goes_on_as_without_one(1)


def test_a_policy_that_goes_by_hashes_is_noticed() -> None:
    with pytest.raises(AssertionError, match="depends on PYTHONHASHSEED"):
        ByHash().test_what_it_gives_depends_on_no_hash_and_no_wall_clock()


def test_a_policy_that_sleeps_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AssertionError, match="sleeps"):
        suite(Sleeps).test_it_never_sleeps(monkeypatch)
