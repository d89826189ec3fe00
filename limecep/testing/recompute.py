"""The conformance suite for recompute policies: subclass it in a test module, and pytest runs it.

from limecep.testing.recompute import RecomputeConformance

class TestMyPolicy(RecomputeConformance):
    def make_policy(self, plan, context):
        return MyPolicy(plan, MyOptions(), context)
"""

from __future__ import annotations

import sys
from collections import Counter
from copy import deepcopy
from typing import TYPE_CHECKING, ClassVar

import pytest
from hypothesis import strategies as st
from msgspec.structs import astuple

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.contracts.recompute import RecomputePolicy
from limecep.contracts.remembering import Remembering
from limecep.language.parser import parse
from limecep.model.event import sort_key
from limecep.plan.compiler import compile_plan
from limecep.testing.bench import SilentLogger
from limecep.testing.bounded import Bounded
from limecep.testing.changelog import net
from limecep.testing.elsewhere import check_hashes
from limecep.testing.leaks import check_growth
from limecep.testing.oracle import all_matches, assignment, identity, maximal_matches
from limecep.testing.policy_bench import PolicyBench, arriving
from limecep.testing.random_tests import difference, for_all
from limecep.testing.remembering import hand_over
from limecep.testing.restarts import check_restarts
from limecep.testing.spelling import check_spelling
from limecep.testing.strategies import FEATURES, Feature, patterns, streams
from limecep.testing.streams import SECOND, disorder, shown, stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from limecep.model.event import Event
    from limecep.model.pattern import Pattern, Select
    from limecep.plan.plan import Plan
    from limecep.testing.oracle import Assignment

#: What the random patterns of one test are about, and how long its streams are.
_FOCUS: dict[str, tuple[frozenset[Feature], int]] = {
    "everything": (FEATURES, 9),
    "plain": (frozenset(), 12),
    "groups": (frozenset({"kleene", "optional", "types"}), 10),
    "negation": (frozenset({"negation", "optional", "each"}), 10),
}


_PATTERN = parse("PATTERN SEQ(A a, B+ b[], C c) WITHIN 10 s")


class RecomputeConformance(Bounded):
    """What every recompute policy must do. A test class: subclass it and say how the policy is made.

    Random tests are drawn anew each run, but where the environment variable `CI` is set; what fails is shown
    with the seed, which may then be set here.

    Attributes:
        exact: Whether no result is missed. A policy that trades results for time says so by False: then it
            is looked that something is missed indeed, and that what goes out are matches all the same.
        selects: The selection policies tried.
        examples: How many random pairs of pattern and stream each test tries.
        seed: What they are drawn from; None as said above.
        elsewhere: See `limecep.testing.elsewhere.Traced`.
    """

    exact: ClassVar[bool] = True
    selects: ClassVar[tuple[Select, ...]] = ("stnm", "stam")
    examples: ClassVar[int] = 100
    seed: ClassVar[int | None] = None
    elsewhere: ClassVar[Sequence[str]] = ()

    def make_policy(self, plan: Plan, context: Context) -> RecomputePolicy:
        """A new policy for a plan."""
        raise NotImplementedError

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Spreads the tests over selection policies and what patterns are about."""
        if "select" in metafunc.fixturenames:
            metafunc.parametrize("select", self.selects)
        if "focus" in metafunc.fixturenames:
            metafunc.parametrize("focus", list(_FOCUS))

    def test_every_end_event_whose_results_change_is_reached(self, select: Select, focus: str) -> None:
        """Results are those of the oracle, before and after each event that is not the latest."""
        if not self.exact:
            pytest.skip("the policy says that it may miss some")

        def body(pattern: Pattern, events: list[Event], order: int) -> None:
            for late, known, changed in self._missed(pattern, select, arriving(events, order)):
                pytest.fail(
                    f"{pattern}\nselect {select}: the results of\n{shown(changed)}\nchange, and are not "
                    f"reached, when after\n{shown(known)}\ncomes\n{shown([late])}"
                )

        self._random(body, focus, self.examples)

    def test_a_policy_that_says_it_may_miss_some_does(self) -> None:
        """Otherwise it is exact, and should say that."""
        if self.exact:
            pytest.skip("the policy says that it misses nothing")
        missed = False

        def body(pattern: Pattern, events: list[Event], order: int) -> None:
            nonlocal missed
            for select in self.selects:
                missed = missed or any(self._missed(pattern, select, arriving(events, order)))

        for focus in _FOCUS:
            self._random(body, focus, self.examples)
        assert missed, "nothing was missed: set exact = True"

    def test_no_optional_ability_is_misspelt(self) -> None:
        """The kernel would not find it."""
        plan = compile_plan(parse("PATTERN SEQ(A a, B b) WITHIN 1 s"), name="p")
        check_spelling(self._made(plan), RecomputePolicy, [Remembering])

    def test_net_results_are_right(self, select: Select, focus: str) -> None:
        """A pipeline that asks it corrects everything that late events change."""
        if not self.exact:
            pytest.skip("the policy says that it may miss some")

        def body(pattern: Pattern, events: list[Event], order: int) -> None:
            arrived = arriving(events, order)
            got = net(PolicyBench(pattern, select, recompute=self.make_policy).run(arrived))
            expected = maximal_matches(pattern, events, select=select)
            assert got == expected, difference(pattern, select, arrived, expected, got)

        self._random(body, focus, self.examples)

    def test_what_goes_out_are_matches_all_the_same(self, select: Select, focus: str) -> None:
        """Whatever is reached, or not: nothing goes out that the events known by then do not show."""

        def body(pattern: Pattern, events: list[Event], order: int) -> None:
            detecting = PolicyBench(pattern, select, recompute=self.make_policy)
            for known, said in detecting.stepwise(arriving(events, order)):
                new = {assignment(u.match.events()) for u in said if u.op in ("emit", "correct")}
                if new:
                    right = all_matches(pattern, known, select="stam")
                    assert new <= right, difference(pattern, select, known, new & right, new)

        self._random(body, focus, self.examples // 2)

    def test_reaches_no_further_than_anything_changes(self, focus: str) -> None:
        """From one window before the event to two after it, or to the latest event; the event itself lies in
        it. What is further back has left memory."""

        def body(pattern: Pattern, events: list[Event], order: int) -> None:
            plan = compile_plan(pattern, name="p")
            policy = self._made(plan)
            for late, lta, _ in _late(arriving(events, order)):
                if late.type not in plan.types:
                    continue
                low, high = policy.reach(late, lta)
                assert (type(low), type(high)) == (int, int), f"no whole microseconds: {low!r}, {high!r}"
                where = (
                    f"{pattern}\nreaches from {low} to {high}, the latest being {lta}, for\n{shown([late])}"
                )
                assert low <= late.t_gen <= high, where
                assert low >= late.t_gen - plan.within, where
                assert high <= max(late.t_gen + 2 * plan.within, lta), where

        self._random(body, focus, self.examples)

    def test_one_event_gives_one_answer(self) -> None:
        """Nothing but the event and the latest time decides: no clock, no memory, no other instance."""
        plan = compile_plan(parse("PATTERN SEQ(A a, !B x, B+ b[], C c) WITHIN 10 s"), name="p")
        policy, other = self._made(plan), self._made(plan)
        asked = [(e, e.t_gen + k * SECOND) for e in stream(1, 60) for k in (0, 1, 30)]
        first = [policy.reach(e, lta) for e, lta in asked]
        assert [policy.reach(e, lta) for e, lta in reversed(asked)] == first[::-1]
        assert [other.reach(e, lta) for e, lta in asked] == first

    def test_another_goes_on_from_what_it_remembers(self) -> None:
        """After a crash, from values of JSON."""
        plan = compile_plan(parse("PATTERN SEQ(A a, B+ b[], C c) WITHIN 10 s"), name="p")
        policy, other = self._made(plan), self._made(plan)
        events = stream(1, 60)
        for event in events:
            policy.reach(event, event.t_gen + SECOND)
        hand_over(policy, other)
        for event in events:
            assert other.reach(event, event.t_gen) == policy.reach(event, event.t_gen)

    def test_after_a_restart_a_pattern_goes_on_as_without_one(self) -> None:
        """From the state that a pipeline keeps."""
        check_restarts(
            lambda: PolicyBench(_PATTERN, recompute=self.make_policy, keeps=True),
            disorder(stream(1, 120), 1, 0.4, 8 * SECOND),
            (20, 60, 100),
        )

    def test_what_it_gives_depends_on_no_hash_and_no_wall_clock(self) -> None:
        """They differ from process to process, and a run goes on in another one after a crash."""
        check_hashes(self)

    def trace(self) -> Iterator[str]:
        """As of `Traced`."""
        policy = self._made(compile_plan(_PATTERN, name="p"))
        for event in stream(1, 60):
            yield f"{event.id} {policy.reach(event, event.t_gen + SECOND)}"

    def test_memory_is_bounded(self) -> None:
        """What is kept does not grow with the stream."""
        policy = self._made(compile_plan(_PATTERN, name="p"))
        (late,) = stream(1, 1, types="B")

        def ask(n: int) -> None:
            for i in range(n):
                late.t_gen += SECOND
                policy.reach(late, late.t_gen + i % 7 * SECOND)

        check_growth(ask, 10_000, "late events")

    def test_events_are_neither_changed_nor_kept(self) -> None:
        """Events belong to the store, which must be able to let go of them."""
        plan = compile_plan(parse("PATTERN SEQ(A a, B+ b[], C c) WITHIN 10 s"), name="p")
        policy = self._made(plan)
        (late,) = stream(1, 1, types="B", attributes={"v": lambda random: random.random()})
        before, holders = deepcopy(late), sys.getrefcount(late)
        policy.reach(late, late.t_gen + SECOND)
        assert astuple(late) == astuple(before), "the event was changed"
        assert sys.getrefcount(late) == holders, "the policy keeps the event"

    def _made(self, plan: Plan) -> RecomputePolicy:
        context = Context(
            label="patterns.p.recompute", clock=ManualClock(), counters=Counter(), logger=SilentLogger()
        )
        return self.make_policy(plan, context)

    def _missed(
        self, pattern: Pattern, select: Select, arrived: list[Event]
    ) -> Iterator[tuple[Event, list[Event], list[Event]]]:
        """Each late event that changes results it does not reach, with what was known before it, and the end
        events of those."""
        plan = compile_plan(pattern, name="p", select=select)
        policy = self._made(plan)
        for late, lta, known in _late(arrived):
            if late.type not in plan.types:
                continue
            low, high = policy.reach(late, lta)
            before = maximal_matches(pattern, known, select=select)
            after = maximal_matches(pattern, [*known, late], select=select)
            missed = [e for e in _ends(before ^ after, [*known, late]) if not low <= e.t_gen <= high]
            if missed:
                yield late, known, missed

    def _random(self, body: Callable[[Pattern, list[Event], int], None], focus: str, examples: int) -> None:
        features, size = _FOCUS[focus]
        drawn = (patterns(features=features), streams(size=size), st.integers(0, 2**32))
        for_all(body, *drawn, examples=examples, seed=self.seed)


def _late(arrived: list[Event]) -> Iterator[tuple[Event, int, list[Event]]]:
    """Each event that is not the latest when it comes, with the latest `t_gen` and what came before it."""
    latest: Event | None = None
    for number, event in enumerate(arrived):
        if latest is None or sort_key(event) > sort_key(latest):
            latest = event
        else:
            yield event, latest.t_gen, arrived[:number]


def _ends(matches: set[Assignment], events: list[Event]) -> list[Event]:
    """The end events of matches of these events."""
    known = {identity(e): e for e in events}
    ends = (max((known[i] for _, group in m for i in group), key=sort_key) for m in matches)
    return sorted({identity(e): e for e in ends}.values(), key=sort_key)
