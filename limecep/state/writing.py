"""Events and matches as JSON, and back."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import msgspec

from limecep.encoding import to_json
from limecep.errors import RunFailure
from limecep.model.event import Event, sort_key
from limecep.model.match import Match, Range
from limecep.store.lane import Content

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from limecep.model.match import Group
    from limecep.plan.plan import Plan
    from limecep.store.lane import Ordering
    from limecep.store.store import Views

_decode = msgspec.json.Decoder().decode


def encode(value: Any) -> bytes:
    """A value as JSON."""
    return to_json(value)


def decode(value: bytes) -> Any:
    """The value.

    Raises:
        RunFailure: It is none: nobody wrote that.
    """
    try:
        return _decode(value)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise damaged(str(error)) from None


def damaged(what: str) -> RunFailure:
    """That a state is not as it was written, in words for the user."""
    return RunFailure(f"the state is damaged: {what}. To begin anew: limecep state reset DIR")


def frozen(value: Any) -> Any:
    """A value of JSON with tuples for lists."""
    return tuple([frozen(v) for v in value]) if type(value) is list else value


# -- events --------------------------------------------------------------------------------------------------


def event_out(event: Event) -> list[Any]:
    """An event with all there is to it."""
    return [
        event.type, event.id, event.t_gen, event.t_arr, event.source, event.payload, event.seq, event.ordinal
    ]  # fmt: skip


def event_in(value: Sequence[Any]) -> Event:
    """The event."""
    name, identity, t_gen, t_arr, source, payload, seq, ordinal = value
    # Texts that all events of a kind have in common are there once.
    return Event(sys.intern(name), identity, t_gen, t_arr, sys.intern(source), payload, seq, ordinal)


# -- matches -------------------------------------------------------------------------------------------------


class Matches:
    """The matches of one pattern, as JSON and back.

    A group that is a range of a lane comes back as such: engines tell matches apart by it.

    Args:
        plan: The pattern's plan.
        views: Its views.
        ordering: Precedence in its lanes.
    """

    def __init__(self, plan: Plan, views: Views, ordering: Ordering) -> None:
        self._plan = plan
        self._views = views
        self._ordering = ordering
        self._number = {id(a): n for n, a in enumerate(plan.alternatives)}

    def number(self, match: Match) -> int:
        """That of the alternative of a match."""
        return self._number[id(match.alternative)]

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
        return [self.number(match), groups]

    def back(self, value: Sequence[Any], known: Mapping[int, Event]) -> Match:
        """The match.

        Args:
            value: What `out`, `out_whole` or `out_bare` gave.
            known: The events in memory by their ordinals.

        Raises:
            RunFailure: An event that should be in memory is not.
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
            elif view is not None and (there := self._in_lane(view.steps[number][step].content, events)):
                made.append(there)
            else:
                # Others have come between them since, or some have left.
                content = Content([self._ordering.of(e) for e in events], events)
                made.append(Range(content, 0, len(events), 0))
        return Match(alternative, tuple(made))

    def _in_lane(self, content: Content, events: list[Event]) -> Range | None:
        """These events as a range of a lane, if they stand there together."""
        if not events:
            return None
        begin = _place(content.events, events[0])
        end = begin + len(events)
        if content.events[begin:end] != events:
            return None
        return Range(content, begin, end, len(content.late))


def _place(events: list[Event], event: Event) -> int:
    from bisect import bisect_left

    return bisect_left(events, sort_key(event), key=sort_key)


def _known(value: int | list[Any], known: Mapping[int, Event]) -> Event:
    if isinstance(value, int):
        event = known.get(value)
        if event is None:
            raise RunFailure("the state is damaged: it names an event that it does not have")
        return event
    made = event_in(value)
    there = known.get(made.ordinal)
    return made if there is None or sort_key(there) != sort_key(made) else there


def by_ordinal(events: Iterable[Event]) -> dict[int, Event]:
    """Events by their ordinals."""
    return {e.ordinal: e for e in events}
