"""Metrics say what the figures say."""

from __future__ import annotations

from limecep.contracts.observer import Durations, Figures
from limecep.testing.observer import figures
from limecep_observers.metrics import disabled, metrics


def values(given: Figures, name: str) -> dict[tuple[str, ...], object]:
    [found] = [m for m in metrics(given) if m.name == name]
    return dict(found.rows)


def test_what_was_read_is_the_sum_of_the_outcomes() -> None:
    given = figures()
    outcomes = values(given, "events")
    for (source,), read in values(given, "events_read").items():
        assert read == sum(n for (name, _), n in outcomes.items() if name == source)  # type: ignore[misc]
    assert outcomes["gas", "out_of_order"] == 2


def test_updates_are_told_by_what_they_do() -> None:
    assert {op: n for (p, op), n in values(figures(), "matches").items() if p == "fire"} == {
        "emitted": 3,
        "corrected": 1,
        "retracted": 1,
    }
    assert values(figures(), "live_matches")["fire",] == 2
    assert values(figures(), "match_delay_seconds")["fire",] == Durations(
        count=4, total=2.0, minimum=0.1, maximum=1.2
    )


def test_times_are_in_seconds_and_what_is_not_known_is_left_out() -> None:
    given = figures()
    assert values(given, "source_last_event_timestamp_seconds") == {("gas",): 1_767_607_199.0}
    assert values(given, "source_silent_seconds") == {("gas",): 0.4}
    nothing = Figures(pipeline="p", version="1", phase="starting")
    names = {m.name for m in metrics(nothing)}
    assert names.isdisjoint({"commit_age_seconds", "commits", "state_bytes"})
    assert values(nothing, "event_time_timestamp_seconds") == {}
    assert values(nothing, "buffered_events") == {(): 0}


def test_what_was_disabled_is_named_by_its_place() -> None:
    places = {("patterns.door",), ("sinks.screen",), ("observers.other",)}
    assert values(figures(), "component_disabled").keys() == places
    assert disabled(figures(patterns=(), sinks=(), disabled={})) == {}


def test_components_count_for_themselves() -> None:
    counts = values(figures(), "component_counts")
    assert counts == {
        ("sources.gas", "reconnects"): 1,
        ("patterns.fire", "engine_runs"): 9,
        ("sinks.alerts", "dropped"): 1,
    }


def test_no_label_grows_with_the_data() -> None:
    """Keys, ids and devices would make a series each."""
    known = {"source", "outcome", "pattern", "op", "reason", "sink", "component", "name"}
    assert {label for m in metrics(figures()) for label in m.labels} <= known
