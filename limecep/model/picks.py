"""Which match of an end event is picked (SEMANTICS 14)."""

from __future__ import annotations

from itertools import chain
from operator import neg
from typing import TYPE_CHECKING, Any, Literal

from limecep.model.event import sort_key
from limecep.model.match import Range

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from limecep.model.event import Event
    from limecep.model.match import Match

#: The one with the earliest start, the latest start, the most events, or the fewest.
Pick = Literal["first", "last", "longest", "shortest"]


def best(pick: Pick, matches: Iterable[Match]) -> Match | None:
    """The match that is picked among those of one end event; None if there are none. Only the best so far is
    held.

    Starts are compared as precedence is, by time and sequence number. Of equals it is the one whose events
    come first by the sort key, from the first step on; of those with the same events it is the one that is
    first by its variables and what they took, as in the order that skip strategies go by.
    """
    asked, rank = _RANKS[pick]
    found: Match | None = None
    known: Any = None
    for match in matches:
        at = asked(match)
        # Many have one start, or are of one size.
        if found is None or (
            _before(match, found)
            if at is known or (ranked := rank(at)) == (best_so_far := rank(known))
            else ranked < best_so_far
        ):
            found, known = match, at
    return found


def _before(one: Match, other: Match) -> bool:
    """Whether the events of a match come first. No match has all events of another and more at its end: both
    end with one event."""
    told = _parting(one, other)
    if told is None:
        events = zip(chain.from_iterable(one.groups), chain.from_iterable(other.groups), strict=False)
        told = next(((x, y) for x, y in events if x is not y), None)
    if told is None:
        return bool(_taken(one) < _taken(other))
    return sort_key(told[0]) < sort_key(told[1])


def _parting(one: Match, other: Match) -> tuple[Event, Event] | None:
    """The first events in which two matches differ, where that is quickly seen: most of those of one end
    event begin with a range of the same events."""
    for n, (group, beside) in enumerate(zip(one.groups, other.groups, strict=False)):
        if not isinstance(group, Range) or not isinstance(beside, Range):
            return None
        content, version = group.content, group.version
        if content is not beside.content or group.start != beside.start:
            return None
        if not version == beside.version == len(content.late):
            return None
        if group.stop != beside.stop:
            # The shorter one goes on with its next group.
            shorter, stop = (one, group.stop) if group.stop < beside.stop else (other, beside.stop)
            after = shorter.groups[n + 1]
            if not len(after):
                return None
            following, here = after[0] if isinstance(after, tuple) else after.first, content.events[stop]
            if following is here:
                return None
            return (following, here) if shorter is one else (here, following)
    return None


def _taken(match: Match) -> Any:
    named = zip(match.alternative.steps, match.groups, strict=True)
    return sorted((s.variable, [(e.type, e.source, e.id) for e in g]) for s, g in named if len(g))


def _start(match: Match) -> Event:
    return match.start


def _size(match: Match) -> int:
    return sum(map(len, match.groups))


#: What of a match is asked, and how that is ranked.
_RANKS: dict[Pick, tuple[Callable[[Match], Any], Callable[[Any], Any]]] = {
    "first": (_start, lambda start: (start.t_gen, start.seq)),
    "last": (_start, lambda start: (-start.t_gen, -start.seq)),
    "longest": (_size, neg),
    "shortest": (_size, int),
}
