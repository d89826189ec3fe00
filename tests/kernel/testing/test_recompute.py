"""The suite for recompute policies notices policies that are wrong on purpose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.testing.recompute import RecomputeConformance

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.contracts.recompute import RecomputePolicy
    from limecep.model.event import Event
    from limecep.plan.plan import Plan

pytestmark = pytest.mark.usefixtures("unshrunk")


class Right:
    """From one window before an event to two after it."""

    def __init__(self, plan: Plan) -> None:
        self.within = plan.within

    def reach(self, event: Event, lta: int) -> Any:
        return event.t_gen - self.within, event.t_gen + 2 * self.within


class OnlyItself(Right):
    def reach(self, event: Event, lta: int) -> Any:
        return event.t_gen, event.t_gen


class NeverBack(Right):
    def reach(self, event: Event, lta: int) -> Any:
        return event.t_gen, event.t_gen + 2 * self.within


class Everything(Right):
    def reach(self, event: Event, lta: int) -> Any:
        return event.t_gen - 3 * self.within, lta


class ForEver(Right):
    def reach(self, event: Event, lta: int) -> Any:
        return event.t_gen, 1 << 60


class Elsewhere(Right):
    def reach(self, event: Event, lta: int) -> Any:
        return event.t_gen + 1, event.t_gen + 2


class InSeconds(Right):
    def reach(self, event: Event, lta: int) -> Any:
        return event.t_gen / 1e6, event.t_gen / 1e6


class Remembers(Right):
    def reach(self, event: Event, lta: int) -> Any:
        # Not each time: pytest takes long to compare lists that differ everywhere.
        self.within += event.id == "b0"
        return super().reach(event, lta)


class Keeps(Right):
    def reach(self, event: Event, lta: int) -> Any:
        self.event = event
        return super().reach(event, lta)


class Changes(Right):
    def reach(self, event: Event, lta: int) -> Any:
        event.payload["late"] = True
        return super().reach(event, lta)


class Forgets(Right):
    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.asked = 0

    def reach(self, event: Event, lta: int) -> Any:
        self.asked += 1
        return super().reach(event, lta)

    def remembered(self) -> Any:
        return self.asked

    def recall(self, known: Any) -> None: ...


class Grows(Right):
    """Reaches less and less, and does not remember that."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.seen: list[float] = []

    def reach(self, event: Event, lta: int) -> Any:
        self.seen.append(lta + 0.5)
        return (event.t_gen, event.t_gen) if len(self.seen) > 5 else super().reach(event, lta)


class GoesByHash(Right):
    def reach(self, event: Event, lta: int) -> Any:
        return event.t_gen - hash(event.id) % self.within, lta


class ByHash(RecomputeConformance):
    def make_policy(self, plan: Plan, context: Context) -> RecomputePolicy:
        return GoesByHash(plan)


def suite(policy: type[Right], *, says_exact: bool = True) -> RecomputeConformance:
    class Suite(RecomputeConformance):
        exact = says_exact
        examples = 40
        seed = 1

        def make_policy(self, plan: Plan, context: Context) -> RecomputePolicy:
            return policy(plan)

    return Suite()


class TestRight(RecomputeConformance):
    examples = 10
    # The built-in policies are tried elsewhere, in tests/policies.
    test_what_it_gives_depends_on_no_hash_and_no_wall_clock = None

    def make_policy(self, plan: Plan, context: Context) -> RecomputePolicy:
        return Right(plan)


@pytest.mark.parametrize(("policy", "focus"), [(OnlyItself, "plain"), (NeverBack, "negation")])
def test_a_policy_that_reaches_too_little_is_noticed(policy: type[Right], focus: str) -> None:
    with pytest.raises(pytest.fail.Exception, match="are not reached"):
        suite(policy).test_every_end_event_whose_results_change_is_reached("stnm", focus)


def test_a_policy_that_keeps_more_and_more_is_noticed() -> None:
    with pytest.raises(AssertionError, match="bytes more"):
        suite(Grows).test_memory_is_bounded()
    with pytest.raises(AssertionError, match="after a restart"):
        suite(Grows).test_after_a_restart_a_pattern_goes_on_as_without_one()


def test_a_policy_that_goes_by_hashes_is_noticed() -> None:
    with pytest.raises(AssertionError, match="depends on PYTHONHASHSEED"):
        ByHash().test_what_it_gives_depends_on_no_hash_and_no_wall_clock()


def test_results_that_are_wrong_for_it_are_noticed() -> None:
    with pytest.raises(AssertionError, match="expected"):
        suite(OnlyItself).test_net_results_are_right("stnm", "plain")


@pytest.mark.parametrize("policy", [Everything, ForEver, Elsewhere, InSeconds])
def test_a_policy_that_reaches_too_much_or_nowhere_is_noticed(policy: type[Right]) -> None:
    with pytest.raises(AssertionError, match=r"reaches from|no whole microseconds"):
        suite(policy).test_reaches_no_further_than_anything_changes("plain")


def test_a_policy_that_says_to_miss_something_and_does_not_is_noticed() -> None:
    exact = suite(Right, says_exact=False)
    # It misses nothing in however many.
    exact.examples = 5
    with pytest.raises(AssertionError, match="set exact = True"):
        exact.test_a_policy_that_says_it_may_miss_some_does()
    suite(OnlyItself, says_exact=False).test_a_policy_that_says_it_may_miss_some_does()


def test_a_policy_that_remembers_is_noticed() -> None:
    with pytest.raises(AssertionError):
        suite(Remembers).test_one_event_gives_one_answer()


def test_a_policy_that_does_not_recall_what_it_remembered_is_noticed() -> None:
    with pytest.raises(AssertionError, match="not what it remembers"):
        suite(Forgets).test_another_goes_on_from_what_it_remembers()


@pytest.mark.parametrize(("policy", "said"), [(Keeps, "keeps the event"), (Changes, "was changed")])
def test_a_policy_that_does_not_leave_events_alone_is_noticed(policy: type[Right], said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        suite(policy).test_events_are_neither_changed_nor_kept()
