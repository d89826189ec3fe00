"""Counts of what was read add up, by source and over all, and say how late it was."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import pytest
import structlog

from limecep import Event
from limecep.clock import ManualClock
from limecep.config.loader import load_dict
from limecep.contracts.lateness import Verdict
from limecep.detection.detection import Detection
from limecep.detection.event_time import SourceTraits
from limecep.detection.retention import Limits
from limecep.runtime.assembly import Assembly
from limecep.statistics import OUTCOMES, Spread, Statistics
from limecep.testing.streams import SECOND, disorder, stream, written

if TYPE_CHECKING:
    from limecep.model.update import Update
    from limecep.registry import Registry


def test_what_was_read_is_the_sum_of_the_outcomes() -> None:
    statistics = Statistics()
    for n, outcome in enumerate(OUTCOMES, 1):
        statistics.source("s").outcomes[outcome] += n
        statistics.source("t").outcomes[outcome] += 1
    assert statistics.source("s").read == 45
    events = statistics.events()
    assert set(events) == {"read", *OUTCOMES}
    assert events["read"] == sum(events[o] for o in OUTCOMES) == 54


def test_the_outcomes_of_a_source_leave_out_what_did_not_happen() -> None:
    statistics = Statistics()
    statistics.source("s").outcomes["future"] += 2
    statistics.source("silent")
    assert statistics.outcomes() == {"s": {"read": 2, "future": 2}, "silent": {"read": 0}}


@pytest.mark.parametrize("times", [(5, 1, 9), (1, 5, 9), (9, 5, 1)])
def test_the_first_and_the_latest_time_are_noted_in_any_order(times: tuple[int, ...]) -> None:
    source = Statistics().source("s")
    for t in times:
        source.note_time(t)
    assert (source.first, source.latest) == (1, 9)


def test_the_actual_period_is_the_mean_time_between_events() -> None:
    source = Statistics().source("s")
    assert source.acar is None
    source.note_time(10 * SECOND)
    source.outcomes["in_order"] += 1
    assert source.acar is None
    source.note_time(4 * SECOND)
    source.outcomes["extremely_late"] += 1
    source.outcomes["irrelevant"] += 1
    assert source.acar == 3 * SECOND
    source.outcomes["duplicate"] += 5
    source.outcomes["future"] += 5
    assert source.acar == 3 * SECOND, "copies and what is not believed have no part in it"


def test_a_spread_keeps_average_least_and_greatest() -> None:
    spread = Spread()
    assert (spread.average, spread.seconds()) == (None, None)
    for value in (3 * SECOND, SECOND, 5 * SECOND):
        spread.add(value)
    assert (spread.count, spread.average) == (3, 3 * SECOND)
    assert spread.seconds() == {"average": 3.0, "minimum": 1.0, "maximum": 5.0}


def test_a_late_event_counts_as_used_until_it_is_refused() -> None:
    statistics = Statistics()
    statistics.lta = 10 * SECOND
    statistics.source("s").outcomes["in_order"] += 3
    event = Event("A", "a4", 4 * SECOND, source="s")
    assert statistics.ratio == 0.0
    statistics.came_late(event)
    assert statistics.ratio == 0.25
    assert statistics.source("s").outcomes["out_of_order"] == 1
    statistics.refused(event)
    assert statistics.source("s").outcomes["out_of_order"] == 0
    assert (statistics.source("s").late, statistics.type("A").extremely_late) == (1, 1)
    assert (statistics.ratio, statistics.lateness.average) == (0.25, 6 * SECOND)


# As detection keeps them


class Watching:
    """Uses every event, and notes what the statistics say of it."""

    learns = False
    by_window = False

    def __init__(self) -> None:
        self.seen: list[tuple[object, ...]] = []

    def assess(self, event: Event, statistics: Statistics) -> Verdict:
        source = statistics.source(event.source)
        self.seen.append(
            (event.id, statistics.lta, statistics.latest_of(event.type), source.read, source.late,
             source.acar, statistics.type(event.type).events, round(statistics.ratio, 9), statistics.events())
        )  # fmt: skip
        return Verdict(extremely_late=event.id.endswith("9"), score=1.0)

    def horizon(self, statistics: Statistics) -> int | None:
        return None


def detected(
    installed: Registry, events: list[Event], batch: int, **options: Any
) -> tuple[Detection, Watching]:
    """Detection over the events, and what its lateness policy saw."""
    pattern = {"query": "PATTERN SEQ(A a, B b) WITHIN 60 s", "slack": "none"}
    loaded = load_dict({"version": 1, "name": "n", "patterns": {"p": pattern}}, installed)
    assert loaded.config is not None
    clock = ManualClock()
    (detector,) = Assembly(loaded.config, installed, clock, structlog.get_logger()).detectors()
    watching = Watching()
    updates: list[Update] = []
    detection = Detection(
        [dataclasses.replace(detector, lateness=watching)], clock, deliver=updates.append, **options
    )
    for i in range(0, len(events), batch):
        detection.feed(events[i : i + batch])
    return detection, watching


def test_what_a_policy_sees_does_not_depend_on_where_batches_begin(installed: Registry) -> None:
    made = stream(3, 200, "ABCD", sources=("s", "t"), duplicates=0.1, ties=0.1)
    events = disorder(made, 3, 0.4, 20 * SECOND)
    seen = [detected(installed, events, batch)[1].seen for batch in (1, 7, 1000)]
    assert len(seen[0]) > 20
    assert seen[0] == seen[1] == seen[2]


def test_a_policy_sees_the_figures_as_they_are_at_its_event(installed: Registry) -> None:
    _, watching = detected(installed, written("c0 a2 a2 b9 a6 c10 a8"), 100)
    (first, *_, counts), (second, *more, _) = watching.seen
    assert first == "a6"
    assert counts["read"] == 5
    assert {k: n for k, n in counts.items() if n} == {
        "read": 5, "in_order": 2, "duplicate": 1, "irrelevant": 1, "out_of_order": 1,
    }  # fmt: skip
    # Six events that are no copies from 0 to 10 s.
    assert (second, *more) == (
        "a8", 10 * SECOND, 6 * SECOND, 7, 2, 10 * SECOND / 5, 2, round(2 / 4, 9),
    )  # fmt: skip


def test_the_snapshot_tells_of_types_sources_and_patterns(installed: Registry) -> None:
    events = written("a1 b5 a3 a11 b12 a9")
    for event, arrived in zip(events, (1, 5, 6, 11, 12, 13), strict=True):
        event.t_arr = arrived * SECOND
        event.source = "s"
    detection, _ = detected(installed, events, 2, sources={"s": SourceTraits(every=5 * SECOND)})
    assert detection.statistics.told() == {
        "events": 6,
        "late": 2,
        "ratio": round(2 / 6, 6),
        "lateness": {"average": 2.5, "minimum": 2.0, "maximum": 3.0},
        "types": {
            "A": {"events": 4, "late": 2, "extremely_late": 1,
                  "lateness": {"average": 2.5, "minimum": 2.0, "maximum": 3.0}},
            "B": {"events": 2, "late": 0, "extremely_late": 0, "lateness": None},
        },
        "sources": {"s": {"events": 6, "late": 2, "every": 5.0, "period": 2.2}},
        "patterns": {
            "p": {
                "scores": {"A": 1.0},
                # a1 b5 after 4 s, a3 b5 at 6 s after none, as b5 came before; a11 b12 after 1 s.
                "detection_latency": {"average": round(5 / 3, 6), "minimum": 0.0, "maximum": 4.0},
            }
        },
    }  # fmt: skip


def test_events_that_left_the_store_stay_counted(installed: Registry) -> None:
    events = [Event("A", f"x{n}0", n * SECOND, n * SECOND) for n in range(5000)]
    detection, _ = detected(installed, events, 500, limits=Limits(events=100))
    assert detection.store.size < 2000
    assert detection.statistics.type("A").events == 5000
    assert detection.statistics.latest_of("A") == 4999 * SECOND
    detection.store.forget(10_000 * SECOND)
    assert detection.statistics.latest_of("A") == 4999 * SECOND
    assert detection.statistics.latest_of("B") is None


# Memory
