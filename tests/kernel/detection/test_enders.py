"""An event in order is told to the patterns that it may end, many at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import structlog

from limecep.clock import ManualClock
from limecep.config.loader import load_dict
from limecep.detection.enders import EndsOfType
from limecep.patterns.shared_ends import MANY_LANES
from limecep.runtime.assembly import Assembly
from limecep.testing.streams import written

if TYPE_CHECKING:
    from limecep.detection.detection import Detection
    from limecep.registry import Registry


def detection(installed: Registry, deliver: Any = None, **patterns: dict[str, Any]) -> Detection:
    loaded = load_dict({"version": 1, "name": "n", "patterns": patterns}, installed)
    assert loaded.config is not None, loaded.problems[0]
    assembly = Assembly(loaded.config, installed, ManualClock(), structlog.get_logger())
    return assembly.detection(deliver)


def query(steps: str, within: str = "9 s") -> dict[str, Any]:
    return {"query": f"PATTERN {steps} WITHIN {within}"}


def test_patterns_with_one_lane_of_end_events_and_one_window_are_told_at_once(installed: Registry) -> None:
    made = detection(
        installed,
        ac=query("SEQ(A a, C c)"),
        bc=query("SEQ(B b, C c)"),
        longer=query("SEQ(B b, C c)", "20 s"),
        high=query("SEQ(B b, C c) WHERE c.v > 1"),
        waits=query("SEQ(A a, C c, !B b)"),
        ab=query("SEQ(A a, B b)"),
    )
    enders = made._router.enders
    (of_c,) = enders["C"]
    assert isinstance(of_c, EndsOfType)
    # That an event is in its lane says that it satisfies what is asked of it.
    assert [[m.plan.name for _, m in ends._members] for ends in of_c._shared] == [["ac", "bc"], ["high"]]
    assert [m.plan.name for _, m in of_c._alone] == ["longer", "waits"]
    assert enders["B"] == made.managers[-2:]


def test_a_pattern_that_is_alone_with_its_end_events_is_told_itself(installed: Registry) -> None:
    made = detection(installed, abc=query("SEQ(A a, B b, C c)"), ab=query("SEQ(A a, B b)"))
    assert made._router.enders == {"C": made.managers[:1], "B": made.managers[1:]}


def test_updates_go_out_in_the_order_of_the_pipeline(installed: Registry) -> None:
    said: list[str] = []
    made = detection(
        installed,
        lambda update: said.append(update.pattern),
        plain=query("SEQ(A a, C c)"),
        alone=query("SEQ(A a, C c)", "20 s"),
        plain_too=query("SEQ(B b, C c)"),
    )
    made.feed(written("a1 b2 c3"))
    assert said == ["plain", "alone", "plain_too"]


def test_what_was_counted_is_told_when_it_is_asked_for(installed: Registry) -> None:
    made = detection(installed, ac=query("SEQ(A a, C c)"), bc=query("SEQ(A a, B b, C c)"))
    made.feed(written("a1 a2 b3 c4"))
    counters = [d.context.counters for d in made.detectors]
    assert counters == [{}, {}]
    figures = made.patterns()
    assert {name: (f["emitted"], f["engine_runs"], f["events_handed"]) for name, f in figures.items()} == {
        "ac": (2, 1, 3),
        "bc": (2, 1, 4),
    }
    made.feed(written("c5"))
    assert made.snapshot()["managers"]["ac"]["results"]["counters"]["engine_runs"] == 2
    assert made.patterns()["bc"]["events_handed"] == 4 + 5


def test_only_where_there_are_many_lanes_it_is_noted_which_had_events(installed: Registry) -> None:
    few = detection(installed, ac=query("SEQ(A a, C c)"), bc=query("SEQ(B b, C c)"))
    assert not few.store.watched
    many = detection(installed, **{f"p{n}": query(f"SEQ(X{n} x, C c)") for n in range(MANY_LANES + 1)})
    assert many.store.watched
    assert many._router.enders["X0"] == [many.store.recent]
