"""The events that the matches of a pattern are to others (section 13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.model.contents import match_id
from limecep.model.event import Event, sort_key
from limecep.testing.oracle.returned import returned
from limecep.testing.oracle.values import attribute

if TYPE_CHECKING:
    from collections.abc import Iterable

    from limecep.model.derivation import Moment
    from limecep.model.pattern import Pattern
    from limecep.testing.oracle import Assignment


def derived(
    pattern: Pattern,
    name: str,
    event_type: str,
    moment: Moment,
    matches: Iterable[Assignment],
    events: Iterable[Event],
) -> list[Event]:
    """An event for every match.

    Args:
        pattern: The pattern.
        name: Its name: their source.
        event_type: Their type.
        moment: When they happen.
        matches: The matches that stand.
        events: What the pattern reads.
    """
    known = {(e.type, e.source, e.id): e for e in events}
    found = []
    for match in matches:
        groups = {variable: [known[e] for e in group] for variable, group in match}
        times = sorted((e for group in groups.values() for e in group), key=sort_key)
        start, end = times[0], times[-1]
        moments = {"start": start.t_gen, "end": end.t_gen, "deadline": start.t_gen + pattern.within}
        key = {".".join(path): attribute(start, path) for path in pattern.partition}
        payload = {**returned(pattern, groups), **key}
        made = match_id(name, key or None, [*match])
        found.append(Event(event_type, made, moments[moment], source=name, payload=payload))
    return found
