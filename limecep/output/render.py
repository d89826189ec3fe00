"""Rendering: updates and late events to records, as sinks write them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.model.contents import assignment, digest, match_id
from limecep.model.instants import rfc3339

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.model.update import Update
    from limecep.output.record import Events, Record


class Renderer:
    """Makes records of the change log. Digests, ids and event lists are made here, and only for what is
    written.

    Args:
        events: `full`, `ids` (`{"a": ["g17"]}`), or `none`: the record then has no `events`.
        delay: Whether records have a `delay`: how long after it could first have been told, as far as the
            events of the match go, it was told. In seconds; unlike `latency` it has the time during which
            nothing came, where the absence of something had to be waited for.
        own: Makes payloads that whoever takes the records may change; None where they are the events' own.
    """

    def __init__(
        self, events: Events = "full", *, delay: bool = False, own: Callable[[Any], Any] | None = None
    ) -> None:
        self._events = events
        self._delay = delay
        self._own = own

    def render(self, update: Update) -> Record:
        """The record of an update."""
        match = update.match
        groups = match.events()
        present = assignment(groups)
        first = present if update.first is match else assignment(update.first.events())
        filled = [group for group in groups.values() if group]
        record: Record = {
            "op": update.op,
            "match": match_id(update.pattern, update.key, first, update.generation),
            "revision": update.revision,
            "content": digest(present),
            "pattern": update.pattern,
            "key": update.key,
            "start": rfc3339(filled[0][0].t_gen),
            "end": rfc3339(filled[-1][-1].t_gen),
        }
        if self._own is not None:
            record["key"] = self._own(update.key)
        if match.alternative.returned is not None:
            record |= self._values(match, groups, update.before)
        if self._events == "full" and self._own is not None:
            record["events"] = {
                name: [{**event_record(e), "payload": self._own(e.payload)} for e in group]
                for name, group in groups.items()
            }
        elif self._events == "full":
            record["events"] = {name: [event_record(e) for e in group] for name, group in groups.items()}
        elif self._events == "ids":
            record["events"] = {name: [e.id for e in group] for name, group in groups.items()}
        cause = update.cause_event
        record["cause"] = {"kind": update.cause, "event": None if cause is None else cause.id}
        if update.final:
            record["final"] = True
        if update.backfill:
            record["backfill"] = True
        record["detected"] = rfc3339(update.detected)
        record["latency"] = update.latency / 1_000_000
        if self._delay:
            waited = update.detected - filled[-1][-1].t_arr if update.cause == "time" else update.latency
            record["delay"] = max(0, waited) / 1_000_000
        return record

    def _values(self, match: Match, groups: Mapping[str, Sequence[Event]], before: Match | None) -> Record:
        """The values of a match, and where they differ, those that it had before a correction."""
        values = {"values": _returned(match, groups)}
        if before is not None and (old := _returned(before, before.events())) != values["values"]:
            values["values_before"] = old
        return values if self._own is None else self._own(values)


def match_record(pattern: str, key: object, match: Match) -> Record:
    """A match by itself, as records of the change log carry it."""
    groups = match.events()
    return {
        "content": digest(assignment(groups)),
        "pattern": pattern,
        "key": key,
        "start": rfc3339(match.start.t_gen),
        "end": rfc3339(match.end.t_gen),
        **({} if match.alternative.returned is None else {"values": _returned(match, groups)}),
        "events": {name: [event_record(e) for e in group] for name, group in groups.items()},
    }


def _returned(match: Match, groups: Mapping[str, Sequence[Event]]) -> dict[str, Any]:
    """The values of a match, of a pattern that has some."""
    returned = match.alternative.returned
    assert returned is not None
    return returned(groups, match.end)


def event_record(event: Event) -> Record:
    """An event as records carry it."""
    return {
        "type": event.type,
        "id": event.id,
        "time": rfc3339(event.t_gen),
        "source": event.source,
        "payload": event.payload,
    }
