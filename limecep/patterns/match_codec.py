"""Matches as values of JSON, and back."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any

from limecep.model.event import event_in, event_out, sort_key
from limecep.model.match import Match, Range
from limecep.patterns.keys import key_of
from limecep.store.lane import Content

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from limecep.model.event import Event
    from limecep.model.match import Group
    from limecep.patterns.ledger import Key
    from limecep.plan.plan import Plan
    from limecep.store.lane import Ordering
    from limecep.store.views import Views


class MatchCodec:
    """Writes the matches of one pattern, and reads them back.

    A group that is a range of a lane comes back as such: engines tell matches apart by it.

    Args:
        plan: The pattern's plan.
        views: Its views.
        ordering: Precedence in its lanes.

    Attributes:
        key: The key of a match.
    """

    def __init__(self, plan: Plan, views: Views, ordering: Ordering) -> None:
        self.key: Callable[[Match], Key] = key_of(plan)
        self._plan = plan
        self._views = views
        self._ordering = ordering
        self._number = {id(a): n for n, a in enumerate(plan.alternatives)}

    def out(self, match: Match) -> list[Any]:
        """A match whose events are all in memory: they are named by their ordinals."""
        return self._out(match, lambda event: event.ordinal)

    def out_whole(self, match: Match) -> list[Any]:
        """A match with its events, whose payloads may be needed."""
        return self._out(match, event_out)

    def out_bare(self, match: Match) -> list[Any]:
        """A match with its events, of which no more is needed than what they are known by."""
        return self._out(match, lambda e: [e.type, e.id, e.t_gen, e.t_arr, e.source, {}, e.seq, e.ordinal])

    def _out(self, match: Match, event_of: Callable[[Event], Any]) -> list[Any]:
        groups = [[isinstance(group, Range), [event_of(e) for e in group]] for group in match.groups]
        return [self._number[id(match.alternative)], groups]

    def back(self, value: Sequence[Any], known: Mapping[int, Event]) -> Match:
        """The match.

        Args:
            value: What `out`, `out_whole` or `out_bare` gave.
            known: The events in memory by their ordinals.

        Raises:
            LookupError: An event that should be in memory is not.
        """
        number, groups = value
        alternative = self._plan.alternatives[number]
        found = [(ranged, [_known(e, known) for e in events]) for ranged, events in groups]
        view = None
        if any(ranged for ranged, _ in found):
            view = self._views.of(next(events[0] for _, events in found if events))
        made: list[Group] = []
        for step, (ranged, events) in enumerate(found):
            if not ranged:
                made.append(tuple(events))
            elif view is not None and (there := _in_lane(view.steps[number][step].content, events)):
                made.append(there)
            else:
                # Others have come between them since, or some have left.
                content = Content([self._ordering.of(e) for e in events], events)
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
