"""Metrics: the figures of a pipeline by name and label. docs/observing.md lists them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limecep.contracts.observer import Durations, Figures

#: The values of the labels, and the value that they have.
Row = tuple[tuple[str, ...], "float | Durations"]


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric, with all its values.

    Attributes:
        kind: A `counter` only rises; a `summary` is a number of durations and their sum.
        name: Its name without the prefix `limecep_`, and for a counter without `_total`.
        about: What it says.
        labels: The names of its labels, beside `pipeline`.
        rows: Its values.
    """

    kind: Literal["counter", "gauge", "summary"]
    name: str
    about: str
    labels: tuple[str, ...]
    rows: Sequence[Row]


def metrics(figures: Figures) -> Iterator[Metric]:
    """All that figures say. What is not known is left out."""
    yield Metric("gauge", "run_seconds", "How long the run has been going on.", (), [((), figures.seconds)])
    yield from _of_events(figures)
    yield from _of_sources(figures)
    yield from _of_patterns(figures)
    yield from _of_delivery(figures)
    yield Metric(
        "gauge",
        "component_disabled",
        "1 for each component that the run goes on without.",
        ("component",),
        [((place,), 1) for place in disabled(figures)],
    )
    yield Metric(
        "counter",
        "component_counts",
        "What components count of their own.",
        ("component", "name"),
        [
            ((f"{kind}.{part.name}", name), count)
            for kind, parts in (
                ("sources", figures.sources),
                ("patterns", figures.patterns),
                ("sinks", figures.sinks),
            )
            for part in parts
            for name, count in part.counters.items()
        ],
    )


def disabled(figures: Figures) -> dict[str, str]:
    """Why components were disabled, by their place in the pipeline."""
    places = [(f"patterns.{p.name}", p.disabled) for p in figures.patterns]
    places += [(f"sinks.{s.name}", s.disabled) for s in figures.sinks]
    places += [(f"observers.{name}", why) for name, why in figures.disabled.items()]
    return {place: why for place, why in places if why}


def _of_events(figures: Figures) -> Iterator[Metric]:
    sources = figures.sources
    yield Metric(
        "counter",
        "events_read",
        "Events that were read.",
        ("source",),
        [((s.name,), s.read) for s in sources],
    )
    yield Metric(
        "counter",
        "events",
        "Events by what became of them: each has one outcome.",
        ("source", "outcome"),
        [((s.name, outcome), n) for s in sources for outcome, n in s.outcomes.items()],
    )
    yield Metric(
        "summary",
        "event_lateness_seconds",
        "How far events that came out of order were behind the latest event time.",
        (),
        [((), figures.lateness)],
    )
    yield Metric(
        "gauge",
        "event_time_timestamp_seconds",
        "The latest event time of all sources.",
        (),
        [] if figures.event_time is None else [((), figures.event_time / 1e6)],
    )
    yield Metric("gauge", "buffered_events", "Events in memory.", (), [((), figures.held)])
    yield Metric(
        "counter",
        "evictions",
        "Events that had to leave memory although a policy would have kept them.",
        (),
        [((), figures.evicted)],
    )
    yield Metric(
        "counter",
        "dead_letter",
        "Records for the late output; an event counts once for each pattern that could not use it.",
        ("reason",),
        [((reason,), n) for reason, n in figures.late.items()],
    )


def _of_sources(figures: Figures) -> Iterator[Metric]:
    sources = figures.sources
    live = [s for s in sources if s.silent is not None]
    for name, about, rows in (
        (
            "source_connected",
            "Whether what is published from now on will be received.",
            [((s.name,), float(s.connected)) for s in sources],
        ),
        (
            "source_last_event_timestamp_seconds",
            "The latest event time of a source.",
            [((s.name,), s.latest / 1e6) for s in sources if s.latest is not None],
        ),
        (
            "source_silent_seconds",
            "How long a live source has brought nothing.",
            [((s.name,), s.silent) for s in live if s.silent is not None],
        ),
        (
            "source_every_seconds",
            "The period that the pipeline declares for a source.",
            [((s.name,), s.every) for s in sources if s.every is not None],
        ),
        (
            "source_idle",
            "Whether a live source has been silent for longer than its idle timeout.",
            [((s.name,), float(s.idle)) for s in live],
        ),
        (
            "source_behind",
            "Whether the last read of a source left more to read.",
            [((s.name,), float(s.behind)) for s in sources],
        ),
    ):
        yield Metric("gauge", name, about, ("source",), rows)


def _of_patterns(figures: Figures) -> Iterator[Metric]:
    patterns = figures.patterns
    yield Metric(
        "counter",
        "matches",
        "Updates by what they do to a match.",
        ("pattern", "op"),
        [((p.name, op), getattr(p, op)) for p in patterns for op in ("emitted", "corrected", "retracted")],
    )
    yield Metric(
        "gauge",
        "live_matches",
        "Matches that were emitted, and not retracted.",
        ("pattern",),
        [((p.name,), p.live) for p in patterns],
    )
    yield Metric(
        "gauge",
        "pending_evaluations",
        "Evaluations that wait for event time.",
        ("pattern",),
        [((p.name,), p.pending) for p in patterns],
    )
    yield Metric(
        "summary",
        "match_delay_seconds",
        "Detection latency: from the arrival of a match's first event to its emission.",
        ("pattern",),
        [((p.name,), p.latency) for p in patterns],
    )


def _of_delivery(figures: Figures) -> Iterator[Metric]:
    yield Metric(
        "counter",
        "sink_sent",
        "Records that a sink was sent.",
        ("sink",),
        [((s.name,), s.records) for s in figures.sinks],
    )
    yield Metric(
        "gauge",
        "sink_waiting_records",
        "Records for a sink that are not durable there yet.",
        ("sink",),
        [((s.name,), s.waiting) for s in figures.sinks],
    )
    if figures.since_commit is not None:
        said = "How old the last commit is."
        yield Metric("gauge", "commit_age_seconds", said, (), [((), figures.since_commit)])
    state = figures.state
    if state is not None:
        yield Metric("counter", "commits", "Batches that the state has committed.", (), [((), state.commits)])
        said = "Records that are committed, and that their sinks do not have yet."
        yield Metric("gauge", "state_unsent_records", said, (), [((), state.unsent)])
        if state.bytes is not None:
            yield Metric("gauge", "state_bytes", "How large the state is.", (), [((), state.bytes)])
