"""The law above all: whatever the order of arrival, the net results are those of the ordered stream."""

from __future__ import annotations

import os
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Literal

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.detection import Detection, Detector
from limecep.plan.compiler import compile_plan
from limecep.spec import NoOptions
from limecep.testing.bench import SilentLogger
from limecep.testing.changelog import net
from limecep.testing.oracle import maximal_matches
from limecep.testing.strategies import FEATURES, patterns, streams
from limecep.testing.streams import shown
from limecep_lateness.accept import Accept
from limecep_lateness.config import AcceptOptions
from limecep_maximal.engine import MaximalEngine
from limecep_results.config import ResultOptions
from limecep_results.corrected import Corrected
from limecep_slack.config import FixedOptions
from limecep_slack.waiting import FixedSlack

if TYPE_CHECKING:
    from limecep.model.event import Event
    from limecep.model.pattern import Pattern, Select
    from limecep.model.update import Update

#: How many pairs of patterns and streams each test draws.
EXAMPLES = int(os.environ.get("LIMECEP_EXAMPLES", "500"))

LOCAL = frozenset({"kleene", "optional", "types", "negation", "each", "partition"})


def detect(
    pairs: list[tuple[Pattern, Select]],
    events: list[Event],
    *,
    batch: int,
    slack: int = 0,
    emit: Literal["eager", "complete"] = "eager",
) -> list[Update]:
    """The updates of some patterns on a stream that arrives as it stands.

    Args:
        pairs: The patterns, each with its selection policy.
        events: The stream.
        batch: How many events are fed at a time.
        slack: How long recomputations wait, in microseconds.
        emit: When matches that can grow are emitted.
    """
    clock = ManualClock()
    updates: list[Update] = []
    detectors = []
    for n, (pattern, select) in enumerate(pairs):
        plan = compile_plan(pattern, name=f"p{n}", select=select)
        context = Context(label=plan.name, clock=clock, counters=Counter(), logger=SilentLogger())
        detectors.append(
            Detector(
                plan=plan,
                engine=MaximalEngine(plan, NoOptions(), context),
                lateness=Accept(plan, AcceptOptions(), context),
                slack=FixedSlack(plan, FixedOptions(wait=slack), context),
                results=Corrected(plan, ResultOptions(emit=emit), context),
                context=context,
            )
        )
    detection = Detection(detectors, clock, deliver=updates.append, sequenced=any(e.seq for e in events))
    # Arrivals a second apart: slack is waited for by the arrival clock.
    arriving = [msgspec.structs.replace(e, t_arr=n * 1_000_000) for n, e in enumerate(events)]
    for i in range(0, len(arriving), batch):
        detection.feed(arriving[i : i + batch])
    detection.finish()
    detection.store.check()
    counted = detection.statistics.events()
    assert counted["read"] == len(events)
    return updates


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


@pytest.mark.parametrize("select", ["stnm", "stam"])
@pytest.mark.parametrize(
    ("features", "size", "sequenced"),
    [(FEATURES, 9, False), (LOCAL, 11, False), (frozenset({"kleene", "adjacent", "optional"}), 10, False),
     (FEATURES, 9, True)],
    ids=["everything", "local", "neighbours", "sequence numbers"],
)  # fmt: skip
def test_net_results_do_not_depend_on_the_order_of_arrival(
    select: Select, features: frozenset[str], size: int, sequenced: bool
) -> None:
    drawn_from = 0 if "CI" in os.environ else Random().getrandbits(32)
    print(f"seed {drawn_from}")

    @seed(drawn_from)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        print_blob=True,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(
        st.lists(patterns(features=features), min_size=1, max_size=2),  # type: ignore[arg-type]
        streams(size=size, sequenced=sequenced),
        st.integers(0, 2**32),
    )
    def holds(drawn: list[Pattern], events: list[Event], order: int) -> None:
        chosen = Random(order)
        arriving = arrivals(events, chosen)
        slack = chosen.choice([0, 0, 1_500_000, 5_000_000])
        emit: Literal["eager", "complete"] = chosen.choice(["eager", "eager", "complete"])
        updates = detect(
            [(p, select) for p in drawn], arriving, batch=chosen.choice([1, 3, 100]), slack=slack, emit=emit
        )
        for n, pattern in enumerate(drawn):
            got = net(updates, f"p{n}")
            expected = maximal_matches(pattern, events, select=select)
            assert got == expected, (
                f"{pattern}\nselect {select}, slack {slack}, emit {emit}, arriving\n{shown(arriving)}\n"
                f"missing {sorted(expected - got)}\nwrong {sorted(got - expected)}"
            )

    holds()
