"""The router knows which patterns an event concerns, by its type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import structlog

from limecep.clock import ManualClock
from limecep.config.loader import load_dict
from limecep.detection.router import Router
from limecep.runtime.assembly import Assembly

if TYPE_CHECKING:
    from collections.abc import Iterable

    from limecep.patterns.event_manager import EventManager
    from limecep.registry import Registry


def router(installed: Registry, **patterns: dict[str, Any]) -> Router:
    loaded = load_dict({"version": 1, "patterns": patterns}, installed)
    assert loaded.config is not None, loaded.problems
    detection = Assembly(loaded.config, installed, ManualClock(), structlog.get_logger()).detection()
    return Router(detection.managers, detection.store)


def names(managers: Iterable[EventManager]) -> list[str]:
    return [m.plan.name for m in managers]


def test_an_event_goes_to_the_patterns_that_name_its_type_in_the_order_of_the_pipeline(
    installed: Registry,
) -> None:
    made = router(
        installed,
        ab={"query": "PATTERN SEQ(A a, B b) WITHIN 1 s"},
        cb={"query": "PATTERN SEQ(C c, !X x, B b) WITHIN 1 s"},
        ca={"query": "PATTERN SEQ(C c, A a) WITHIN 1 s"},
    )
    assert {t: names(made.minding(t)) for t in "ABCXY"} == {
        "A": ["ab", "ca"],
        "B": ["ab", "cb"],
        "C": ["cb", "ca"],
        "X": ["cb"],
        "Y": [],
    }


def test_a_strictly_contiguous_pattern_minds_events_of_every_type(installed: Registry) -> None:
    made = router(
        installed,
        ab={"query": "PATTERN SEQ(A a, B b) WITHIN 1 s"},
        sc={"query": "PATTERN SEQ(C c, B b) WITHIN 1 s", "select": "sc"},
        ca={"query": "PATTERN SEQ(C c, A a) WITHIN 1 s"},
    )
    assert {t: names(made.minding(t)) for t in "ABCY"} == {
        "A": ["ab", "sc", "ca"],
        "B": ["ab", "sc"],
        "C": ["sc", "ca"],
        "Y": ["sc"],
    }


def test_those_are_told_of_an_event_in_order_whose_matches_it_may_end_or_bring_to_light(
    installed: Registry,
) -> None:
    made = router(
        installed,
        ab={"query": "PATTERN SEQ(A a, B b) WITHIN 1 s"},
        any={"query": "PATTERN SEQ(A a, (B OR C) x) WITHIN 1 s"},
        light={"query": "PATTERN SEQ(A a, B b, !D d) WITHIN 1 s"},
    )
    told = {t: names(managers) for t, managers in made.enders.items()}
    assert told == {"B": ["ab", "any", "light"], "C": ["any"], "D": ["light"]}
