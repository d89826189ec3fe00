"""What events did to a match when they came, in the order of their arrival."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from limecep.model.instants import rfc3339
from limecep_why.history import identity, told_of

if TYPE_CHECKING:
    from limecep.model.event import Event
    from limecep_why.arrivals import Arrival
    from limecep_why.explanation import Evidence
    from limecep_why.history import Identity, Revision

_WORDS = {
    "emit": "completed it",
    "correct": "corrected it",
    "retract": "took it back",
    "final": "made it final",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Doing:
    """An arrival.

    Attributes:
        event: What came; None where time passed without any, or where only its id is known.
        id: Its id.
        number: Which arrival it was, where that is known.
        variables: The variables that took it, now or once.
        did: What it did, in words.
        changed: Whether something was told of the match then.
        arrived: When, in microseconds.
        behind: How far it was behind the latest event time, where that is known.
        told: When the revision was told that it changed, or joined with.
        revision: Which that is, in the order in which they were told.
    """

    event: Event | None
    id: str | None
    number: int | None
    variables: tuple[str, ...]
    did: str
    changed: bool
    arrived: int | None
    told: int
    revision: int = 0
    behind: int | None = None

    def record(self) -> dict[str, Any]:
        """Return it as a value of JSON."""
        told: dict[str, Any] = {"arrival": self.number}
        if self.arrived is not None:
            told["arrived"] = rfc3339(self.arrived)
        if self.event is not None:
            told |= told_of(self.event)
        if self.id is not None:
            told["id"] = self.id
        told["variables"] = list(self.variables)
        if self.behind is not None:
            told["behind_seconds"] = self.behind / 1_000_000
        return told | {"did": self.did}


def doings(evidence: Evidence) -> list[Doing]:
    """Return what came, in the order of arrival: all events that the match ever had, and what changed it.

    Of records, only when those came is known that changed it; others stand before those.
    """
    revisions = evidence.history.revisions
    events: dict[Identity, Event] = {}
    variables: dict[Identity, dict[str, None]] = {}
    joined: dict[Identity, Revision] = {}
    caused: dict[Identity, list[Revision]] = {}
    places = {id(revision): place for place, revision in enumerate(revisions)}
    found = []
    for place, revision in enumerate(revisions):
        for variable, event in (*revision.added, *revision.removed):
            known = identity(event)
            events.setdefault(known, event)
            variables.setdefault(known, {})[variable] = None
            joined.setdefault(known, revision)
        if revision.cause_event is not None and _left(revision, revision.cause_event, evidence):
            found.append(replace(_gone(revision, revision.cause_event, evidence), revision=place))
        elif revision.cause_event is not None:
            events.setdefault(identity(revision.cause_event), revision.cause_event)
            caused.setdefault(identity(revision.cause_event), []).append(revision)
        elif revision.cause_id is not None:
            found.append(replace(_named(revision), revision=place))
        else:
            found.append(replace(_passed(revision, evidence), revision=place))
    for known, event in events.items():
        arrival = evidence.arrivals.of.get(known)
        changes = caused.get(known, [])
        arrived = event.t_arr if evidence.timed else None
        if arrived is None and changes:
            arrived = changes[0].detected - changes[0].latency
        found.append(
            Doing(
                event=event,
                id=event.id,
                number=None if arrival is None else arrival.number,
                variables=tuple(variables.get(known, ())),
                did=_did(changes, joined.get(known), revisions[0]),
                changed=bool(changes),
                arrived=arrived,
                behind=None if arrival is None else arrival.behind,
                told=(changes[0] if changes else joined[known]).detected,
                revision=places[id(changes[0] if changes else joined[known])],
            )
        )
    return _in_order(found)


def _in_order(found: list[Doing]) -> list[Doing]:
    """The order of arrival, as far as it is known. What has no number, as it is derived or known from
    records alone, stands behind all that arrived no later."""
    numbered = sorted((d for d in found if d.number is not None), key=lambda d: d.number or 0)
    times = list(accumulate((d.arrived or 0 for d in numbered), max))
    others = sorted((d for d in found if d.number is None), key=_when)
    for doing in reversed(others):
        numbered.insert(bisect_right(times, _when(doing)[0]), doing)
    return numbered


def _when(doing: Doing) -> tuple[int, int, bool, int]:
    at = doing.told if doing.arrived is None else doing.arrived
    return at, doing.revision, doing.changed, 0 if doing.event is None else doing.event.t_gen


def _did(caused: list[Revision], joined: Revision | None, first: Revision) -> str:
    if caused:
        return ", ".join(f"{_word(r)}: revision {r.number}" for r in caused)
    if joined is None or joined is first:
        return "nothing yet"
    return f"taken with revision {joined.number}"


def _word(revision: Revision) -> str:
    if revision.op == "emit" and revision.number > 1:
        return "brought it back"
    if revision.op == "emit" and revision.cause in ("negation", "withdrawal", "revision", "next_match"):
        return "brought it about"
    return _WORDS[revision.op]


def _named(revision: Revision) -> Doing:
    """An event of which a record has the id alone."""
    return Doing(
        event=None,
        id=revision.cause_id,
        number=None,
        variables=(),
        did=f"{_word(revision)}: revision {revision.number}",
        changed=True,
        arrived=revision.detected - revision.latency,
        told=revision.detected,
    )


def _left(revision: Revision, event: Event, evidence: Evidence) -> bool:
    """Whether an event changed the match by being so no more. The update has it as it was."""
    return revision.cause == "withdrawal" or _again(event, evidence) is not None


def _again(event: Event, evidence: Evidence) -> Arrival | None:
    """The arrival of what withdrew or revised an event, where that is known."""
    return evidence.arrivals.again.get((*identity(event)[:3], event.t_arr))


def _gone(revision: Revision, event: Event, evidence: Evidence) -> Doing:
    """A withdrawal, or a revision after which the event is none for the match."""
    arrival = _again(event, evidence)
    what = "withdrawn" if revision.cause == "withdrawal" else "revised"
    return Doing(
        event=event,
        id=event.id,
        number=None if arrival is None else arrival.number,
        variables=(),
        did=f"was {what}, which {_word(revision)}: revision {revision.number}",
        changed=True,
        arrived=revision.detected - revision.latency,
        told=revision.detected,
    )


def _passed(revision: Revision, evidence: Evidence) -> Doing:
    """Time passed, with an event that is none of the match, or without any."""
    at = None if revision.place is None else evidence.arrivals.at.get(revision.place)
    if at is not None:
        why = "as time had passed then"
    elif revision.moment:
        why = f"by {revision.moment}"
    else:
        why = "as time passed"
    return Doing(
        event=at,
        id=None if at is None else at.id,
        number=revision.place,
        variables=(),
        did=f"{_word(revision)}, {why}: revision {revision.number}",
        changed=True,
        arrived=revision.detected,
        told=revision.detected,
    )
