"""The pairing of old matches with the new ones that correct them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from operator import itemgetter, le
from typing import TYPE_CHECKING, Any

from limecep.model.match import Match, Range
from limecep.patterns.containment import contains
from limecep.patterns.keys import Place
from limecep.patterns.names import identities

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Hashable, Iterable

    from limecep.model.event import Event
    from limecep.patterns.ledger import Key
    from limecep.store.lane import Content, Ordering

    #: What corrects and what is corrected, each with its key.
    Pair = tuple[Key, Match, Key, Match]

#: How many late events in a lane are too many to play back.
MANY = 8


def pair(come: dict[Key, Match], gone: dict[Key, Match], late: Remainders | None) -> list[Pair]:
    """Pairs new matches with the old ones they correct, and takes both out of what came and went.

    A new match corrects the old one with the same events, where something else is said of these; else the one
    that equals it without the late events, and without those that have left; else the largest old one that it
    contains and that no other took. Where several could take one, the first by its place does: which match
    keeps its name does not depend on the order of arrival.

    Args:
        come: The new matches, by key.
        gone: The old ones, by key.
        late: The late events that made the difference; None if there were none.

    Returns:
        Old key, old match, new key and new match of each pair.
    """
    if not come or not gone:
        return []
    near = come if late is None else late.near(come, gone)
    pairs: list[Pair] = []
    if late is not None:
        if late.renews:
            pairs = _renewed(come, gone)
            near = {key: match for key, match in near.items() if key in come}
        takers: dict[Key, tuple[Key, Match]] = {}
        left = late.left_of(gone)
        for key, match in near.items():
            old_key = key if late.all_left else late.without(match)
            old_key = left.get(old_key, old_key)
            if old_key in gone:
                other = takers.get(old_key)
                if other is None or Place(match) < Place(other[1]):
                    takers[old_key] = (key, match)
        pairs += [(old_key, gone.pop(old_key), key, match) for old_key, (key, match) in takers.items()]
        taken = {key for _, _, key, _ in pairs}
        near = {key: match for key, match in near.items() if key not in taken}
    if near and gone:
        pairs += _contained(near, gone)
    for _, _, key, _ in pairs:
        come.pop(key, None)
    return pairs


def _renewed(come: dict[Key, Match], gone: dict[Key, Match]) -> list[Pair]:
    """Pairs new matches with old ones of the same events, of which something else is said now, and takes both
    out."""
    known = {identities(match): key for key, match in gone.items()}
    pairs = []
    for key, match in [*come.items()]:
        old_key = known.get(identities(match))
        if old_key is not None:
            pairs.append((old_key, gone.pop(old_key), key, come.pop(key)))
    return pairs


def _contained(come: dict[Key, Match], gone: dict[Key, Match]) -> list[Pair]:
    """Pairs new matches with the largest old ones they contain, and takes these out."""
    shelves: dict[Hashable, dict[Key, Match]] = {}
    for key, old in gone.items():
        shelves.setdefault(_shelf(old), {})[key] = old
    measured: dict[Hashable, list[_Old]] = {}
    pairs: list[Pair] = []
    takers = [(Place(m), key, shelf) for key, m in come.items() if (shelf := _shelf(m)) in shelves]
    for _, key, shelf in sorted(takers, key=itemgetter(0)):
        match = come[key]
        olds = measured.get(shelf)
        if olds is None:
            olds = measured[shelf] = [(k, m, *_measured(m)) for k, m in shelves[shelf].items()]
            olds.sort(key=_largest_first)
        lanes, sides, size = _measured(match)
        for i in range(bisect_left(olds, -size, key=_minus_size), len(olds)):
            old_key, old, old_lanes, old_sides, _ = olds[i]
            if all(map(le, sides, old_sides)) if lanes == old_lanes else contains(match, old):
                del olds[i]
                del gone[old_key]
                pairs.append((old_key, old, key, match))
                break
    return pairs


#: Its key, the match, and how it is measured.
_Old = tuple["Key", "Match", list[int], list[int], int]


def _minus_size(old: _Old) -> int:
    return -old[4]


def _largest_first(old: _Old) -> Any:
    return -old[4], Place(old[1])


def _shelf(match: Match) -> Hashable:
    """Equal for matches one of which may contain the other: of one alternative, and where that ends with one
    event, with the same."""
    alternative = match.alternative
    return id(alternative) if alternative.growing else (id(alternative), match.end.ordinal)


def _measured(match: Match) -> tuple[list[int], list[int], int]:
    """What matches are compared by: mostly where their groups begin, and minus where these end.

    Of two matches with the same lanes the one that is found now contains one found before iff none of its
    sides is greater: of what stands between its ends, a range lacks only what came after it was made.

    Returns:
        The lanes, a number for each group, other numbers for groups that are no single event, and no range
        or one that has lost events;
        the sides, two for each group; and how many events it has.
    """
    lanes: list[int] = []
    sides: list[int] = []
    size = 0
    for group in match.groups:
        if isinstance(group, Range):
            content, start, stop = group.content, group.start, group.stop
            size += stop - start
            lane = id(content)
            if content.gone:
                start, stop, _, lost = content.moved(start, stop, group.version, len(content.late))
                if lost:
                    lane, start, stop = -id(group), 0, 0
            elif len(content.late) != group.version:
                start, stop = group.span()
            lanes.append(lane)
        else:
            count = len(group)
            size += count
            if count == 1:
                lanes.append(0)
                start = stop = group[0].ordinal
            else:
                # Like no other: these are compared by their events.
                lanes.append(-id(group))
                start = stop = 0
        sides += (start, -stop)
    return lanes, sides, size


class Remainders:
    """What is left of matches without late events.

    Args:
        late: The events.
        ordering: Of their lanes.
        left: The ordinals of those events that have left.
        renews: Whether another with the same identity came after one of those.
        assignments: Whether keys are assignments (`Match.assignment`), and not `Match.key`.

    Attributes:
        taken, all_left: Whether some, or all, of the events have left: what is new is without these.
        renews: As given.
    """

    def __init__(
        self,
        late: Collection[Event],
        ordering: Ordering,
        left: Container[int] = (),
        renews: bool = False,
        *,
        assignments: bool,
    ) -> None:
        gone = [e.ordinal in left for e in late]
        self.taken, self.all_left = any(gone), all(gone)
        self.renews = renews
        self._numbered = [(ordering.of(e), e) for e in late]
        self._ordinals = frozenset(e.ordinal for e in late)
        # By lane, as it is now: where they stand in it.
        self._places: dict[int, list[int]] = {}
        self._ordering = ordering
        self._assignments = assignments

    def near(self, come: dict[Key, Match], gone: dict[Key, Match]) -> dict[Key, Match]:
        """Those of the new matches that may correct an old one: where matches end with one event, and are of
        one alternative, those that end with the same one."""
        if self.taken or self._assignments or any(m.alternative.growing for m in gone.values()):
            return come
        ends = {key[-1] for key in gone}
        return {key: self._renewed(key, match) for key, match in come.items() if key[-1] in ends}

    def _renewed(self, key: Key, match: Match) -> Match:
        """The same match; where groups of one event are beside a range, that is of the lane as it stands now.
        Nothing has come between its ends since it was found, and to look for these costs less than to play
        back what has come."""
        groups = match.groups
        for n in range(1, len(groups) - 1):
            before, group, after = groups[n - 1 : n + 2]
            if not isinstance(group, Range) or isinstance(before, Range) or isinstance(after, Range):
                continue
            content = group.content
            if len(content.late) - group.version > MANY and len(before) == len(after) == 1:
                start = bisect_right(content.order, self._ordering.of(before[0]))
                stop = bisect_left(content.order, self._ordering.of(after[0]), start)
                there = Range(content, start, stop, len(content.late))
                if start < stop and there.key() == key[n]:
                    groups = (*groups[:n], there, *groups[n + 1 :])
        return match if groups is match.groups else Match(match.alternative, groups)

    def left_of(self, gone: dict[Key, Match]) -> dict[Key, Key]:
        """What is left of old matches without the events that have left, and their keys."""
        if not self.taken:
            return {}
        found: dict[Key, Key] = {}
        for key, match in gone.items():
            rest = self.without(match)
            other = found.get(rest)
            if other is None or Place(match) < Place(gone[other]):
                found[rest] = key
        return found

    def without(self, match: Match) -> Key:
        """The key of a match without them."""
        return self._assignment(match) if self._assignments else self._key(match)

    def _assignment(self, match: Match) -> Key:
        steps = match.alternative.steps
        named = [(s.variable, self._others(g)) for s, g in zip(steps, match.groups, strict=True)]
        return tuple(sorted(item for item in named if item[1]))

    def _key(self, match: Match) -> Key:
        late = self._ordinals
        found: list[int | tuple[int, ...]] = []
        for group in match.groups:
            if not isinstance(group, Range):
                others = [e.ordinal for e in group if e.ordinal not in late]
                found.append(others[0] if len(others) == 1 else tuple(others))
                continue
            content, start, stop = group.content, group.start, group.stop
            if content.revised:
                found.append(self._others(group))
                continue
            if group.version != len(content.late):
                # What came between its ends since it was found is late, too.
                start, stop = group.span()
            places = self._places.get(id(content))
            if places is None:
                places = self._places[id(content)] = self._in(content)
            count = start - stop + bisect_left(places, stop) - bisect_left(places, start)
            if not count:
                found.append(())
                continue
            events = content.events
            while events[start].ordinal in late:
                start += 1
            while events[stop - 1].ordinal in late:
                stop -= 1
            found.append((events[start].ordinal, events[stop - 1].ordinal, count))
        return tuple(found)

    def _others(self, group: Iterable[Event]) -> tuple[int, ...]:
        return tuple([e.ordinal for e in group if e.ordinal not in self._ordinals])

    def _in(self, content: Content) -> list[int]:
        found: list[int] = []
        numbers, events = content.order, content.events
        for number, event in self._numbered:
            for i in range(bisect_left(numbers, number), len(events)):
                if events[i] is event:
                    found.append(i)
                    break
                if events[i].t_gen != event.t_gen:
                    break
        found.sort()
        return found
