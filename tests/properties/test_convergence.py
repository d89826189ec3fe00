"""The law above all: whatever the order of arrival, the net results are those of the ordered stream."""

from __future__ import annotations

import os
from collections import Counter
from random import Random
from typing import TYPE_CHECKING

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
from limecep_results.config import CorrectedOptions
from limecep_results.corrected import Corrected
from limecep_slack.none import NoSlack

if TYPE_CHECKING:
    from limecep.model.event import Event
    from limecep.model.pattern import Pattern, Select
    from limecep.model.update import Update

#: How many pairs of patterns and streams each test draws.
EXAMPLES = int(os.environ.get("LIMECEP_EXAMPLES", "500"))

LOCAL = frozenset({"kleene", "optional", "types", "negation", "each", "partition"})


def detect(pairs: list[tuple[Pattern, Select]], events: list[Event], *, batch: int) -> list[Update]:
    """The updates of some patterns on a stream that arrives as it stands."""
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
                slack=NoSlack(plan, NoOptions(), context),
                results=Corrected(plan, CorrectedOptions(), context),
                context=context,
            )
        )
    detection = Detection(detectors, clock, deliver=updates.append, sequenced=any(e.seq for e in events))
    arriving = [msgspec.structs.replace(e) for e in events]
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
        updates = detect([(p, select) for p in drawn], arriving, batch=chosen.choice([1, 3, 100]))
        for n, pattern in enumerate(drawn):
            got = net(updates, f"p{n}")
            expected = maximal_matches(pattern, events, select=select)
            assert got == expected, (
                f"{pattern}\nselect {select}, arriving\n{shown(arriving)}\n"
                f"missing {sorted(expected - got)}\nwrong {sorted(got - expected)}"
            )

    holds()
