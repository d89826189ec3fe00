"""The suite for lateness policies notices policies that are wrong on purpose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.contracts.lateness import Verdict
from limecep.testing.lateness import LatenessConformance
from limecep.testing.streams import SECOND

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.contracts.lateness import LatenessPolicy
    from limecep.model.event import Event
    from limecep.plan.plan import Plan
    from limecep.statistics import Statistics

WITHIN = 5 * SECOND


class Right:
    """A bound of five seconds."""

    learns = False
    by_window = False

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def assess(self, event: Event, statistics: Statistics) -> Verdict:
        behind = statistics.lta - event.t_gen
        return Verdict(
            extremely_late=behind > WITHIN, score=float(behind), threshold=float(WITHIN), reason="too late"
        )

    def horizon(self, statistics: Statistics) -> int | None:
        return statistics.lta - WITHIN


class SaysNoReason(Right):
    def assess(self, event: Event, statistics: Statistics) -> Verdict:
        return Verdict(extremely_late=True, score=2.0, threshold=1.0)


class Counts(Right):
    """In figures that are not its own."""

    def assess(self, event: Event, statistics: Statistics) -> Verdict:
        statistics.lta += 1
        return super().assess(event, statistics)


class WithoutLimit(Right):
    def assess(self, event: Event, statistics: Statistics) -> Verdict:
        return Verdict(extremely_late=False, score=1.0, threshold=float("inf"))


class AcceptsBeforeItsHorizon(Right):
    def assess(self, event: Event, statistics: Statistics) -> Verdict:
        return Verdict(extremely_late=False)


class ScoresTooLittle(Right):
    def assess(self, event: Event, statistics: Statistics) -> Verdict:
        return Verdict(extremely_late=True, score=1.0, threshold=1.0, reason="no luck")


class GoesBack(Right):
    def __init__(self, plan: Plan) -> None:
        self._asked = 0

    def horizon(self, statistics: Statistics) -> int | None:
        self._asked += 1
        return -self._asked


class KeepsEvents(Right):
    def __init__(self, plan: Plan) -> None:
        self._events: list[Event] = []

    def assess(self, event: Event, statistics: Statistics) -> Verdict:
        self._events.append(event)
        return super().assess(event, statistics)


class ChangesEvents(Right):
    def assess(self, event: Event, statistics: Statistics) -> Verdict:
        event.payload["late"] = True
        return super().assess(event, statistics)


class KeepsScores(Right):
    def __init__(self, plan: Plan) -> None:
        self._scores: list[float] = []

    def assess(self, event: Event, statistics: Statistics) -> Verdict:
        self._scores.append(event.t_gen + 0.5)
        return super().assess(event, statistics)


class Shares(Right):
    """Learns for all patterns at once."""

    seen = 0

    def assess(self, event: Event, statistics: Statistics) -> Verdict:
        Shares.seen += 1
        return Verdict(extremely_late=False, score=float(Shares.seen))


class HidesWhatItLearns(Right):
    def __init__(self, plan: Plan) -> None:
        self._worst = 0

    def assess(self, event: Event, statistics: Statistics) -> Verdict:
        behind = statistics.lta - event.t_gen
        self._worst = max(self._worst, behind)
        return Verdict(extremely_late=False, score=float(behind), threshold=float(self._worst))


class HidesTheWindow(Right):
    def assess(self, event: Event, statistics: Statistics) -> Verdict:
        return Verdict(extremely_late=False, score=(statistics.lta - event.t_gen) / self.plan.within)


class Forgets(Right):
    def remember(self) -> None: ...


class RecallsLess(Right):
    """Of what is needed to go on."""

    learns = True

    def __init__(self, plan: Plan) -> None:
        self.count, self.worst = 0, 0

    def assess(self, event: Event, statistics: Statistics) -> Verdict:
        self.count += 1
        self.worst = max(self.worst, statistics.lta - event.t_gen)
        return Verdict(
            extremely_late=self.count * self.worst % 7 == 0, score=2.0, threshold=1.0, reason="odd"
        )

    def horizon(self, statistics: Statistics) -> int | None:
        return None

    def remembered(self) -> Any:
        return self.count

    def recall(self, known: Any) -> None:
        self.count = known


class GoesByHash(Right):
    def assess(self, event: Event, statistics: Statistics) -> Verdict:
        return Verdict(extremely_late=False, score=float(hash(event.type) % 1000))


class ByHash(LatenessConformance):
    def make_policy(self, plan: Plan, context: Context) -> LatenessPolicy:
        return GoesByHash(plan)


class DividesByThePeriod(Right):
    def assess(self, event: Event, statistics: Statistics) -> Verdict:
        period: Any = statistics.source(event.source).acar
        return Verdict(extremely_late=False, score=1 / period)


def suite(policy: type[Right]) -> LatenessConformance:
    class Suite(LatenessConformance):
        def make_policy(self, plan: Plan, context: Context) -> LatenessPolicy:
            return policy(plan)

    return Suite()


class TestRight(LatenessConformance):
    # The built-in policies are tried elsewhere, in tests/policies.
    test_what_it_gives_depends_on_no_hash_and_no_wall_clock = None

    def make_policy(self, plan: Plan, context: Context) -> LatenessPolicy:
        return Right(plan)


@pytest.mark.parametrize(
    ("policy", "test", "said"),
    [(SaysNoReason, "a_verdict_can_be_written_down", "without a reason"),
     (Counts, "a_verdict_can_be_written_down", "changes the statistics: lta was"),
     (WithoutLimit, "a_verdict_can_be_written_down", "the threshold is inf"),
     (ScoresTooLittle, "what_is_refused_scores_more_than_its_threshold", "no luck"),
     (AcceptsBeforeItsHorizon, "nothing_before_the_horizon_is_accepted", "accepted before the horizon"),
     (GoesBack, "the_horizon_is_a_time_that_never_goes_back", "went back"),
     (KeepsEvents, "events_are_neither_changed_nor_kept", "keeps the event"),
     (ChangesEvents, "events_are_neither_changed_nor_kept", "was changed"),
     (HidesWhatItLearns, "what_it_learns_it_says", "another time"),
     (HidesTheWindow, "whether_the_window_counts_it_says", "another time"),
     (Shares, "one_history_gives_one_answer", "another time"),
     (Shares, "patterns_do_not_learn_from_each_other", "another time")],
)  # fmt: skip
def test_a_policy_that_is_wrong_is_noticed(policy: type[Right], test: str, said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        getattr(suite(policy), f"test_{test}")(1)


def test_a_policy_that_grows_with_the_stream_is_noticed() -> None:
    with pytest.raises(AssertionError, match="bytes more"):
        suite(KeepsScores).test_memory_is_bounded()


def test_a_policy_that_goes_on_with_less_than_it_knew_is_noticed() -> None:
    with pytest.raises(AssertionError):
        suite(RecallsLess).test_another_one_goes_on_from_what_it_remembers(1)
    with pytest.raises(AssertionError, match=r"not all in 'remembered'\s+restarted after \d+ events of"):
        suite(RecallsLess).test_after_a_restart_a_pattern_goes_on_as_without_one(1)


def test_a_policy_that_goes_by_hashes_is_noticed() -> None:
    with pytest.raises(AssertionError, match="depends on PYTHONHASHSEED"):
        ByHash().test_what_it_gives_depends_on_no_hash_and_no_wall_clock()


def test_an_ability_that_is_misspelt_is_noticed() -> None:
    with pytest.raises(AssertionError, match="remembered"):
        suite(Forgets).test_no_optional_ability_is_misspelt()


def test_a_policy_that_is_not_ready_for_anything_is_noticed() -> None:
    with pytest.raises((ZeroDivisionError, TypeError)):
        suite(DividesByThePeriod).test_any_time_and_any_period_can_be_judged()
