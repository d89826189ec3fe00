"""The conformance suite for slack policies: subclass it in a test module, and pytest runs it.

from limecep.testing.slack import SlackConformance

class TestMyPolicy(SlackConformance):
    def make_policy(self, plan, context):
        return MyPolicy(plan, MyOptions(), context)
"""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar

from hypothesis import strategies as st

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.contracts.remembering import Remembering
from limecep.contracts.slack import LONGEST_WAIT, SlackPolicy
from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.statistics import Statistics
from limecep.testing.bench import SilentLogger
from limecep.testing.bounded import Bounded
from limecep.testing.changelog import net
from limecep.testing.elsewhere import check_hashes
from limecep.testing.leaks import check_growth
from limecep.testing.oracle import maximal_matches
from limecep.testing.policy_bench import PolicyBench, arriving, only_reading
from limecep.testing.random_tests import difference, for_all
from limecep.testing.remembering import hand_over
from limecep.testing.restarts import check_restarts
from limecep.testing.spelling import check_spelling
from limecep.testing.strategies import patterns, streams
from limecep.testing.streams import SECOND, disorder, stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import pytest

    from limecep.model.event import Event
    from limecep.model.pattern import Pattern
    from limecep.plan.plan import Plan

_PATTERN = parse("PATTERN SEQ(A a, B+ b[], C c) WITHIN 10 s")


class SlackConformance(Bounded):
    """What every slack policy must do. A test class: subclass it and say how the policy is made.

    Attributes:
        seeds: What the streams are drawn from.
        examples: How many random pairs of pattern and stream are tried.
        seed: What those are drawn from; None: chance, but where the environment variable `CI` is set.
        elsewhere: See `limecep.testing.elsewhere.Traced`.
    """

    seeds: ClassVar[tuple[int, ...]] = (1, 2, 3)
    examples: ClassVar[int] = 100
    seed: ClassVar[int | None] = None
    elsewhere: ClassVar[Sequence[str]] = ()

    def make_policy(self, plan: Plan, context: Context) -> SlackPolicy:
        """A new policy for a plan."""
        raise NotImplementedError

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Spreads the tests over the streams."""
        if "seed_of_stream" in metafunc.fixturenames:
            metafunc.parametrize("seed_of_stream", self.seeds)

    def waits(self, events: Iterable[Event]) -> list[int]:
        """What a new policy says, at each late event of a stream in the order of its arrival."""
        asked = _Asked()

        def make(plan: Plan, context: Context) -> _Asked:
            asked.policy = self.make_policy(plan, context)
            return asked

        PolicyBench(_PATTERN, slack=make).run(events)
        return asked.answers

    def test_a_wait_is_a_number_of_microseconds(self, seed_of_stream: int) -> None:
        """Whole, not negative, and no longer than a year."""
        answers = self.waits(_stream(seed_of_stream))
        assert answers, "nothing was late"

    def test_it_can_be_asked_before_anything_has_come(self) -> None:
        """Nothing was counted yet."""
        assert self._made().wait(Statistics({})) >= 0

    def test_one_history_gives_one_answer(self, seed_of_stream: int) -> None:
        """Nothing but the statistics decides: no clock, no chance, no other pattern."""
        first = self.waits(_stream(seed_of_stream))
        self.waits(_stream(seed_of_stream + 100))
        again = self.waits(_stream(seed_of_stream))
        assert again == first, "one stream, two answers: it depends on a clock, chance or another pattern"

    def test_another_goes_on_from_what_it_remembers(self, seed_of_stream: int) -> None:
        """After a crash, from values of JSON. One that remembers nothing needs nothing."""

        def crash(asked: _Asked) -> None:
            other = self._made()
            if isinstance(asked.policy, Remembering):
                hand_over(asked.policy, other)
            asked.policy = other

        answers = self._in_halves(seed_of_stream, crash)
        assert answers == self._in_halves(seed_of_stream, lambda asked: None), (
            "after a restart it waits for another time: what it needs of the time before is not all in "
            "'remembered'"
        )

    def test_after_a_restart_a_pattern_goes_on_as_without_one(self, seed_of_stream: int) -> None:
        """From the state that a pipeline keeps."""
        check_restarts(
            lambda: PolicyBench(_PATTERN, slack=self.make_policy, keeps=True),
            _stream(seed_of_stream)[150:],
            (20, 75, 130),
        )

    def test_what_it_gives_depends_on_no_hash_and_no_wall_clock(self) -> None:
        """They differ from process to process, and a run goes on in another one after a crash."""
        check_hashes(self)

    def trace(self) -> Iterator[str]:
        """As of `Traced`."""
        return map(str, self.waits(_stream(1)))

    def _in_halves(self, seed: int, between: Callable[[_Asked], None]) -> list[int]:
        """What a policy says, where something happens to it in the middle of a stream."""
        asked, events = _Asked(), _stream(seed)
        asked.policy = self._made()
        bench = PolicyBench(_PATTERN, slack=lambda *_: asked)
        bench.feed(events[:200])
        between(asked)
        bench.run(events[200:])
        return asked.answers

    def test_it_never_sleeps(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """It says how long to wait; the kernel waits, and takes in events meanwhile."""

        def sleep(seconds: float) -> None:
            raise AssertionError(f"the policy sleeps for {seconds} s")

        monkeypatch.setattr(time, "sleep", sleep)
        assert self.waits(_stream(1))

    def test_memory_is_bounded(self) -> None:
        """What is learnt does not grow with the stream."""
        policy, statistics = self._made(), Statistics({})
        (late,) = stream(1, 1)
        statistics.source(late.source).outcomes["in_order"] = 1000
        statistics.lta = late.t_gen + SECOND

        def ask(n: int) -> None:
            for _ in range(n):
                statistics.came_late(late)
                policy.wait(statistics)

        check_growth(ask, 10_000, "late events")

    def test_net_results_do_not_depend_on_the_wait(self) -> None:
        """What waits is looked at when its time has come, at the latest when the input ends."""

        def body(pattern: Pattern, events: list[Event], order: int) -> None:
            arrived = arriving(events, order)
            got = net(PolicyBench(pattern, slack=self.make_policy).run(arrived))
            expected = maximal_matches(pattern, events, select="stnm")
            assert got == expected, difference(pattern, "stnm", arrived, expected, got)

        drawn = (patterns(), streams(size=9), st.integers(0, 2**32))
        for_all(body, *drawn, examples=self.examples, seed=self.seed)

    def test_no_optional_ability_is_misspelt(self) -> None:
        """The kernel would not find it."""
        check_spelling(self._made(), SlackPolicy, [Remembering])

    def _made(self) -> SlackPolicy:
        context = Context(
            label="patterns.p.slack", clock=ManualClock(), counters=Counter(), logger=SilentLogger()
        )
        return self.make_policy(compile_plan(_PATTERN, name="p"), context)


class _Asked:
    """A policy whose answers are written down."""

    policy: SlackPolicy

    def __init__(self) -> None:
        self.answers: list[int] = []

    def wait(self, statistics: Any) -> int:
        with only_reading(statistics):
            answer = self.policy.wait(statistics)
        assert type(answer) is int, f"whole microseconds, not {answer!r}"
        assert answer >= 0, f"a negative wait: {answer}"
        assert answer <= LONGEST_WAIT, f"a wait of {answer} microseconds is longer than a year"
        self.answers.append(answer)
        return answer


def _stream(seed: int) -> list[Event]:
    """Three hundred events, few of them late at first, and then many."""
    events = stream(seed, 300, sources=("s", "t"), ties=0.1)
    late = disorder(events[:150], seed, 0.05, 8 * SECOND) + disorder(events[150:], seed, 0.5, 8 * SECOND)
    return sorted(late, key=lambda e: e.t_arr)
