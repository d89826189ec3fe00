"""The suite for result policies notices policies that are wrong on purpose, and a kernel that does not heed
them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.contracts.results import EVERYTHING, Skip
from limecep.testing.results import ResultsConformance
from limecep.testing.streams import SECOND
from limecep_results.config import ThrottleOptions
from limecep_results.throttle import Throttle

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from limecep.contracts.changes import Change, Moment
    from limecep.contracts.context import Context
    from limecep.contracts.results import ResultPolicy
    from limecep.plan.plan import Plan

pytestmark = pytest.mark.usefixtures("unshrunk")

NOTHING: Any = None


class Right:
    promise: Any = "equal"
    passes: Any = EVERYTHING
    across_keys: Any = False
    emit: Any = "eager"
    announces: Any = False
    horizon: Any = None
    skip: Any = None

    def decide(self, changes: Sequence[Change], moment: Moment) -> Iterable[Change]:
        return changes


class Odd(Right):
    emit = "later"


class Ahead(Right):
    horizon = -1


class Unknown(Right):
    skip = "past-last"


class Misspelt(Right):
    skip = Skip("past_last")  # type: ignore[arg-type]


class WithoutVariable(Right):
    skip = Skip("first")


class Promising(Right):
    promise = "nearly"


class Passing(Right):
    passes = frozenset({"correct"})


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
    """Takes nothing back, and promises that what is out is right."""

    passes = frozenset({"emit"})

    def decide(self, changes: Sequence[Change], moment: Moment) -> Iterable[Change]:
        return [change for change in changes if change.op == "emit"]


class Withholding(Right):
    """Emits nothing that comes late, and promises that nothing is missing."""

    promise = "superset"
    passes = frozenset({"retract"})

    def decide(self, changes: Sequence[Change], moment: Moment) -> Iterable[Change]:
        return [c for c in changes if c.op == "retract" or c.match.end.t_gen >= moment.lta]


class Limited(Throttle):
    """One match of a key."""

    def __init__(self) -> None:
        super().__init__(NOTHING, ThrottleOptions(matches=1, per=60 * SECOND), NOTHING)


class Forgetful(Limited):
    """Goes on after a crash as if nothing had been."""

    def remembered(self) -> Any:
        return [0, []]


class ByArrival(Limited):
    """Lets the match out that came first."""

    def decide(self, changes: Sequence[Change], moment: Moment) -> Iterable[Change]:
        told = [change for change in changes if change.op == "retract"]
        if any(out and valid for _, valid, out in moment.matches()):
            return told
        return [*told, *[change for change in changes if change.op == "emit"][:1]]


class Mixing(Right):
    """Lets three matches out, whatever their keys."""

    promise = "subset"
    passes = frozenset({"retract"})

    def __init__(self) -> None:
        self._left = 3

    def decide(self, changes: Sequence[Change], moment: Moment) -> Iterable[Change]:
        new = [c for c in changes if c.op == "emit"][: self._left]
        self._left -= len(new)
        return [*[c for c in changes if c.op == "retract"], *new]


class Announcing(Right):
    announces = True


class Complete(Right):
    emit = "complete"


class AfterSlack(Right):
    emit = "slack"


class Final(Right):
    emit = "final"


class Marks(Right):
    passes: Any = frozenset()

    def decide(self, changes: Sequence[Change], moment: Moment) -> Iterable[Change]:
        for change in changes:
            change.match.end.payload["told"] = True
        return changes


class Hoards(Right):
    passes: Any = frozenset()

    def __init__(self) -> None:
        self.seen: list[Any] = []

    def decide(self, changes: Sequence[Change], moment: Moment) -> Iterable[Change]:
        self.seen += [[c.op] * 100 for c in changes]
        return changes


class GoesByHash(Right):
    promise: Any = "subset"
    passes: Any = frozenset({"retract"})

    def decide(self, changes: Sequence[Change], moment: Moment) -> Iterable[Change]:
        return [c for c in changes if c.op == "retract" or hash(c.match.end.id) % 2]


class ByHash(ResultsConformance):
    def make_policy(self, plan: Plan, context: Context) -> ResultPolicy:
        return GoesByHash()


def suite(policy: Any) -> ResultsConformance:
    class Suite(ResultsConformance):
        seed = 1

        def make_policy(self, plan: Plan, context: Context) -> ResultPolicy:
            return policy()

    return Suite()


class TestRight(ResultsConformance):
    examples = 10
    # The built-in policies are tried elsewhere, in tests/policies.
    test_what_it_gives_depends_on_no_hash_and_no_wall_clock = None

    def make_policy(self, plan: Plan, context: Context) -> ResultPolicy:
        return Right()


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        (Odd, "not one of eager"),
        (Ahead, "horizon is -1"),
        (Unknown, "skip is 'past-last', which is neither None nor a Skip"),
        (Misspelt, "which is none of the strategies .*: did you mean 'past-last'?"),
        (WithoutVariable, "which is a Skip without a variable, and 'first' needs one"),
        (Vague, "announces is 1"),
        (Promising, "promise is 'nearly'"),
        (Passing, "passes is frozenset"),
        (ChangesItsMind, ""),
    ],
)
def test_a_policy_that_is_wrong_is_noticed(policy: type[Right], said: str) -> None:
    with pytest.raises(AssertionError, match=said or None):
        suite(policy).test_it_says_what_it_does_and_does_not_change_its_mind()


def test_a_policy_that_does_not_recall_what_it_remembered_is_noticed() -> None:
    with pytest.raises(AssertionError, match="not what it remembers"):
        suite(Forgets).test_another_goes_on_from_what_it_remembers()


def test_a_policy_that_adds_to_events_is_noticed() -> None:
    with pytest.raises(AssertionError, match=r"was changed: payload was .* and is .*'told': True"):
        suite(Marks).test_events_are_left_as_they_are()


def test_a_policy_that_keeps_more_and_more_is_noticed() -> None:
    with pytest.raises(AssertionError, match="bytes more"):
        suite(Hoards).test_memory_is_bounded()


def test_a_policy_that_goes_by_hashes_is_noticed() -> None:
    with pytest.raises(AssertionError, match="depends on PYTHONHASHSEED"):
        ByHash().test_what_it_gives_depends_on_no_hash_and_no_wall_clock()


@pytest.mark.parametrize("policy", [Uncorrected, Withholding, Forgetful, ByArrival])
def test_a_policy_that_breaks_its_promise_is_noticed(policy: type[Any]) -> None:
    with pytest.raises(AssertionError):
        suite(policy).test_its_promise_holds("stnm", "dense")


def test_a_policy_that_mixes_keys_is_noticed() -> None:
    with pytest.raises(AssertionError, match="with its keys apart it decides otherwise"):
        suite(Mixing).test_it_decides_each_key_by_itself()


@pytest.mark.parametrize(
    ("said", "done", "test", "focus"),
    [(Announcing, Right, "what_is_final_is_said_once_and_holds", "growing"),
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
