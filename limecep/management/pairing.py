"""The pairing of old matches with the new ones that correct them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from limecep.management.containment import contains
from limecep.model.event import sort_key
from limecep.model.match import Range

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from limecep.management.ledger import Key
    from limecep.model.event import Event
    from limecep.model.match import Group, Match
    from limecep.store.lane import Content


def pair(
    come: list[Match], gone: list[Match], late: Collection[Event]
) -> tuple[list[tuple[Match, Match]], list[Match], list[Match]]:
    """Pairs new matches with the old ones they correct.

    A new match corrects the old one that equals it without the late events, else the largest old one that it
    contains and that no other took.

    Args:
        come: The new matches.
        gone: The old ones.
        late: The events that made the difference.

    Returns:
        The pairs (old, new); the new matches left over; the old ones left over.
    """
    pairs: list[tuple[Match, Match]] = []
    rest, left = come, gone
    if late and come and gone:
        strangers = Strangers(late)
        without = {strangers.name(m): m for m in gone}
        rest = []
        for match in come:
            old = without.pop(strangers.name_without(match), None)
            if old is None:
                rest.append(match)
            else:
                pairs.append((old, match))
        left = list(without.values())
    if not rest or not left:
        return pairs, rest, left
    shelves: dict[tuple[int, int], list[tuple[Any, int, Match]]] = {}
    for old in left:
        shelves.setdefault(_shelf(old), []).append((sort_key(old.start), sum(map(len, old.groups)), old))
    for shelf in shelves.values():
        shelf.sort(key=_first)
    emitted = []
    taken: set[int] = set()
    for match in rest:
        shelf = shelves.get(_shelf(match), [])
        most, best = 0, None
        begin = bisect_left(shelf, sort_key(match.start), key=_first)
        for _, size, old in shelf[begin : bisect_right(shelf, sort_key(match.end), begin, key=_first)]:
            if size > most and id(old) not in taken and contains(match, old):
                most, best = size, old
        if best is None:
            emitted.append(match)
        else:
            taken.add(id(best))
            pairs.append((best, match))
    return pairs, emitted, [old for old in left if id(old) not in taken]


_first = itemgetter(0)


def _shelf(match: Match) -> tuple[int, int]:
    """Equal for matches one of which may contain the other: of one alternative, and where that ends with one
    event, with the same."""
    alternative = match.alternative
    return id(alternative), -1 if alternative.growing else match.end.ordinal


class Strangers:
    """Late events, and what matches are without them."""

    def __init__(self, late: Collection[Event]) -> None:
        self._late = late
        self._ordinals = frozenset(e.ordinal for e in late)
        # By lane, as it is now: where they stand in it.
        self._places: dict[int, list[int]] = {}

    def name(self, match: Match) -> Key:
        """What tells a match from others: the variables that took events, and which."""
        return _name(match, [g.key() if isinstance(g, Range) else _ordinals(g) for g in match.groups])

    def name_without(self, match: Match) -> Key:
        """That of a match were the late events left out."""
        return _name(match, [self._rest(g) for g in match.groups])

    def _rest(self, group: Group) -> tuple[int, ...]:
        if not isinstance(group, Range):
            return tuple([n for n in _ordinals(group) if n not in self._ordinals])
        if group.version != len(group.content.late):
            # Found before some late event; there are few such.
            rest = [n for n in _ordinals(group) if n not in self._ordinals]
            return (rest[0], rest[-1], -len(rest)) if rest else ()
        events = group.content.events
        start, stop = group.start, group.stop
        while start < stop and events[start].ordinal in self._ordinals:
            start += 1
        while start < stop and events[stop - 1].ordinal in self._ordinals:
            stop -= 1
        if start == stop:
            return ()
        places = self._in(group.content)
        within = bisect_left(places, stop) - bisect_left(places, start)
        return (events[start].ordinal, events[stop - 1].ordinal, start - stop + within)

    def _in(self, content: Content) -> list[int]:
        places = self._places.get(id(content))
        if places is None:
            found = []
            for event in self._late:
                i = bisect_left(content.events, sort_key(event), key=sort_key)
                if i < len(content.events) and content.events[i] is event:
                    found.append(i)
            places = self._places[id(content)] = sorted(found)
        return places


def _ordinals(group: Iterable[Event]) -> tuple[int, ...]:
    return tuple([e.ordinal for e in group])


def _name(match: Match, groups: list[tuple[int, ...]]) -> Key:
    steps = match.alternative.steps
    return tuple(sorted((s.variable, group) for s, group in zip(steps, groups, strict=True) if group))
