"""What a match waited for before it was told, and how long."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from limecep.model.instants import rfc3339
from limecep.output.rows import duration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep_why.explanation import Evidence
    from limecep_why.history import Revision


def waits(evidence: Evidence) -> list[dict[str, Any]]:
    """Return, for what was told of a match first and for what waited since, how long that took and why."""
    history = evidence.history
    found = [_first(history.revisions[0], evidence)]
    found += [_later(r) for r in history.revisions[1:] if r.latency > 0]
    return found


def _first(revision: Revision, evidence: Evidence) -> dict[str, Any]:
    told: dict[str, Any] = {
        "revision": revision.number,
        "event_time": rfc3339(revision.end),
        "told": rfc3339(revision.detected),
        "after_event_seconds": (revision.detected - revision.end) / 1_000_000,
    }
    if evidence.timed:
        events = [t.event for t in revision.added] or [e for g in evidence.history.groups.values() for e in g]
        came = max(e.t_arr for e in events)
        told["arrived"] = rfc3339(came)
        told["after_arrival_seconds"] = (revision.detected - came) / 1_000_000
    told["for"] = list(_reasons(revision, evidence))
    return told


def _later(revision: Revision) -> dict[str, Any]:
    waited = duration(timedelta(microseconds=revision.latency))
    what = "the slack for more late events" if revision.cause != "time" else "event time to pass"
    return {
        "revision": revision.number,
        "told": rfc3339(revision.detected),
        "after_arrival_seconds": revision.latency / 1_000_000,
        "for": [f"{waited} for {what}"],
    }


def _reasons(revision: Revision, evidence: Evidence) -> Iterator[str]:
    """What the first telling waited for, in words."""
    subject, found = evidence.subject, evidence.alternative
    if subject is None or found is None:
        if revision.cause == "time":
            yield "event time to pass: only then it was known"
        elif revision.latency:
            yield f"{duration(timedelta(microseconds=revision.latency))} after the event that caused it"
        return
    alternative, groups = found
    filled = [group for group in groups if group]
    due = rfc3339(filled[0][0].t_gen + subject.plan.within)
    trailing = [n for n in alternative.negations if not any(groups[n.after :])]
    for step in trailing:
        types = " OR ".join(step.filter.types)
        yield f"event time to pass {due}, start plus window: until then {types} {step.variable} could come"
    if not trailing and alternative.growing and subject.emit in ("complete", "final"):
        last = alternative.steps[-1].variable
        more = f"{last} could take more (emit: {subject.emit})"
        yield f"event time to pass {due}, start plus window: until then {more}"
    if subject.emit == "final":
        yield "all events that the lateness policy might still accept and that could change it (emit: final)"
    if subject.emit == "slack":
        yield "the slack after late events (emit: slack)"
    elif revision.latency and revision.cause != "time":
        yield f"{duration(timedelta(microseconds=revision.latency))} for the slack after a late event"
    if revision.cause == "time":
        yield from _moved(revision, evidence, filled[0][0].t_gen + subject.plan.within)


def _moved(revision: Revision, evidence: Evidence, due: int) -> Iterator[str]:
    """What made event time come so far."""
    at = None if revision.place is None else evidence.arrivals.at.get(revision.place)
    if at is not None:
        # Where another source lags behind, it is not the one that moves time which makes it known.
        moved = "event time came there" if at.t_gen > due else "told"
        yield f"{moved} with {at.type} {at.id} of {rfc3339(at.t_gen)}, arrival #{revision.place:,}"
    elif revision.moment:
        yield f"event time came there by {revision.moment}"
