"""The conditions of a match and its negated steps, each with the values that decided it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.model.instants import rfc3339
from limecep_why.bounded import shortened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.model.event import Event
    from limecep.plan.plan import Alternative
    from limecep_why.absences import Interval
    from limecep_why.explanation import Evidence
    from limecep_why.subject import Subject
    from limecep_why.substitution import Conjunct, Instance

Ordered = tuple[tuple["Event", ...], ...]


def conditions(
    subject: Subject, alternative: Alternative, groups: Ordered, most: int, *, sound: bool
) -> list[dict[str, Any]]:
    """Return every condition on events that the match takes, with values.

    Args:
        subject: The pattern.
        alternative: The alternative that the match fulfils.
        groups: Its events, in the order of the alternative's steps.
        most: How many choices of events are shown of each; 0 for all.
        sound: Whether the plan says that all of them hold.
    """
    named = _named(alternative, groups)
    negated = _negated(subject)
    return [
        _condition(c, named, most, sound=sound)
        for c in subject.conjuncts(alternative)
        if not c.variables & negated
    ]


def absences(
    subject: Subject, alternative: Alternative, evidence: Evidence, most: int
) -> list[dict[str, Any]]:
    """Return every negated step: where no event of it may be, and those that were there nevertheless."""
    conjuncts = subject.conjuncts(alternative)
    assert evidence.alternative is not None
    named = _named(*evidence.alternative)
    return [_absence(i, conjuncts, named, evidence, most, subject.derived) for i in evidence.intervals]


def _named(alternative: Alternative, groups: Ordered) -> dict[str, Sequence[Event]]:
    return {s.variable: group for s, group in zip(alternative.steps, groups, strict=True)}


def _negated(subject: Subject) -> frozenset[str]:
    alternatives = subject.plan.alternatives
    negated = {n.variable for a in alternatives for n in a.negations}
    return frozenset(negated - {s.variable for a in alternatives for s in a.steps})


def _condition(
    conjunct: Conjunct, groups: dict[str, Sequence[Event]], most: int, *, sound: bool
) -> dict[str, Any]:
    shown, count = conjunct.some(groups, most or 1_000_000)
    told: list[dict[str, Any]] = [_instance(i) for i in shown]
    if count > len(shown):
        told.append({"more": count - len(shown)})
    return {
        "condition": conjunct.text,
        "truth": True if sound else conjunct.truth(groups),
        "instances": told,
    }


def _instance(instance: Instance) -> dict[str, Any]:
    return {
        "text": instance.text,
        "truth": instance.truth,
        "events": [{"variable": variable, "id": event.id} for variable, event in instance.events],
    }


def _absence(
    interval: Interval,
    conjuncts: Sequence[Conjunct],
    named: dict[str, Sequence[Event]],
    evidence: Evidence,
    most: int,
    derived: frozenset[str],
) -> dict[str, Any]:
    step = interval.step
    own = [c for c in conjuncts if step.variable in c.variables]
    told: dict[str, Any] = {
        "step": f"!{' OR '.join(step.filter.types)} {step.variable}",
        "from": rfc3339(interval.low),
        "to": rfc3339(interval.high),
        "between": _between(interval),
        "conditions": [c.text for c in own],
    }
    # What patterns derive does not arrive.
    if evidence.arrivals.count and derived.isdisjoint(step.filter.types):
        events = sorted(interval.events.values(), key=lambda e: e.t_gen)
        told["events"] = shortened(
            events, most, lambda e: _present(e, interval, own, named, evidence), interval.hit_by
        )
        if interval.overlooked:
            told["events"].append({"more": interval.overlooked})
    return told


def _between(interval: Interval) -> str:
    after, before = interval.after, interval.before
    if after is None:
        assert before is not None
        return f"from the end of the match less the window up to {before.id}"
    if before is None:
        return f"from {after.id} up to the start of the match plus the window"
    return f"between {after.id} and {before.id}"


def _present(
    event: Event,
    interval: Interval,
    own: Sequence[Conjunct],
    named: dict[str, Sequence[Event]],
    evidence: Evidence,
) -> dict[str, Any]:
    """What is said of an event in the interval of a negated step."""
    groups = {**named, interval.step.variable: (event,)}
    refused = (event.type, event.source, event.id) in evidence.refused
    told: dict[str, Any] = {
        "type": event.type,
        "id": event.id,
        "time": rfc3339(event.t_gen),
        "arrived": rfc3339(event.t_arr),
        "hits": interval.hit_by(event) and not refused,
        "instances": [_instance(i) for c in own for i in c.some(groups, 3)[0]],
    }
    if refused:
        told["refused"] = True
    return told
