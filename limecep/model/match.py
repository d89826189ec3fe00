"""Matches. A Kleene group may be a range of a lane, whose events are picked out when somebody asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Union

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep.model.event import Event
    from limecep.plan.plan import Alternative
    from limecep.store.lane import Content


class Range(msgspec.Struct, gc=False, eq=False, frozen=True):
    """The events at `start` to `stop` (not included) of a lane, as they stood when the range was made.

    Late events may enter the lane afterwards, and events may be taken back: `version` is how many changes
    there had been by then, and what changed later is played back, so the range goes on meaning the same
    events.

    The group of a step may be a range only if groups of that step always have all that their lane has between
    their ends. A group that may leave some out is a tuple, even where it does not: else equal matches that
    are found before and after a late event would have different keys.
    """

    content: Content
    start: int
    stop: int
    version: int

    def __len__(self) -> int:
        return self.stop - self.start

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events())

    def events(self) -> list[Event]:
        """The events, in order."""
        content = self.content
        if len(content.late) == self.version:
            return content.events[self.start : self.stop]
        if content.gone:
            return content.there(self.start, self.stop, self.version)
        start, stop = self.span()
        # What came after the range was made came after all that is in it.
        first_stranger = content.latecomers[self.version]
        return [e for e in content.events[start:stop] if e.ordinal < first_stranger]

    def span(self) -> tuple[int, int]:
        """Where its first event stands now, and the place after its last one, of those that are still there.
        Events between that came later are not among its own."""
        late = self.content.late
        start, stop = self.start, self.stop
        if self.content.gone:
            return self.content.moved(start, stop, self.version, len(late))[:2]
        if len(late) != self.version:
            for place in late[self.version :]:
                if place < stop:
                    stop += 1
                    if place <= start:
                        start += 1
        return start, stop

    @property
    def last(self) -> Event:
        """The last event."""
        content = self.content
        if len(content.late) == self.version:
            return content.events[self.stop - 1]
        return self.events()[-1] if content.gone else content.events[self.span()[1] - 1]

    @property
    def first(self) -> Event:
        """The first event."""
        content = self.content
        if len(content.late) == self.version:
            return content.events[self.start]
        return self.events()[0] if content.gone else content.events[self.span()[0]]

    def key(self) -> tuple[int, ...]:
        """What tells it from other ranges of its lane. Exact: where accepted events are only ever added,
        first, last and count say which events stood between."""
        if self.content.revised:
            return tuple([e.ordinal for e in self.events()])
        start, stop = self.span()
        events = self.content.events
        return (events[start].ordinal, events[stop - 1].ordinal, self.start - self.stop)


Group = Union[Range, "tuple[Event, ...]"]


class Match(msgspec.Struct, gc=False, eq=False, frozen=True):
    """A match: a group of events for every positive step of one alternative of the pattern.

    Made by engines. Costs nothing until its events are asked for.
    """

    alternative: Alternative
    groups: tuple[Group, ...]

    def key(self) -> tuple[int | tuple[int, ...], ...]:
        """Equal for equal matches of one alternative found by one engine, at whatever time, and for no
        others: see `Range`."""
        found: list[int | tuple[int, ...]] = []
        for group in self.groups:
            if not isinstance(group, Range):
                # Most have one event, which needs no tuple.
                found.append(group[0].ordinal if len(group) == 1 else tuple([e.ordinal for e in group]))
                continue
            content = group.content
            if len(content.late) != group.version or content.revised:
                found.append(group.key())
                continue
            # As `Range.key`, which is a call more for every match that a late event has looked at.
            events, start, stop = content.events, group.start, group.stop
            found.append((events[start].ordinal, events[stop - 1].ordinal, start - stop))
        return tuple(found)

    def assignment(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Variables that took events, with the ordinals of these: equal iff the assignments are, whatever the
        alternative."""
        return tuple(
            sorted(
                (s.variable, tuple(e.ordinal for e in g))
                for s, g in zip(self.alternative.steps, self.groups, strict=True)
                if len(g)
            )
        )

    def events(self) -> dict[str, list[Event]]:
        """The events of each variable, in the order of the steps. A variable that took nothing has none."""
        return {s.variable: list(g) for s, g in zip(self.alternative.steps, self.groups, strict=True)}

    @property
    def start(self) -> Event:
        """The first event."""
        for group in self.groups:
            if len(group):
                return group.first if isinstance(group, Range) else group[0]
        raise AssertionError("a match has events")

    @property
    def end(self) -> Event:
        """The last event."""
        for group in reversed(self.groups):
            if len(group):
                return group.last if isinstance(group, Range) else group[-1]
        raise AssertionError("a match has events")
