"""Answers as text, and as JSON."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from limecep.embedding.pipelines import rfc3339
from limecep.output.rows import duration
from limecep_why_not.changes import Added, Admitted, Lifted, Removed, Valued, Widened, identity, is_added
from limecep_why_not.search import counted
from limecep_why_not.words import clock, named, time, told

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from limecep_why_not.answer import Answer, KeyedMiss
    from limecep_why_not.changes import Change
    from limecep_why_not.memory import Told
    from limecep_why_not.trials import Found

#: So many matches that stand, or were taken back, are told.
MOST_TOLD = 3
#: So many events of a group are told.
_MOST_IN_GROUP = 6
#: Longer ids are cut.
_LONGEST_ID = 12


def lines(answer: Answer, pattern: str, lateness: str) -> Iterator[str]:
    """The answer, for people.

    Args:
        answer: The answer.
        pattern: The name of the pattern.
        lateness: The name of its lateness policy.
    """
    near = answer.region.time
    yield f"{pattern} near {time(near)}"
    for standing in answer.standing[:MOST_TOLD]:
        yield f"  is there  {_row(standing.match, standing.key)}"
        if standing.told is not None:
            yield f"            emitted as {standing.told.id}: limecep why {standing.told.id} says why"
    if len(answer.standing) > MOST_TOLD:
        yield f"            and {len(answer.standing) - MOST_TOLD:,} more"
    for gone in answer.retracted[:MOST_TOLD]:
        yield f"  was there {_row(gone.match, gone.key)}"
        if gone.told is not None:
            yield f"            emitted as {gone.told.id} and taken back{_cause(gone.told)}"
    if answer.misses:
        things = answer.misses[0].miss.cost.things
        than = " nearer than that" if answer.standing else ""
        yield f"  a match{than} would be there with {counted(things)}:"
    for number, found in enumerate(answer.misses, start=1):
        yield from _miss(number, found, lateness)
    for reason in answer.reasons:
        yield f"  none near {reason}"
    for what in answer.left_out:
        yield f"  left out  {what}"


def _miss(number: int, found: KeyedMiss, lateness: str) -> Iterator[str]:
    changes = [told(c, found.key, lateness) for c in found.miss.changes]
    for place, change in enumerate(changes):
        yield f"{f'  {number}.' if not place else '':<6}{'and ' if place else ''}{change}"
    yield f"      gives {_row(found.miss.match, found.key)}"


def _cause(told: Told) -> str:
    return f", by {told.event} ({told.cause})" if told.event else f" ({told.cause})"


def _row(match: Found, key: Mapping[str, object] | None) -> str:
    """A match in one line."""
    of = " ".join(str(v) for v in (key or {}).values())
    span = duration(timedelta(microseconds=match.end - match.start))
    whole = [f"{time(match.start)} to {clock(match.end, match.start)}", of, span]
    groups = []
    for variable, events in match.events.items():
        ids = ["(added)" if is_added(identity(e)) else _short(e.id) for e in events]
        if len(ids) > _MOST_IN_GROUP:
            ids = [*ids[: _MOST_IN_GROUP - 2], "...", ids[-1]]
        groups.append(f"{variable} {' '.join(ids)}")
    return "  ".join([*filter(None, whole), "  ".join(groups)])


def _short(identity: str) -> str:
    """An id, of which a digest needs a few digits."""
    return identity if len(identity) <= _LONGEST_ID else f"{identity[: _LONGEST_ID - 4]}..."


def record(answer: Answer, pattern: str) -> dict[str, Any]:
    """The answer as values of JSON."""
    return {
        "pattern": pattern,
        "near": rfc3339(answer.region.time),
        "standing": [
            {
                "match": None if s.told is None else s.told.id,
                "key": s.key,
                **_match(s.match),
            }
            for s in answer.standing
        ],
        "retracted": [
            {
                "match": g.told.id,
                "key": g.key,
                **_match(g.match),
                "cause": {"kind": g.told.cause, "event": g.told.event or None},
            }
            for g in answer.retracted
            if g.told is not None
        ],
        "misses": [
            {
                "key": m.key,
                "changes": [_change(c) for c in m.miss.changes],
                "cost": {"things": m.miss.cost.things, "amount": round(m.miss.cost.amount, 6)},
                "distance": m.miss.distance / 1e6,
                "gives": _match(m.miss.match),
            }
            for m in answer.misses
        ],
        "reasons": answer.reasons,
        "left_out": answer.left_out,
    }


def _match(match: Found) -> dict[str, Any]:
    return {
        "start": rfc3339(match.start),
        "end": rfc3339(match.end),
        # Of an added event there is no id.
        "events": {v: [None if is_added(identity(e)) else e.id for e in g] for v, g in match.events.items()},
    }


def _change(change: Change) -> dict[str, Any]:
    match change:
        case Added(event=event, variable=variable, after=after, before=before):
            return {
                "add": event.type,
                "variable": variable,
                "after": rfc3339(after),
                "before": rfc3339(before),
                "tried": rfc3339(event.t_gen),
                "payload": event.payload,
            }
        case Removed(event=event, negated=negated):
            return {"remove": event.id, "event": named(event), "negated": negated or None}
        case Valued(event=event, variable=variable, path=path, old=old, new=new, broken=broken):
            return {
                "change": event.id,
                "event": named(event),
                "variable": variable,
                "attribute": ".".join(path),
                "from": old,
                "to": new,
                "condition": broken or None,
            }
        case Widened(old=old, new=new):
            return {"window": {"from": old / 1e6, "to": new / 1e6}}
        case Admitted(event=event, old=old, new=new, reason=reason):
            return {"lateness": {"from": old, "to": new}, "event": named(event), "reason": reason}
        case Lifted(rule=rule, old=old):
            return {"rule": rule, "from": old}
