"""The conformance suite for result policies: subclass it in a test module, and pytest runs it.

from limecep.testing.results import ResultsConformance

class TestMyPolicy(ResultsConformance):
    def make_policy(self, plan, context):
        return MyPolicy(plan, MyOptions(), context)
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from hypothesis import strategies as st

from limecep.clock import ManualClock
from limecep.contracts.changes import OPTIONAL, Selecting
from limecep.contracts.context import Context
from limecep.contracts.remembering import Remembering
from limecep.contracts.results import EMITS, EVERYTHING, PROMISES, ResultPolicy
from limecep.contracts.skips import skip_problem
from limecep.language.parser import parse
from limecep.model.event import sort_key
from limecep.patterns.keys import place
from limecep.plan.compiler import compile_plan
from limecep.plan.partition import shown_key
from limecep.store.share import Share
from limecep.testing.bench import SilentLogger
from limecep.testing.bounded import Bounded
from limecep.testing.changelog import net
from limecep.testing.elsewhere import check_hashes
from limecep.testing.leaks import check_growth
from limecep.testing.oracle import all_matches, assignment, identity, kept_matches, maximal_matches
from limecep.testing.policy_bench import Accepting, Correcting, PolicyBench, Waiting, arriving
from limecep.testing.random_tests import difference, for_all
from limecep.testing.remembering import hand_over
from limecep.testing.spelling import check_spelling
from limecep.testing.strategies import FEATURES, Feature, patterns, streams
from limecep.testing.streams import SECOND, disorder, shown, stream, written
from limecep.testing.untouched import untouched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.model.pattern import Pattern, Select
    from limecep.model.update import Update
    from limecep.plan.plan import Plan
    from limecep.testing.oracle import Assignment

#: What the random patterns of one test are about, and how long its streams are.
_FOCUS: dict[str, tuple[frozenset[Feature], int]] = {
    "everything": (FEATURES, 9),
    "growing": (frozenset({"kleene", "optional", "each"}), 10),
    "negation": (frozenset({"negation", "each"}), 10),
}

#: Its streams have many matches of each key.
_DENSE = parse("PATTERN SEQ(A a, B b) WITHIN 6 s PARTITION BY k")

#: Its matches cannot grow at their end.
_CLOSED = parse("PATTERN SEQ(A a, B+ b[], C c) WITHIN 10 s")

#: How late events may be.
_BOUNDS = st.sampled_from([None, 0, 2 * SECOND, 6 * SECOND])


class ResultsConformance(Bounded):
    """What every result policy must do. A test class: subclass it and say how the policy is made.

    Random tests are drawn anew each run, but where the environment variable `CI` is set; what fails is shown
    with the seed, which may then be set here.

    Attributes:
        selects: The selection policies tried.
        examples: How many random pairs of pattern and stream each test tries.
        seed: What they are drawn from; None as said above.
        elsewhere: See `limecep.testing.elsewhere.Traced`.
    """

    selects: ClassVar[tuple[Select, ...]] = ("stnm", "stam")
    examples: ClassVar[int] = 100
    seed: ClassVar[int | None] = None
    elsewhere: ClassVar[Sequence[str]] = ()

    def make_policy(self, plan: Plan, context: Context) -> ResultPolicy:
        """A new policy for a plan."""
        raise NotImplementedError

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Spreads the tests over selection policies and what patterns are about."""
        if "select" in metafunc.fixturenames:
            metafunc.parametrize("select", self.selects)
        if "focus" in metafunc.fixturenames:
            metafunc.parametrize("focus", [*_FOCUS, "dense"])

    def test_it_says_what_it_does_and_does_not_change_its_mind(self) -> None:
        """The kernel asks once."""
        policy = self._made()
        said = _said(policy)
        assert policy.promise in PROMISES, f"promise is {policy.promise!r}, not {', '.join(PROMISES)}"
        assert isinstance(policy.passes, frozenset), f"passes is {policy.passes!r}, no frozenset"
        assert policy.passes <= EVERYTHING, f"passes is {policy.passes!r}, not of {', '.join(EVERYTHING)}"
        assert type(policy.across_keys) is bool, f"across_keys is {policy.across_keys!r}"
        assert policy.emit in EMITS, f"emit is {policy.emit!r}, not one of {', '.join(EMITS)}"
        assert type(policy.announces) is bool, f"announces is {policy.announces!r}"
        assert (far := policy.horizon) is None or (type(far) is int and far >= 0), f"horizon is {far!r}"
        assert not (wrong := skip_problem(policy.skip)), f"skip is {policy.skip!r}, which is {wrong}"
        made: list[ResultPolicy] = []

        def make(plan: Plan, context: Context) -> ResultPolicy:
            made.append(self.make_policy(plan, context))
            return made[0]

        PolicyBench(_CLOSED, results=make).run(written("a1 b2 c5 b3 a20 b21 c22 b19"))
        for later in (policy, made[0]):
            assert _said(later) == said

    def test_its_promise_holds(self, select: Select, focus: str) -> None:
        """Whatever the order of arrival, and also where it goes on after a crash: what is out at the end is
        what it promises of the results of the events that were not refused."""
        policy = self._made()
        if policy.skip is not None and policy.promise != "equal":
            pytest.skip("uncorrected, what others drop depends on what came first")

        def holds(detecting: PolicyBench, pattern: Pattern, arrived: list[Event]) -> None:
            refused = {identity(e) for e in detecting.refused}
            used = [e for e in arrived if identity(e) not in refused]
            expected = maximal_matches(pattern, used, select=select)
            if policy.skip is not None:
                expected = kept_matches(expected, pattern, used, policy.skip)
            if isinstance(policy, Selecting):
                expected &= _selected(policy, pattern, select, used)
            got = net(detecting.updates)
            right = {"equal": expected, "superset": got | expected, "subset": got & expected}[policy.promise]
            assert got == right, difference(pattern, select, used, right, got)

        self._random(holds, focus, select)

    def test_it_decides_each_key_by_itself(self) -> None:
        """Keys may be divided among processes. Not where the policy says that it decides across keys."""
        if self._made().across_keys:
            pytest.skip("the policy decides across keys")

        def body(events: list[Event], order: int) -> None:
            arrived = arriving(events, order)

            def log(share: Share | None) -> dict[str, list[object]]:
                detecting = PolicyBench(
                    _DENSE, results=self.make_policy, lateness=lambda *_: Accepting(6 * SECOND), share=share
                )
                found: dict[str, list[object]] = {}
                for u in detecting.run(arrived):
                    said = u.op, u.revision, assignment(u.match.events()), u.final
                    found.setdefault(str(u.key), []).append(said)
                return found

            whole, parts = log(None), [log(Share(number, 3)) for number in range(3)]
            told = f"with its keys apart it decides otherwise: {shown(arrived)}"
            assert whole == parts[0] | parts[1] | parts[2], told

        drawn = streams(size=14, types="AB", odd=False), st.integers(0, 2**32)
        for_all(body, *drawn, examples=self.examples, seed=self.seed)

    def test_what_goes_out_are_matches(self, select: Select, focus: str) -> None:
        """Nothing goes out that the events known by then do not show."""

        def body(pattern: Pattern, events: list[Event], order: int, within: int | None) -> None:
            detecting = PolicyBench(
                pattern, select, results=self.make_policy, lateness=lambda *_: Accepting(within)
            )
            for known, said in detecting.stepwise(arriving(events, order)):
                new = {assignment(u.match.events()) for u in said if u.op in ("emit", "correct")}
                if new:
                    right = all_matches(pattern, known, select="stam")
                    assert new <= right, difference(pattern, select, known, new & right, new)

        features, size = _FOCUS.get(focus, (FEATURES, 9))
        drawn = (patterns(features=features), streams(size=size), st.integers(0, 2**32), _BOUNDS)
        for_all(body, *drawn, examples=self.examples // 2, seed=self.seed)

    def test_what_is_final_is_said_once_and_holds(self, select: Select, focus: str) -> None:
        """Of every match that stands at the end, if the policy announces that, or emits only then; else of
        none. That nothing follows it, the rules of the change log say."""
        policy = self._made()

        def holds(detecting: PolicyBench, pattern: Pattern, arrived: list[Event]) -> None:
            live = net(detecting.updates)
            said = [_final(u) for u in detecting.updates if _final(u)]
            if policy.emit == "final":
                _check_ops(detecting, {"emit"}, arrived)
                assert len(said) == len(detecting.updates), f"not final: {_log(detecting, arrived)}"
            elif policy.announces:
                assert len(said) == len(set(said)), f"said twice: {_log(detecting, arrived)}"
                # What stands and is no result any more nobody asks about.
                asked = live & {*said} if policy.promise == "superset" else live
                assert asked == {*said}, f"not all are final: {_log(detecting, arrived)}"
            else:
                assert not said, f"said to be final: {_log(detecting, arrived)}"

        self._random(holds, focus, select)

    def test_what_is_final_is_said_while_the_stream_goes_on(self) -> None:
        """As soon as no event is accepted that could change it."""
        policy = self._made()
        if not policy.announces and policy.emit != "final":
            pytest.skip("the policy says nothing of what is final")
        far = (policy.horizon or 0) // SECOND + 100
        detecting = PolicyBench(_CLOSED, results=self.make_policy, lateness=lambda *_: Accepting(5 * SECOND))
        detecting.feed(written("a1 b2 c5"))
        assert not any(map(_final, detecting.updates)), "final at once, though late events are accepted"
        detecting.feed(written(f"a{far} b{far + 1}"))
        assert [_final(u) for u in detecting.updates if _final(u)] == [
            assignment(detecting.updates[0].match.events())
        ]

    def test_in_order_nothing_is_corrected_that_was_to_be_complete(self, select: Select, focus: str) -> None:
        """A match that waits until time has passed its window goes out once."""
        policy = self._made()
        if (
            policy.emit not in ("complete", "final")
            or policy.skip is not None
            or isinstance(policy, Selecting)
        ):
            pytest.skip("the policy does not wait for what is complete, or one match may drop another")

        def body(pattern: Pattern, events: list[Event]) -> None:
            in_order = sorted(events, key=sort_key)
            detecting = PolicyBench(pattern, select, results=self.make_policy)
            detecting.run(in_order)
            _check_ops(detecting, {"emit", "final"}, in_order)

        features, size = _FOCUS.get(focus, (FEATURES, 9))
        drawn = (patterns(features=features), streams(size=size))
        for_all(body, *drawn, examples=self.examples, seed=self.seed)

    def test_what_is_to_go_out_at_once_does(self) -> None:
        """A match that cannot grow, under `eager` and `complete`: with its end event."""
        policy = self._made()
        if policy.emit not in ("eager", "complete") or policy.promise == "subset":
            pytest.skip("the policy waits")
        detecting = PolicyBench(_CLOSED, results=self.make_policy, slack=lambda *_: Waiting(10 * SECOND))
        detecting.feed(written("a1 b2 c5"))
        ops = [u.op for u in detecting.updates]
        assert ops == ["emit"], f"'emit' is {policy.emit}, and a complete match gave {ops or 'nothing'}"

    def test_what_waits_for_slack_goes_out_corrected(self) -> None:
        """Under `slack`: a late event that comes during the wait changes a match before it goes out."""
        policy = self._made()
        if policy.emit != "slack" or policy.promise == "subset":
            pytest.skip("the policy does not wait for slack")
        detecting = PolicyBench(_CLOSED, results=self.make_policy, slack=lambda *_: Waiting(10 * SECOND))
        detecting.feed(written("a1 b2 c5"))
        assert detecting.updates == [], "emitted before the wait is over"
        detecting.feed(written("b3"))
        detecting.detection.finish()
        (update,) = detecting.updates
        assert (update.op, len(update.match.events()["b"])) == ("emit", 2)

    def test_no_optional_ability_is_misspelt(self) -> None:
        """The kernel would not find it."""
        check_spelling(self._made(), ResultPolicy, [Remembering, *OPTIONAL])

    def test_another_goes_on_from_what_it_remembers(self) -> None:
        """After a crash, from values of JSON."""
        policy, other = self._made(), self._made()
        PolicyBench(_CLOSED, results=lambda *_: policy).run(written("a1 b2 c5 b3 a20 b21 c22 b19"))
        hand_over(policy, other)
        assert _said(other) == _said(policy)

    def test_events_are_left_as_they_are(self) -> None:
        """Other patterns have them, too."""
        events = _keyed(60)
        with untouched(events):
            PolicyBench(_DENSE, results=self.make_policy).run(events)

    def test_what_it_gives_depends_on_no_hash_and_no_wall_clock(self) -> None:
        """They differ from process to process, and a run goes on in another one after a crash."""
        check_hashes(self)

    def trace(self) -> Iterator[str]:
        """As of `Traced`."""
        for update in PolicyBench(_DENSE, results=self.make_policy).run(_keyed(150)):
            yield f"{update.op} {update.revision} {assignment(update.match.events())} {update.final}"

    def test_memory_is_bounded(self) -> None:
        """What is kept of matches that are final goes."""
        policies: list[ResultPolicy] = []

        def make(plan: Plan, context: Context) -> ResultPolicy:
            policies.append(self.make_policy(plan, context))
            return policies[0]

        detecting = PolicyBench(_DENSE, results=make, lateness=lambda *_: Accepting(6 * SECOND))
        events = iter(_keyed(1_300))

        def feed(n: int) -> None:
            detecting.feed(islice(events, n))
            detecting.updates.clear()

        check_growth(feed, 1_000, "events")

    def _made(self) -> ResultPolicy:
        context = Context(
            label="patterns.p.results", clock=ManualClock(), counters=Counter(), logger=SilentLogger()
        )
        return self.make_policy(compile_plan(_CLOSED, name="p"), context)

    def _random(
        self, holds: Callable[[PolicyBench, Pattern, list[Event]], None], focus: str, select: Select
    ) -> None:
        """Runs random patterns on random streams to their end, under different bounds on lateness."""

        def body(
            pattern: Pattern,
            events: list[Event],
            order: int,
            within: int | None,
            wait: int,
            batch: int,
            cut: int | None,
        ) -> None:
            detecting = PolicyBench(
                pattern,
                select,
                results=self.make_policy,
                lateness=lambda *_: Accepting(within),
                slack=lambda *_: Waiting(wait),
                batch=batch,
                keeps=cut is not None,
            )
            arrived = arriving(events, order)
            detecting.run(arrived, cut)
            holds(detecting, pattern, arrived)

        features, size = _FOCUS.get(focus, (frozenset(), 14))
        dense = focus == "dense"
        for_all(
            body,
            st.just(_DENSE) if dense else patterns(features=features),
            streams(size=size, types="AB" if dense else "ABC", odd=not dense),
            st.integers(0, 2**32),
            _BOUNDS,
            st.sampled_from([0, 0, 3 * SECOND // 2, 5 * SECOND]),
            st.sampled_from([1, 3]),
            st.none() | st.integers(1, size - 1),
            examples=self.examples,
            seed=self.seed,
        )


def _keyed(count: int) -> list[Event]:
    """Events of some keys, some of them late."""
    drawn = stream(1, count, "AB", attributes={"k": lambda random: random.choice("xyz")})
    return disorder(drawn, 1, 0.2, 4 * SECOND)


def _said(policy: ResultPolicy) -> tuple[object, ...]:
    """What a policy says of itself."""
    decides = policy.promise, policy.passes, policy.across_keys
    return *decides, policy.emit, policy.announces, policy.horizon, policy.skip


def _selected(policy: Any, pattern: Pattern, select: Select, used: list[Event]) -> set[Assignment]:
    """The results of events in order that a policy's promise is about."""
    detecting = PolicyBench(pattern, select, results=lambda *_: Correcting(policy.skip))
    live: dict[object, Match] = {}
    for u in detecting.run(sorted(used, key=sort_key)):
        name = u.generation, assignment(u.first.events())
        live[name] = u.match
        if u.op == "retract":
            del live[name]
    by_key: dict[str, list[Match]] = {}
    for match in sorted(live.values(), key=place):
        key = None if policy.across_keys else shown_key(detecting.plan.partition, match.start)
        by_key.setdefault(str(key), []).append(match)
    return {assignment(m.events()) for matches in by_key.values() for m in policy.selects(matches)}


def _final(update: Update) -> Assignment | None:
    """The match that an update says to be final."""
    return assignment(update.match.events()) if update.op == "final" or update.final else None


def _check_ops(detecting: PolicyBench, allowed: set[str], arrived: list[Event]) -> None:
    assert {u.op for u in detecting.updates} <= allowed, f"more than {allowed}: {_log(detecting, arrived)}"


def _log(detecting: PolicyBench, arrived: list[Event]) -> str:
    """A change log and the stream it is about, for people."""
    lines = [
        f"  {u.op}{' (final)' if u.final else ''} {' '.join(e.id for g in u.match.groups for e in g)}"
        for u in detecting.updates
    ]
    pattern = detecting.plan.pattern
    return "\n".join([str(pattern), *lines, f"select {detecting.plan.select}, on", shown(arrived)])
