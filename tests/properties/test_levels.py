"""Patterns on patterns: the net results of each are those on the ordered stream of all that it reads."""

from __future__ import annotations

import os
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import strategies as st

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.detection.detection import Detection
from limecep.detection.event_time import SourceTraits
from limecep.model.derivation import Derivation
from limecep.model.event import Event, Statement
from limecep.patterns.detector import Detector, Refusal
from limecep.plan.compiler import compile_plan
from limecep.spec import NoOptions
from limecep.testing.bench import SilentLogger
from limecep.testing.changelog import net
from limecep.testing.oracle import all_matches, identity, kept_matches, maximal_matches, picked_matches
from limecep.testing.oracle.levels import derived
from limecep.testing.oracle.stated import counting
from limecep.testing.programs import DERIVED, programs, trailing
from limecep.testing.random_tests import for_all
from limecep.testing.statements import arrivals, carried, listed, statements
from limecep.testing.strategies import FEATURES, streams
from limecep.testing.streams import SECOND
from limecep_lateness.accept import Accept
from limecep_lateness.config import AcceptOptions
from limecep_maximal.config import MaximalOptions
from limecep_maximal.engine import MaximalEngine
from limecep_nfa.engine import NfaEngine
from limecep_recompute.exact import Exact
from limecep_results.config import CorrectedOptions
from limecep_results.corrected import Corrected
from limecep_slack.config import FixedOptions
from limecep_slack.waiting import FixedSlack

if TYPE_CHECKING:
    from limecep.model.pattern import Pattern
    from limecep.model.update import Update
    from limecep.testing.oracle import Assignment

#: How many programs each test draws.
EXAMPLES = int(os.environ.get("LIMECEP_EXAMPLES", "500"))

#: More events than these are read of no type that is derived: the oracle tries all groups of them.
MOST_DERIVED = 6

PLAIN = frozenset({"kleene", "negation", "each", "partition"})


def detector(
    n: int, pattern: Pattern, chosen: Random, clock: ManualClock, bounded: bool
) -> tuple[Detector, str]:
    """A pattern with an engine and policies, and these in words."""
    name = f"p{n}"
    derives = n < len(DERIVED)
    within = chosen.choice([2 * SECOND, 5 * SECOND, 30 * SECOND]) if bounded else None
    emit: Any = chosen.choice(["eager", "eager", "complete", "slack", *(["final"] if bounded else [])])
    options = CorrectedOptions(
        emit=emit,
        final=bounded and chosen.random() < 0.3,
        skip=chosen.choice(["none", "none", "none", "to-next", "past-last"]),
    )
    select = chosen.choice(["stnm", "stam", "sc"])
    pick = chosen.choice([None, None, None, "first", "longest"])
    wait = chosen.choice([0, 0, 1_500_000, 5_000_000])
    moment: Any = chosen.choice(["end", "end", "start", *(["deadline"] * 2 if trailing(pattern) else [])])
    plan = compile_plan(pattern, name=name, select=select, pick=pick)
    context = Context(label=name, clock=clock, counters=Counter(), logger=SilentLogger())
    engine: Any = (
        MaximalEngine(plan, MaximalOptions(enumeration=10**6), context)
        if chosen.random() < 0.6
        else NfaEngine(plan, NoOptions(), context)
    )
    made = Detector(
        plan=plan,
        engine=engine,
        lateness=Accept(plan, AcceptOptions(within=within), context),
        slack=FixedSlack(plan, FixedOptions(wait=wait), context),
        recompute=Exact(plan, NoOptions(), context),
        results=Corrected(plan, options, context),
        context=context,
        group=(within, name if options.final or emit == "final" else ""),
        derives=Derivation(DERIVED[n], moment, plan.within) if derives else None,
    )
    told = f"{select} {engine.results} pick {pick} wait {wait} within {within} {options} {moment}"
    return made, f"{name} {pattern}\n{told}"


@pytest.mark.parametrize("features", [FEATURES, PLAIN], ids=["everything", "plain"])
def test_net_results_of_every_level_are_those_of_the_ordered_stream(features: Any) -> None:
    found = Counter[str]()

    def holds(drawn: list[Pattern], events: list[Event], order: int) -> None:
        chosen = Random(order)
        revises = chosen.random() < 0.6
        said = statements(events, chosen) if revises else [plain(e) for e in events]
        arriving: list[Any] = arrivals(said, chosen)
        if not revises:
            arriving = [replaced(s) for s in arriving]
        clock = ManualClock()
        updates: list[Update] = []
        refused: dict[str, set[int]] = {f"p{n}": set() for n in range(len(drawn))}

        def refuse(refusal: Refusal) -> None:
            for name in refusal.patterns:
                # A copy may be judged another way.
                refused[name].add(refusal.event.t_arr)

        bounded = chosen.random() < 0.4
        made = [detector(n, p, chosen, clock, bounded) for n, p in enumerate(drawn)]
        in_the_end = counting(arriving) if revises else first_of(arriving)
        if not few([d for d, _ in made], drawn, in_the_end):
            found["left out"] += 1
            return
        order_of = list(made)
        chosen.shuffle(order_of)
        detection = Detection(
            [d for d, _ in order_of],
            clock,
            sources={"": SourceTraits(revises=revises)},
            awaits_sources=False,
            deliver=updates.append,
            refuse=refuse,
            sequenced=any(s.seq for s in arriving),
        )
        batch = chosen.choice([1, 3, 100])
        for i in range(0, len(arriving), batch):
            detection.feed(arriving[i : i + batch])
        clock.advance(clock.now() + SECOND)
        detection.finish()
        detection.store.check()
        assert detection.statistics.events()["read"] == len(arriving)
        made_of: dict[str, list[Event]] = {}
        words = "\n".join(w for _, w in made)
        told = f"{words}\nbatch {batch}\narriving\n{listed(arriving)}\nrefused {refused}\n"
        told += "\n".join(
            f"{u.detected // SECOND} {u.pattern} {u.op} {u.revision} {u.cause} {u.key} "
            f"{[(e.type, e.id[:5], e.t_gen // SECOND) for g in u.match.groups for e in g]}"
            for u in updates
        )
        for n, (d, _) in enumerate(made):
            name = f"p{n}"
            try:
                got = net(updates, name)
            except AssertionError as broken:
                raise AssertionError(f"{told}\n{name}: {broken}") from None
            # Where nothing is said anew, a copy of what only some refused is not judged again.
            there = [s for s in (arriving if revises else first_of(arriving)) if s.t_arr not in refused[name]]
            taken = counting(there) if revises else there
            below = [e for t in d.plan.types for e in made_of.get(t, ())]
            taken = [*taken, *below]
            expected = results(d, drawn[n], taken)
            assert got == expected, (
                f"{told}\n{name}: missing {sorted(expected - got)}\nwrong {sorted(got - expected)}"
            )
            carried(updates, name, {identity(e): e for e in taken}, told)
            found[name] += len(expected)
            if d.derives is not None:
                t, moment, _ = d.derives
                made_of[t] = derived(drawn[n], name, t, moment, expected, taken)

    for_all(holds, programs(features), streams(size=8), st.integers(0, 2**32), examples=EXAMPLES)
    assert found["left out"] < EXAMPLES / 2
    assert found["p1"] > 0
    assert found["p2"] > 0


def results(d: Detector, pattern: Pattern, taken: list[Event]) -> set[Assignment]:
    """What the oracle finds for a pattern."""
    find = maximal_matches if d.engine.results == "maximal" else all_matches
    expected = find(pattern, taken, select=d.plan.select)
    if d.plan.pick is not None:
        expected = picked_matches(expected, taken, d.plan.pick)
    return expected if d.results.skip is None else kept_matches(expected, pattern, taken, d.results.skip)


def few(made: list[Detector], drawn: list[Pattern], events: list[Event]) -> bool:
    """Whether no pattern that others read derives too many events of these."""
    made_of: dict[str, list[Event]] = {}
    for d, pattern in zip(made, drawn, strict=True):
        taken = [*events, *(e for t in d.plan.types for e in made_of.get(t, ()))]
        if d.derives is not None:
            t, moment, _ = d.derives
            made_of[t] = derived(pattern, d.plan.name, t, moment, results(d, pattern, taken), taken)
            if len(made_of[t]) > MOST_DERIVED:
                return False
    return True


def plain(event: Event) -> Statement:
    """An event that is said once."""
    return Statement(event.type, event.id, event.t_gen, 0, event.source, event.payload, event.seq, version=1)


def replaced(said: Statement) -> Event:
    """The event that a statement tells."""
    return Event(said.type, said.id, said.t_gen, said.t_arr, said.source, said.payload, said.seq)


def first_of(events: list[Event]) -> list[Event]:
    """The first of each identity."""
    known: dict[Any, Event] = {}
    for event in events:
        known.setdefault(identity(event), event)
    return [*known.values()]
