"""The law above all: whatever the order of arrival, the net results are those of the ordered stream."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import strategies as st
from msgspec.structs import replace

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.detection.detection import Detection
from limecep.detection.event_time import SourceTraits
from limecep.model.alternatives import spread
from limecep.model.event import sort_key
from limecep.output.render import Renderer
from limecep.patterns.detector import Detector, Refusal
from limecep.plan.compiler import compile_plan
from limecep.spec import NoOptions
from limecep.testing.bench import SilentLogger
from limecep.testing.changelog import net
from limecep.testing.oracle import (
    Assignment,
    Identity,
    all_matches,
    assignment,
    identity,
    kept_matches,
    maximal_matches,
    picked_matches,
    ruled_matches,
)
from limecep.testing.oracle.returned import returned
from limecep.testing.random_tests import for_all
from limecep.testing.returning import with_values
from limecep.testing.strategies import FEATURES, patterns, streams
from limecep.testing.streams import shown
from limecep_lateness.accept import Accept
from limecep_lateness.config import AcceptOptions
from limecep_maximal.config import MaximalOptions
from limecep_maximal.engine import MaximalEngine
from limecep_nfa.engine import NfaEngine
from limecep_recompute.exact import Exact
from limecep_results.config import CorrectedOptions
from limecep_results.corrected import Corrected, Uncorrected
from limecep_slack.config import FixedOptions
from limecep_slack.waiting import FixedSlack

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from limecep.contracts.results import Emit
    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.model.pattern import Pattern, Select
    from limecep.model.picks import Pick
    from limecep.model.update import Update
    from limecep.plan.plan import Plan
    from limecep.store.view import View

#: How many pairs of patterns and streams each test draws.
EXAMPLES = int(os.environ.get("LIMECEP_EXAMPLES", "100"))


class BestEngine:
    """An engine with a meaning of its own: of each end event the match with the most events, of those the one
    that begins last."""

    results = "rule"
    rule = "the largest"

    def __init__(self, plan: Plan, options: NoOptions, context: Context) -> None:
        self._all = NfaEngine(plan, options, context)

    @staticmethod
    def keeps(matches: Sequence[Mapping[str, Sequence[Event]]]) -> list[Mapping[str, Sequence[Event]]]:
        def rank(match: Mapping[str, Sequence[Event]]) -> Any:
            events = [e for group in match.values() for e in group]
            return len(events), min(map(sort_key, events)), assignment(match)

        return [max(matches, key=rank)] if matches else []

    def matches(self, end: Event, view: View) -> list[Match]:
        found = {m.assignment(): m for m in self._all.matches(end, view)}
        events = {key: m.events() for key, m in found.items()}
        kept = self.keeps(list(events.values()))
        return [m for key, m in found.items() if events[key] in kept]

    def count(self, end: Event, view: View) -> int | None:
        return None


Engine = type[MaximalEngine] | type[NfaEngine] | type[BestEngine]
ENGINES: list[Engine] = [MaximalEngine, NfaEngine]
OPTIONS: dict[Engine, Any] = {
    MaximalEngine: MaximalOptions(enumeration=10**6), NfaEngine: NoOptions(), BestEngine: NoOptions()
}  # fmt: skip
SELECTS: list[Select] = ["stnm", "stam", "sc"]
PICKS: list[Pick] = ["first", "last", "longest", "shortest"]

LOCAL = frozenset({"kleene", "optional", "types", "negation", "each", "partition"})
#: What look-ups in tables have to do with.
LOOKING = frozenset({"kleene", "optional", "negation", "or", "table"})


@dataclass(frozen=True, kw_only=True)
class Case:
    """One pattern with its engine and policies; times in microseconds.

    Attributes:
        within: How late an event may be; None for any.
        slack: How long recomputations wait.
        emit: When matches go out.
        announces: Whether finals are announced.
        skip: The skip strategy, by its name.
        corrects: Whether what was emitted is corrected.
        horizon: How late an event may be and still change results; None for as late as it is accepted.
        most: The most matches of one end event.
        pick: Which match of an end event is a result; None for all.
    """

    pattern: Pattern
    select: Select
    engine: Engine
    within: int | None = None
    slack: int = 0
    emit: Emit = "eager"
    announces: bool = False
    skip: str = "none"
    corrects: bool = True
    horizon: int | None = None
    most: int = 1_000_000
    pick: Pick | None = None

    def __str__(self) -> str:
        return (
            f"{self.pattern}\nselect {self.select}, {self.engine.__name__}, within {self.within}, "
            f"slack {self.slack}, emit {self.emit}, announces {self.announces}, skip {self.skip}, "
            f"corrects {self.corrects}, horizon {self.horizon}, most {self.most}, pick {self.pick}"
        )

    @property
    def options(self) -> CorrectedOptions:
        """Those of its result policy."""
        return CorrectedOptions(
            emit=self.emit, final=self.announces, skip=self.skip, horizon=self.horizon
        )  # fmt: skip

    def detector(self, name: str, clock: ManualClock) -> Detector:
        """Its components."""
        plan = compile_plan(
            self.pattern, name=name, select=self.select, max_per_end=self.most, pick=self.pick
        )
        context = Context(label=name, clock=clock, counters=Counter(), logger=SilentLogger())
        return Detector(
            plan=plan,
            engine=self.engine(plan, OPTIONS[self.engine], context),
            lateness=Accept(plan, AcceptOptions(within=self.within), context),
            slack=FixedSlack(plan, FixedOptions(wait=self.slack), context),
            recompute=Exact(plan, NoOptions(), context),
            results=(Corrected if self.corrects else Uncorrected)(plan, self.options, context),
            context=context,
            group=(self.within, self.horizon, name if self.announces or self.emit == "final" else ""),
        )


class Machine:
    """A clock that is behind by `WRONG_US` until it is set."""

    def __init__(self) -> None:
        self._behind = WRONG_US
        self._passed = 0

    def now(self) -> int:
        return self._passed - self._behind

    def passed(self) -> int:
        return self._passed

    def advance_to(self, passed: int) -> None:
        """So much has passed."""
        self._passed = passed

    def set(self) -> None:
        """It is right."""
        self._behind = 0


#: By how much clocks are behind, if they are, and how far events may be ahead of their arrival.
WRONG_US = 1_000_000_000
SKEW_US = 500_000_000


def detect(
    cases: list[Case],
    events: list[Event],
    *,
    batch: int,
    idle_after: int | None = None,
    silences: Random | None = None,
    wrong: Random | None = None,
) -> tuple[list[Update], dict[str, set[Identity]]]:
    """What some patterns say of a stream that arrives as it stands, `batch` events fed at a time. A source is
    idle after so many microseconds. Where there are silences, nothing comes now and then for some seconds,
    and one source never speaks. A wrong clock is behind, and set after some batches.

    Returns:
        The updates; the events that each pattern refused.
    """
    unset = 0 if wrong is None else wrong.randrange(0, len(events) + 1, batch)
    clock: Any = ManualClock() if wrong is None else Machine()
    updates: list[Update] = []
    refused: dict[str, set[Identity]] = {f"p{n}": set() for n in range(len(cases))}
    # Arrivals a second apart: slack is waited for by the arrival clock.
    pauses = [0 if silences is None else silences.choice([0, 0, 4, 20]) for _ in range(0, len(events), batch)]
    arriving = [replace(e, t_arr=(n + sum(pauses[: n // batch])) * 1_000_000) for n, e in enumerate(events)]
    first: dict[Identity, int] = {}
    for event in arriving:
        first.setdefault(identity(event), event.t_arr)
    # They are judged again, with their arrival as it was.
    arriving = [replace(e, t_arr=e.t_arr - WRONG_US * (n < unset)) for n, e in enumerate(arriving)]

    def refuse(refusal: Refusal) -> None:
        # A copy may come when the event has left already, and is then as late as any.
        if refusal.event.t_arr == first[identity(refusal.event)]:
            for name in refusal.patterns:
                refused[name].add(identity(refusal.event))

    detection = Detection(
        [case.detector(f"p{n}", clock) for n, case in enumerate(cases)],
        clock,
        sources={
            name: SourceTraits(idle_after=idle_after, max_future_skew=None if wrong is None else SKEW_US)
            for name in {e.source for e in events} | ({"mute"} if silences else set())
        },
        awaits_sources=silences is not None,
        deliver=updates.append,
        refuse=refuse,
        sequenced=any(e.seq for e in events),
    )
    detection.idle()
    for pause, i in zip(pauses, range(0, len(arriving), batch), strict=True):
        if wrong is not None:
            if i == unset:
                clock.set()
                detection.idle()
            clock.advance_to(
                arriving[min(i + batch, len(arriving)) - 1].t_arr + (clock.passed() - clock.now())
            )
        detection.feed(arriving[i : i + batch])
        for _ in range(pause):
            move(clock)
            detection.idle()
    if wrong is not None and unset >= len(arriving):
        clock.set()
        detection.idle()
    # What the end of the input causes, the last event did not: `fold` tells causes apart by their time.
    move(clock)
    detection.finish()
    detection.store.check()
    counted = detection.statistics.events()
    assert (counted["read"], counted["future"]) == (len(events), 0)
    return updates, refused


def apart(updates: list[Update]) -> list[Update]:
    """Updates whose causes have different times, although several events were judged again at one time:
    `fold` distinguishes causes by their time."""
    causes = groupby(updates, key=lambda u: u.cause_event and identity(u.cause_event))
    return [replace(u, detected=n) for n, (_, caused) in enumerate(causes) for u in caused]


def move(clock: Any) -> None:
    """A second passes."""
    if isinstance(clock, Machine):
        clock.advance_to(clock.passed() + 1_000_000)
    else:
        clock.advance(clock.now() + 1_000_000)


def ends_with_an_absence(pattern: Pattern) -> bool:
    """Whether `limecep check` refuses it for an engine with a rule."""
    plan = compile_plan(pattern, name="p", select="stnm")
    return any(n.after > a.ends[0] for a in plan.alternatives for n in a.negations)


def draw(pattern: Pattern, select: Select, chosen: Random) -> Case:
    """An engine and some policies for a pattern. What becomes final needs a bound on lateness."""
    within = chosen.choice([None, None, 0, 2_000_000, 5_000_000])
    horizon = chosen.choice([None, None, None, 1_000_000, 4_000_000])
    bounded = within is not None or horizon is not None
    emit: Emit = chosen.choice(["eager", "eager", "complete", "slack", *(["final"] if bounded else [])])
    named = chosen.choice([s.variable for s in spread(pattern.structure)[0] if not s.negated])
    corrects = chosen.random() < 0.85
    return Case(
        pattern=pattern,
        select=select,
        engine=chosen.choice([*ENGINES, *([] if ends_with_an_absence(pattern) else [BestEngine])]),
        within=within,
        slack=chosen.choice([0, 0, 1_500_000, 5_000_000]),
        emit=emit,
        announces=corrects and bounded and chosen.random() < 0.5,
        horizon=horizon,
        corrects=corrects,
        skip=chosen.choice(
            ["none"] * 6 + ["to-next", "past-last", f"to-first[{named}]", f"to-last[{named}]"]
        ),
        pick=chosen.choice([None, None, *PICKS]),
    )


def arrivals(events: list[Event], chosen: Random) -> list[Event]:
    """Some order of arrival, from a few late events to fully shuffled, with some repeated."""
    events = list(events)
    if chosen.random() < 0.4:
        chosen.shuffle(events)
    else:
        reach = chosen.randrange(1, 8)
        events.sort(
            key=lambda e: e.t_gen + (chosen.randrange(reach) * 1_000_000 if chosen.random() < 0.4 else 0)
        )
    for event in list(events):
        if chosen.random() < 0.15:
            events.insert(chosen.randrange(len(events) + 1), event)
    return events


def net_of(updates: list[Update], name: str, told: str) -> set[Assignment]:
    """What a pattern has live at the end. `told` says of a log that breaks a rule how it came about."""
    try:
        return net(updates, name)
    except AssertionError as broken:
        log = [
            f"{u.detected} {u.op} {u.revision} {u.cause} {[e.id for g in u.match.groups for e in g]}"
            for u in updates
            if u.pattern == name
        ]
        raise AssertionError("\n".join([told, *log, str(broken)])) from None


def check_values(updates: list[Update], pattern: Pattern, told: str) -> None:
    """Each record has the values of its match (section 12), and a correction those of the version before."""
    known: dict[str, Any] = {}
    for record, update in ((Renderer("none").render(u), u) for u in updates):
        values = record.get("values")
        expected = returned(pattern, update.match.events()) if pattern.returns else None
        assert repr(values) == repr(expected), f"{told}\n{values}, not {expected}"
        if update.op == "correct":
            before = known[record["match"]]
            assert record.get("values_before") == (None if before == values else before), told
        known[record["match"]] = values


def in_time(update: Update, case: Case) -> bool:
    """Whether an update waited for nothing but what its match and the policies ask for."""
    alternatives = [update.match.alternative]
    if case.pick is not None:
        # Where one of them waits the others do: what it finds may be picked.
        alternatives = [*compile_plan(case.pattern, name="p").alternatives]
    trails = any(n.after > a.ends[0] for a in alternatives for n in a.negations)
    grows = any(a.growing for a in alternatives)
    if update.cause == "time" and update.op == "emit" and case.emit != "final" and case.skip == "none":
        return trails or (grows and case.emit == "complete")
    return case.slack > 0 or update.latency == 0


def from_sources(events: list[Event], chosen: Random) -> list[Event]:
    """The events, each from one of up to three sources."""
    names = chosen.choice([[""], ["s", "t"], ["s", "t", "u"]])
    return [replace(e, source=chosen.choice(names)) for e in events]


#: The ranks of sources; where one has none, its events have sequence numbers of their own.
RANKS = ({"": 1, "s": 1, "t": 0, "u": 2}, {"t": 1, "u": 1}, {"s": -1, "t": 2})


def ranked(events: list[Event], chosen: Random) -> list[Event]:
    """The events with the ranks of their sources (section 1)."""
    ranks = chosen.choice(RANKS)
    return [replace(e, seq=ranks.get(e.source, e.seq)) for e in events]


def idleness(chosen: Random) -> int | None:
    """After how long a source is idle, events arriving a second apart."""
    return chosen.choice([None, 1_500_000, 3_000_000])


@pytest.mark.parametrize("select", [*SELECTS, None], ids=[*SELECTS, "mixed"])
@pytest.mark.parametrize(
    ("features", "size", "sequenced", "at_once"),
    [(FEATURES, 9, False, False), (LOCAL, 11, False, False),
     (frozenset({"kleene", "adjacent", "optional"}), 10, False, False),
     (LOOKING, 9, False, False),
     (FEATURES, 9, True, False), (FEATURES, 9, False, True)],
    ids=["everything", "local", "neighbours", "tables", "sequence numbers and ranks", "at once"],
)  # fmt: skip
def test_net_results_do_not_depend_on_the_order_of_arrival(
    select: Select | None, features: frozenset[str], size: int, sequenced: bool, at_once: bool
) -> None:
    """And each entry of the log changes something: `net` holds it to the rules of the change log."""

    def holds(drawn: list[Pattern], events: list[Event], order: int) -> None:
        chosen = Random(order)
        events = from_sources(events, chosen)
        if sequenced and chosen.random() < 0.5:
            events = ranked(events, chosen)
        arriving = arrivals(events, chosen)
        cases = [draw(pattern, select or chosen.choice(SELECTS), chosen) for pattern in drawn]
        wrong = chosen.choice([None, None, None, chosen])
        updates, refused = detect(
            cases,
            arriving,
            batch=chosen.choice([1, 3, 100]),
            idle_after=idleness(chosen),
            silences=chosen.choice([None, chosen]),
            wrong=wrong,
        )
        updates = apart(updates) if wrong else updates
        for n, case in enumerate(cases):
            name = f"p{n}"
            told = f"{case}\narriving\n{shown(arriving)}\nrefused {sorted(refused[name])}"
            got = net_of(updates, name, told)
            check_values([u for u in updates if u.pattern == name], case.pattern, told)
            taken = [e for e in events if identity(e) not in refused[name]]
            if case.engine is BestEngine:
                expected = ruled_matches(case.pattern, taken, BestEngine.keeps, select=case.select)
            else:
                find = maximal_matches if case.engine.results == "maximal" else all_matches
                expected = find(case.pattern, taken, select=case.select)
            if case.pick is not None:
                expected = picked_matches(expected, taken, case.pick)
            if (skip := case.options.skips) is not None:
                expected = kept_matches(expected, case.pattern, taken, skip)
            if not case.corrects:
                # What other matches drop then depends on what came first.
                got &= expected
                expected = got if case.skip != "none" else expected
            assert got == expected, (
                f"{told}\nmissing {sorted(expected - got)}\nwrong {sorted(got - expected)}"
            )
            ops = Counter(u.op for u in updates if u.pattern == name)
            assert case.corrects or set(ops) <= {"emit"}, told
            assert wrong or all(in_time(u, case) for u in updates if u.pattern == name), told
            if case.emit == "final":
                assert set(ops) <= {"emit"}, told
                # So neither id nor revision of a match depends on the order of arrival.
                named = {(u.final, u.revision, u.generation) for u in updates if u.pattern == name}
                assert named <= {(True, 1, 0)}, told
            else:
                assert ops["final"] == (len(got) if case.announces else 0), told

    for_all(
        holds,
        st.lists(with_values(patterns(features=features, conjunctions=at_once)), min_size=1, max_size=2),
        streams(size=size, sequenced=sequenced, ties=6 if at_once else 1),
        st.integers(0, 2**32),
        examples=EXAMPLES,
    )


def test_where_batches_are_cut_decides_nothing() -> None:
    def holds(drawn: list[Pattern], events: list[Event], order: int) -> None:
        chosen = Random(order)
        arriving = arrivals([replace(e, source=chosen.choice("st")) for e in events], chosen)
        cases = [draw(pattern, chosen.choice(SELECTS), chosen) for pattern in drawn]
        idle_after = chosen.choice([1_500_000, 3_000_000])

        def said(batch: int) -> tuple[list[tuple[object, ...]], dict[str, set[Identity]]]:
            updates, refused = detect(cases, arriving, batch=batch, idle_after=idle_after)
            log: list[tuple[object, ...]] = [
                (u.op, u.pattern, u.revision, assignment(u.match.events()), u.cause, u.detected)
                for u in updates
            ]
            return log, refused

        told = "\n".join([*map(str, cases), f"idle after {idle_after}, arriving", shown(arriving)])
        assert said(100) == said(3) == said(1), told

    for_all(
        holds,
        st.lists(patterns(features=LOCAL), min_size=1, max_size=2),  # type: ignore[arg-type]
        streams(size=11),
        st.integers(0, 2**32),
        examples=EXAMPLES,
    )
