"""The suite for result policies notices policies that are wrong on purpose, and a kernel that does not heed
them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.testing.results import ResultsConformance

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.contracts.results import ResultPolicy
    from limecep.plan.plan import Plan


class Right:
    corrects: Any = True
    emit: Any = "eager"
    announces: Any = False
    horizon: Any = None
    skip: Any = None


class Odd(Right):
    emit = "later"


class Ahead(Right):
    horizon = -1


class Unknown(Right):
    skip = "past-last"


class Vague(Right):
    announces = 1


class ChangesItsMind(Right):
    def __init__(self) -> None:
        self._asked = 0

    @property
    def horizon(self) -> int:  # type: ignore[override]
        self._asked += 1
        return self._asked


class Forgets(Right):
    def remembered(self) -> Any:
        return id(self)

    def recall(self, known: Any) -> None: ...


class Differs(ResultsConformance):
    """A policy says one thing, and what is done is another."""

    examples = 100
    seed = 1

    def __init__(self, said: type[Right], done: type[Right]) -> None:
        self._said = said
        self._done = done

    def _made(self) -> ResultPolicy:
        policy: ResultPolicy = self._said()
        return policy

    def make_policy(self, plan: Plan, context: Context) -> ResultPolicy:
        policy: ResultPolicy = self._done()
        return policy


class Uncorrected(Right):
    corrects = False


class Announcing(Right):
    announces = True


class Complete(Right):
    emit = "complete"


class AfterSlack(Right):
    emit = "slack"


class Final(Right):
    emit = "final"


def suite(policy: type[Right]) -> ResultsConformance:
    class Suite(ResultsConformance):
        def make_policy(self, plan: Plan, context: Context) -> ResultPolicy:
            return policy()

    return Suite()


class TestRight(ResultsConformance):
    examples = 20

    def make_policy(self, plan: Plan, context: Context) -> ResultPolicy:
        return Right()


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        (Odd, "not one of eager"),
        (Ahead, "horizon is -1"),
        (Unknown, "skip is"),
        (Vague, "announces is 1"),
        (ChangesItsMind, ""),
    ],
)
def test_a_policy_that_is_wrong_is_noticed(policy: type[Right], said: str) -> None:
    with pytest.raises(AssertionError, match=said or None):
        suite(policy).test_it_says_what_it_does_and_does_not_change_its_mind()


def test_a_policy_that_does_not_recall_what_it_remembered_is_noticed() -> None:
    with pytest.raises(AssertionError, match="not what it remembers"):
        suite(Forgets).test_another_goes_on_from_what_it_remembers()


@pytest.mark.parametrize(
    ("said", "done", "test", "focus"),
    [(Right, Uncorrected, "net_results_are_right", "negation"),
     (Uncorrected, Right, "what_is_not_corrected_is_neither_taken_back_nor_said_twice", "negation"),
     (Announcing, Right, "what_is_final_is_said_once_and_holds", "growing"),
     (Right, Announcing, "what_is_final_is_said_once_and_holds", "growing"),
     (Final, Right, "what_is_final_is_said_once_and_holds", "growing"),
     (Complete, Right, "in_order_nothing_is_corrected_that_was_to_be_complete", "growing")],
)  # fmt: skip
def test_what_is_not_done_as_it_is_said_is_noticed(
    said: type[Right], done: type[Right], test: str, focus: str
) -> None:
    with pytest.raises(AssertionError):
        getattr(Differs(said, done), f"test_{test}")("stnm", focus)


@pytest.mark.parametrize(
    ("said", "done", "test"),
    [(Right, AfterSlack, "what_is_to_go_out_at_once_does"),
     (AfterSlack, Right, "what_waits_for_slack_goes_out_corrected"),
     (Announcing, Right, "what_is_final_is_said_while_the_stream_goes_on")],
)  # fmt: skip
def test_what_is_done_at_another_time_than_said_is_noticed(
    said: type[Right], done: type[Right], test: str
) -> None:
    with pytest.raises(AssertionError):
        getattr(Differs(said, done), f"test_{test}")()
