"""Reading matches back that were written as values of JSON."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any

from limecep.model.event import event_in, sort_key
from limecep.model.match import Match, Range
from limecep.store.lane import Content

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from limecep.model.event import Event
    from limecep.model.match import Group
    from limecep.plan.plan import Plan
    from limecep.store.lane import Ordering
    from limecep.store.views import Views


def match_of(
    value: Sequence[Any], known: Mapping[int, Event], plan: Plan, views: Views, ordering: Ordering
) -> Match:
    """As of `limecep.patterns.match_codec.MatchCodec.back`.

    Args:
        value: What was written.
        known: The events in memory by their ordinals.
        plan: The pattern's plan.
        views: Its views.
        ordering: Precedence in its lanes.

    Raises:
        LookupError: An event that should be in memory is not.
    """
    number, groups = value
    alternative = plan.alternatives[number]
    found = [(ranged, [_known(e, known) for e in events]) for ranged, events in groups]
    view = None
    if any(ranged for ranged, _ in found):
        view = views.of(next(events[0] for _, events in found if events))
    made: list[Group] = []
    for step, (ranged, events) in enumerate(found):
        if not ranged:
            made.append(tuple(events))
        elif view is not None and (there := _in_lane(view.steps[number][step].content, events)):
            made.append(there)
        else:
            # Others have come between them since, or some have left.
            content = Content([ordering.of(e) for e in events], events, revised=ordering.revised)
            made.append(Range(content, 0, len(events), 0))
    return Match(alternative, tuple(made))


def _in_lane(content: Content, events: list[Event]) -> Range | None:
    """These events as a range of a lane, if they stand there together."""
    if not events:
        return None
    begin = bisect_left(content.events, sort_key(events[0]), key=sort_key)
    end = begin + len(events)
    if content.events[begin:end] != events:
        return None
    return Range(content, begin, end, len(content.late))


def _known(value: int | list[Any], known: Mapping[int, Event]) -> Event:
    if isinstance(value, int):
        return known[value]
    made = event_in(value)
    there = known.get(made.ordinal)
    return made if there is None or sort_key(there) != sort_key(made) else there
