"""Why a match is as it is, as one value of JSON: what the text says, and `--format json`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from limecep.model.event import DerivedEvent, sort_key
from limecep.model.instants import rfc3339
from limecep_why.alternatives import holds
from limecep_why.arrivals import Arrivals
from limecep_why.bounded import shortened
from limecep_why.doings import doings
from limecep_why.history import identity, taken, told_of
from limecep_why.judged import absences, conditions
from limecep_why.waits import waits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from limecep.model.event import Event
    from limecep_why.absences import Interval
    from limecep_why.alternatives import Fitting
    from limecep_why.history import History, Revision, Taken
    from limecep_why.subject import Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """All that is known of a match.

    Attributes:
        history: What became of it.
        subject: Its pattern; None where no pipeline is given.
        alternative: The alternative of the pattern that it fulfils, with its groups in the order of the
            steps; None where none is known.
        intervals: Where its negated steps may have no event.
        arrivals: How events came.
        refused: The events that its pattern did not see, without versions.
        derived: The ids of matches by those of the events that they derive, where these differ.
        timed: Whether the times of arrival of all events are known.
        notes: What is to be said besides.
    """

    history: History
    subject: Subject | None = None
    alternative: Fitting | None = None
    intervals: Sequence[Interval] = ()
    arrivals: Arrivals = field(default_factory=Arrivals)
    refused: frozenset[tuple[str, str, str]] = frozenset()
    derived: Mapping[str, str] = field(default_factory=dict)
    timed: bool = True
    notes: tuple[str, ...] = ()


def explanation(evidence: Evidence, most: int) -> dict[str, Any]:
    """Return why a match is as it is.

    Args:
        evidence: What is known of it.
        most: How much of each list is shown; 0 for all.
    """
    history, subject = evidence.history, evidence.subject
    last = history.revisions[-1]
    # Those of which only the id is known stay in the order of the steps.
    events = sorted(taken(history.groups), key=lambda t: sort_key(t.event) if not history.bare else ())
    told: dict[str, Any] = {
        "match": history.match,
        "pattern": history.pattern,
        "key": history.key,
        "standing": history.standing,
        "revision": last.number,
        "start": rfc3339(last.start),
        "end": rfc3339(last.end),
        "seconds": (last.end - last.start) / 1_000_000,
    }
    if subject is not None:
        told["structure"] = str(subject.plan.pattern.structure)
        told["within_seconds"] = subject.plan.within / 1_000_000
        told["select"] = subject.plan.select
    if last.values is not None:
        told["values"] = dict(last.values)
    late = _late(history)
    told["events"] = shortened(
        events, most, lambda t: _event(t, evidence, late), lambda t: _stands_out(t.event, evidence, late)
    )
    told["arrivals"] = shortened(doings(evidence), most, lambda d: d.record(), lambda d: d.changed)
    if subject is not None and evidence.alternative is not None:
        alternative, groups = evidence.alternative
        sound = holds(alternative, groups)
        told["conditions"] = conditions(subject, alternative, groups, most, sound=sound)
        told["absences"] = absences(subject, alternative, evidence, most)
        if not sound:
            evidence = _with(evidence, "a condition does not hold: was the pipeline changed since?")
    elif history.bare:
        evidence = _with(evidence, "the records have only the ids of events: write them with 'events: full'")
    elif subject is not None:
        evidence = _with(
            evidence, "these events are no match of the pattern: was the pipeline changed since?"
        )
    told["revisions"] = _revisions(history, most)
    told["waited"] = waits(evidence)
    told["notes"] = list(evidence.notes)
    return told


def _with(evidence: Evidence, note: str) -> Evidence:
    return replace(evidence, notes=(*evidence.notes, note))


def _late(history: History) -> set[Any]:
    """The events that changed what had been told, or completed it late."""
    return {
        identity(r.cause_event)
        for r in history.revisions
        if r.cause_event is not None and r.cause == "late_event"
    }


def _stands_out(event: Event, evidence: Evidence, late: set[Any]) -> bool:
    arrival = evidence.arrivals.of.get(identity(event))
    return identity(event) in late or (arrival is not None and arrival.behind > 0)


def _event(of: Taken, evidence: Evidence, late: set[Any]) -> dict[str, Any]:
    """What is said of an event of the match."""
    event = of.event
    told: dict[str, Any] = {"variable": of.variable, **told_of(event), "id": event.id}
    if event.type:
        told["source"] = event.source
    if evidence.timed:
        told["arrived"] = rfc3339(event.t_arr)
        told["delay_seconds"] = (event.t_arr - event.t_gen) / 1_000_000
    arrival = evidence.arrivals.of.get(identity(event))
    if arrival is not None:
        told["arrival"] = arrival.number
        told["behind_seconds"] = arrival.behind / 1_000_000
        told["out_of_order"] = arrival.behind > 0
        if arrival.copies:
            told["copies"] = arrival.copies
    told["late"] = identity(event) in late
    if isinstance(event, DerivedEvent):
        told["derived_by"] = event.source
        told["of_match"] = evidence.derived.get(event.id, event.id)
    return told


def _revisions(history: History, most: int) -> list[dict[str, Any]]:
    """What is said of each revision."""
    pairs = zip([None, *history.revisions], history.revisions, strict=False)
    return shortened(list(pairs), most, lambda pair: _revision(pair[1], pair[0], most))


def _revision(revision: Revision, before: Revision | None, most: int) -> dict[str, Any]:
    told: dict[str, Any] = {"revision": revision.number, "op": revision.op}
    if revision.final:
        told["final"] = True
    told["size"] = revision.size
    if before is not None:
        told |= _changes(revision, most)
    elif revision.number > 1:
        told["earlier_unknown"] = True
    told["cause"] = {"kind": revision.cause, "event": revision.cause_id}
    if revision.cause_event is not None:
        told["cause"] |= told_of(revision.cause_event)
    told["told"] = rfc3339(revision.detected)
    told["latency_seconds"] = revision.latency / 1_000_000
    if revision.values is not None:
        told["values"] = dict(revision.values)
        if before is not None and before.values != revision.values:
            told["values_before"] = dict(before.values or {})
    return told


def _changes(revision: Revision, most: int) -> dict[str, Any]:
    """The events by which a revision differs from the one before; apart from these, those that a source has
    said anew."""
    old = {_known(t): t for t in revision.removed}
    anew = {_known(t): t for t in revision.added if _known(t) in old}
    return {
        "added": shortened([t for t in revision.added if _known(t) not in anew], most, _short),
        "removed": shortened([t for t in revision.removed if _known(t) not in anew], most, _short),
        "revised": shortened(list(anew.values()), most, lambda t: _anew(old[_known(t)], t)),
    }


def _anew(old: Taken, new: Taken) -> dict[str, Any]:
    return _short(new) | {"changed": _changed(old.event, new.event)}


def _known(of: Taken) -> tuple[str, tuple[str, str, str]]:
    return of.variable, identity(of.event)[:3]


def _changed(old: Event, new: Event) -> dict[str, list[Any]]:
    """The attributes of an event that are different now, with what they were and are."""
    names = [*new.payload, *(n for n in old.payload if n not in new.payload)]
    changed = {
        n: [old.payload.get(n), new.payload.get(n)] for n in names if old.payload.get(n) != new.payload.get(n)
    }
    if old.t_gen != new.t_gen:
        changed["time"] = [rfc3339(old.t_gen), rfc3339(new.t_gen)]
    return changed


def _short(of: Taken) -> dict[str, Any]:
    return {"variable": of.variable, "id": of.event.id, **told_of(of.event)}
