"""The conformance suite for lateness policies: subclass it in a test module, and pytest runs it.

from limecep.testing.lateness import LatenessConformance

class TestMyPolicy(LatenessConformance):
    def make_policy(self, plan, context):
        return MyPolicy(plan, MyOptions(), context)
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from copy import deepcopy
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from msgspec.structs import astuple

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.contracts.lateness import LatenessPolicy, Verdict
from limecep.contracts.remembering import Remembering
from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.plan.compiler import compile_plan
from limecep.statistics import Statistics
from limecep.store.store import Store
from limecep.testing.bench import SilentLogger
from limecep.testing.bounded import Bounded
from limecep.testing.elsewhere import check_hashes
from limecep.testing.leaks import check_growth
from limecep.testing.policy_bench import PolicyBench, only_reading
from limecep.testing.remembering import hand_over
from limecep.testing.restarts import check_restarts
from limecep.testing.spelling import check_spelling
from limecep.testing.streams import SECOND, disorder, shown, stream

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import pytest

    from limecep.plan.plan import Plan

#: The longest reason that still is a few words.
SHORT_CHARACTERS = 120


_RESTARTED = parse("PATTERN SEQ(A a, B+ b[], C c) WITHIN 10 s")


class Judged(NamedTuple):
    """One verdict, and what the policy said of the horizon just before."""

    event: Event
    verdict: Verdict
    horizon: int | None


class LatenessBench:
    """Feeds one policy as a pipeline of one pattern would: it is asked about late events, and the store takes
    what it does not refuse. Identities are not looked at: give each event one of its own.

    Attributes:
        plan: The plan, of `SEQ(A, B+, C)`.
        policy: The policy.
        statistics: What it decides on.
        judged: What it said of each late event.
    """

    def __init__(
        self, suite: LatenessConformance, every: Mapping[str, int] | None = None, window: int = 10
    ) -> None:
        query = f"PATTERN SEQ(A a, B+ b[], C c) WITHIN {window} s"
        self.plan = compile_plan(parse(query), name="p")
        self._store = Store()
        self._store.subscribe(self.plan)
        self.statistics = Statistics(self._store.types)
        for name, period in (every or {}).items():
            self.statistics.source(name).every = period
        context = Context(
            label="patterns.p.lateness", clock=ManualClock(), counters=Counter(), logger=SilentLogger()
        )
        self.policy = suite.make_policy(self.plan, context)
        self.judged: list[Judged] = []

    def feed(self, events: Iterable[Event]) -> list[Judged]:
        """Takes in events in the order of their arrival; gives what was judged, so far."""
        statistics = self.statistics
        for event in events:
            source = statistics.source(event.source)
            source.note_time(event.t_gen)
            if event.t_gen < statistics.lta:
                statistics.came_late(event)
                with only_reading(statistics):
                    horizon = self.policy.horizon(statistics)
                    verdict = self.policy.assess(event, statistics)
                self.judged.append(Judged(event, verdict, horizon))
                if verdict.extremely_late:
                    statistics.refused(event)
                    continue
            else:
                source.outcomes["in_order"] += 1
                statistics.lta = event.t_gen
            self._store.add(event, self._store.types[event.type])
        return self.judged


class LatenessConformance(Bounded):
    """What every lateness policy must do. A test class: subclass it and say how the policy is made.

    Attributes:
        seeds: What the streams are drawn from.
        elsewhere: See `limecep.testing.elsewhere.Traced`.
    """

    seeds: tuple[int, ...] = (1, 2, 3)
    elsewhere: ClassVar[Sequence[str]] = ()

    def make_policy(self, plan: Plan, context: Context) -> LatenessPolicy:
        """A new policy for a plan."""
        raise NotImplementedError

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Spreads the tests over the streams."""
        if "seed" in metafunc.fixturenames:
            metafunc.parametrize("seed", self.seeds)

    def test_another_one_goes_on_from_what_it_remembers(self, seed: int) -> None:
        """After a crash, from values of JSON; one that learns remembers something."""
        events = _stream(seed)
        expected = [j.verdict for j in self.bench().feed(events)]
        for cut in (len(events) // 2, 40, 350):
            first = self.bench()
            first.feed(events[:cut])
            if not isinstance(first.policy, Remembering):
                assert not first.policy.learns, "it learns, and remembers nothing"
                return
            other = self.bench().policy
            hand_over(first.policy, other)
            first.policy = other
            assert [j.verdict for j in first.feed(events[cut:])] == expected

    def test_after_a_restart_a_pattern_goes_on_as_without_one(self, seed: int) -> None:
        """From the state that a pipeline keeps."""
        check_restarts(
            lambda: PolicyBench(_RESTARTED, lateness=self.make_policy, keeps=True),
            _stream(seed)[250:],
            (20, 75, 130),
        )

    def test_what_it_gives_depends_on_no_hash_and_no_wall_clock(self) -> None:
        """They differ from process to process, and a run goes on in another one after a crash."""
        check_hashes(self)

    def trace(self) -> Iterator[str]:
        """As of `Traced`."""
        for every in (None, {"s": SECOND}):
            for judged in self.bench(every).feed(_stream(1)):
                yield f"{judged.event.id} {judged.verdict} {judged.horizon}"

    def test_no_optional_ability_is_misspelt(self) -> None:
        """The kernel would not find it."""
        check_spelling(self.bench().policy, LatenessPolicy, [Remembering])

    def bench(self, every: Mapping[str, int] | None = None, window: int = 10) -> LatenessBench:
        """A new bench with a new policy; `every` are the periods of sources, in microseconds, `window` is
        that of the pattern, in seconds."""
        return LatenessBench(self, every, window)

    def test_a_verdict_can_be_written_down(self, seed: int) -> None:
        """Score and threshold are finite; what is refused has a reason, in a few words on one line."""
        for event, verdict, _ in self.bench({"s": SECOND}).feed(_stream(seed)):
            assert isinstance(verdict, Verdict), f"assess gave {verdict!r}"
            assert type(verdict.extremely_late) is bool, f"extremely_late is {verdict.extremely_late!r}"
            assert math.isfinite(verdict.score), f"the score is {verdict.score} for\n{shown([event])}"
            assert math.isfinite(verdict.threshold), (
                f"the threshold is {verdict.threshold} for\n{shown([event])}"
            )
            if verdict.extremely_late:
                assert verdict.reason, f"refused without a reason:\n{shown([event])}"
            assert len(verdict.reason.splitlines()) <= 1, f"not one line: {verdict.reason!r}"
            assert len(verdict.reason) <= SHORT_CHARACTERS, f"not a few words: {verdict.reason!r}"

    def test_what_is_refused_scores_more_than_its_threshold(self, seed: int) -> None:
        """So that the late output explains itself."""
        for event, verdict, _ in self.bench({"s": SECOND}).feed(_stream(seed)):
            if verdict.extremely_late:
                assert verdict.score > verdict.threshold, f"{verdict} for\n{shown([event])}"

    def test_nothing_before_the_horizon_is_accepted(self, seed: int) -> None:
        """What is final, and what has left memory, goes by the horizon."""
        for event, verdict, horizon in self.bench({"s": SECOND}).feed(_stream(seed)):
            if horizon is not None and event.t_gen < horizon:
                assert verdict.extremely_late, f"accepted before the horizon {horizon}:\n{shown([event])}"

    def test_the_horizon_is_a_time_that_never_goes_back(self, seed: int) -> None:
        """It is known, or not, all the time."""
        horizons = [horizon for _, _, horizon in self.bench().feed(_stream(seed))]
        known = [h for h in horizons if h is not None]
        assert len(known) in (0, len(horizons)), "the horizon is known at times only"
        assert all(type(h) is int for h in known), f"the horizon is in whole microseconds, not {known[0]!r}"
        assert known == sorted(known), "the horizon went back"

    def test_one_history_gives_one_answer(self, seed: int) -> None:
        """Nothing but events and statistics decides: no clock, no chance, no other instance."""
        first, second = self.bench(), self.bench()
        other = self.bench()
        for event in _stream(seed):
            first.feed([event])
        other.feed(_stream(seed + 100))
        second.feed(_stream(seed))
        _agree(first.judged, second.judged)

    def test_what_it_learns_it_says(self, seed: int) -> None:
        """Where `learns` is false, what it saw before changes nothing: events may leave memory by it."""
        learning, forgetting = self.bench(), self.bench()
        assert type(learning.policy.learns) is bool, f"learns is {learning.policy.learns!r}"
        if learning.policy.learns:
            return
        for event in _stream(seed):
            forgetting.policy = self.bench().policy
            learning.feed([event])
            forgetting.feed([event])
        _agree(learning.judged, forgetting.judged)

    def test_whether_the_window_counts_it_says(self, seed: int) -> None:
        """Where `by_window` is false, patterns of different windows refuse the same, and share events."""
        narrow, wide = self.bench({"s": SECOND}), self.bench({"s": SECOND}, window=1000)
        assert type(narrow.policy.by_window) is bool, f"by_window is {narrow.policy.by_window!r}"
        if not narrow.policy.by_window:
            _agree(narrow.feed(_stream(seed)), wide.feed(_stream(seed)))

    def test_patterns_do_not_learn_from_each_other(self, seed: int) -> None:
        """Two instances that take turns answer as each would alone."""
        alone, beside, other = self.bench(), self.bench(), self.bench()
        alone.feed(_stream(seed))
        for event, another in zip(_stream(seed), _stream(seed + 100), strict=True):
            beside.feed([event])
            other.feed([another])
        _agree(alone.judged, beside.judged)

    def test_events_are_neither_changed_nor_kept(self, seed: int) -> None:
        """Events belong to the store, which must be able to let go of them."""
        bench = self.bench()
        bench.feed(_stream(seed))
        late = Event("A", "probe", bench.statistics.lta - 5 * SECOND, source="s", payload={"v": 1})
        before, holders = deepcopy(late), sys.getrefcount(late)
        bench.statistics.came_late(late)
        bench.policy.assess(late, bench.statistics)
        assert astuple(late) == astuple(before), "the event was changed"
        assert sys.getrefcount(late) == holders, "the policy keeps the event"

    def test_memory_is_bounded(self) -> None:
        """What is learnt does not grow with the stream."""
        bench = self.bench()
        bench.feed(_stream(1))
        lta = bench.statistics.lta
        late = Event("A", "late", lta)

        def judge(n: int) -> None:
            for i in range(n):
                late.t_gen = lta - 1 - (i * 7919) % (100 * SECOND)
                late.type = "ABC"[i % 3]
                bench.statistics.came_late(late)
                bench.policy.assess(late, bench.statistics)

        check_growth(judge, 10_000, "late events")

    def test_any_time_and_any_period_can_be_judged(self) -> None:
        """The first event of a type or source, the same time again and again, the ends of time."""
        far = 200_000_000_000 * SECOND
        times = [0, far, 0, far - 1, far - 1, -far, 0, -far, *[far - 5] * 40, -far]
        for every in (None, {"s": 1}, {"s": far}):
            events = [
                Event("ABC"[n % 3 if n > 5 else 0], str(n), t, source="s" if n % 2 else "t")
                for n, t in enumerate(times)
            ]
            judged = self.bench(every).feed(events)
            assert len(judged) == len(times) - 2
            for event, verdict, _ in judged:
                assert math.isfinite(verdict.score), f"the score is {verdict.score} for\n{shown([event])}"
                assert math.isfinite(verdict.threshold), f"the threshold is {verdict.threshold}"


def _agree(judged: list[Judged], again: list[Judged]) -> None:
    for first, second in zip(judged, again, strict=True):
        assert first.verdict == second.verdict, (
            f"{first.verdict}, and another time {second.verdict} for\n{shown([first.event])}"
        )


def _stream(seed: int) -> list[Event]:
    """Four hundred events of three types and two sources, a third of them late, some by far."""
    events = stream(seed, 400, sources=("s", "t"), ties=0.1)
    late = disorder(events[:350], seed, 0.3, 8 * SECOND) + disorder(events[350:], seed, 0.4, 400 * SECOND)
    return sorted(late, key=lambda e: e.t_arr)
