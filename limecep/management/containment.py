"""Containment across end events, and the pairing of old matches with new ones (SEMANTICS 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.model.match import Range

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from limecep.management.ledger import Key
    from limecep.model.event import Event
    from limecep.model.match import Group, Match
    from limecep.plan.plan import Alternative


def contains(larger: Match, smaller: Match) -> bool:
    """Whether every group of one match is a subset of the same step's group in the other."""
    return all(map(_holds, larger.groups, smaller.groups))


def _holds(larger: Group, smaller: Group) -> bool:
    if len(smaller) > len(larger):
        return False
    if isinstance(larger, Range) and isinstance(smaller, Range):
        if larger.content is smaller.content and larger.version == smaller.version:
            return larger.start <= smaller.start and smaller.stop <= larger.stop
    elif len(larger) == 1 and len(smaller) == 1:
        return next(iter(larger)) is next(iter(smaller))
    return {e.ordinal for e in larger}.issuperset([e.ordinal for e in smaller])


class Net:
    """The live matches of an alternative that grows at its end: those contained in no other.

    Where no condition looks at a whole group, a match cut off at an earlier end event is a candidate there,
    so one match contains another only if both have one start. Elsewhere every pair is looked at.
    """

    def __init__(self, alternative: Alternative) -> None:
        self._across_starts = any(c.pair is None and not c.cross for c in alternative.conditions) or any(
            n.hits is not None for n in alternative.negations
        )
        self._by_start: dict[int, dict[Key, Match]] = {}
        self._by_end: dict[int, set[Key]] = {}
        self._starts: dict[Key, int] = {}

    def join(self, candidates: Iterable[Match]) -> tuple[list[Match], list[Match]]:
        """Takes in candidates of one end event.

        Returns:
            What is live now and was not; what is contained in it and live no more.
        """
        come, gone = [], []
        for match in candidates:
            key = match.key()
            if key in self._starts:
                continue
            rivals = list(self._rivals(match))
            if any(contains(r, match) for r in rivals):
                continue
            for rival in rivals:
                if contains(match, rival):
                    self._remove(rival)
                    gone.append(rival)
            self._insert(key, match)
            come.append(match)
        return come, gone

    def replace(self, ends: Collection[Event], candidates: list[Match]) -> tuple[list[Match], list[Match]]:
        """Takes in what was found anew for a range of end events, in place of what was live there.

        Returns:
            What is live now and was not; what was and is no more.
        """
        old = {}
        for end in ends:
            for key in list(self._by_end.get(end.ordinal, ())):
                match = self._by_start[self._starts[key]][key]
                old[key] = match
                self._remove(match)
        new: dict[Key, Match] = {}
        for match in sorted(candidates, key=lambda m: -sum(map(len, m.groups))):
            if not any(contains(r, match) for r in self._rivals(match)):
                key = match.key()
                self._insert(key, match)
                new[key] = match
        return [m for k, m in new.items() if k not in old], [m for k, m in old.items() if k not in new]

    def ending(self, end: Event) -> list[Match]:
        """The live matches with an end event."""
        return [self._by_start[self._starts[k]][k] for k in self._by_end.get(end.ordinal, ())]

    def forget(self, before: int) -> None:
        """Drops what ended before a `t_gen`, in microseconds: nothing can change it any more."""
        for matches in list(self._by_start.values()):
            for match in [m for m in matches.values() if m.end.t_gen < before]:
                self._remove(match)

    def _rivals(self, match: Match) -> Iterable[Match]:
        if not self._across_starts:
            return self._by_start.get(match.start.ordinal, {}).values()
        return (m for matches in self._by_start.values() for m in matches.values())

    def _insert(self, key: Key, match: Match) -> None:
        start = match.start.ordinal
        self._starts[key] = start
        self._by_start.setdefault(start, {})[key] = match
        self._by_end.setdefault(match.end.ordinal, set()).add(key)

    def _remove(self, match: Match) -> None:
        key = match.key()
        start = self._starts.pop(key)
        del self._by_start[start][key]
        if not self._by_start[start]:
            del self._by_start[start]
        end = match.end.ordinal
        self._by_end[end].discard(key)
        if not self._by_end[end]:
            del self._by_end[end]


def pair(
    come: list[Match], gone: list[Match], late: Collection[Event]
) -> tuple[list[tuple[Match, Match]], list[Match], list[Match]]:
    """Pairs new matches with the old ones they correct.

    A new match corrects the old one that equals it without the late events, else the largest old one that it
    contains and that no other took.

    Returns:
        The pairs (old, new); the new matches left over; the old ones left over.
    """
    pairs: list[tuple[Match, Match]] = []
    rest, left = come, gone
    if late and come and gone:
        strangers = frozenset(e.ordinal for e in late)
        without: dict[Any, Match] = {_cut(m, frozenset()): m for m in gone}
        rest = []
        for match in come:
            old = without.pop(_cut(match, strangers), None)
            if old is None:
                rest.append(match)
            else:
                pairs.append((old, match))
        left = list(without.values())
    if not rest or not left:
        return pairs, rest, left
    by_start: dict[int, list[tuple[int, Match]]] = {}
    for old in left:
        by_start.setdefault(old.start.ordinal, []).append((sum(map(len, old.groups)), old))
    emitted = []
    taken: set[int] = set()
    for match in rest:
        best: tuple[int, Match] | None = None
        start = match.start.ordinal
        if len(by_start) == 1 and start in by_start:
            starts: Iterable[int] = (start,)
        else:
            starts = by_start.keys() & {e.ordinal for g in match.groups for e in g}
        for entry in (entry for start in starts for entry in by_start[start]):
            if (
                id(entry[1]) not in taken
                and entry[1].alternative is match.alternative
                and (best is None or entry[0] > best[0])
                and contains(match, entry[1])
            ):
                best = entry
        if best is None:
            emitted.append(match)
        else:
            taken.add(id(best[1]))
            pairs.append((best[1], match))
    return pairs, emitted, [old for old in left if id(old) not in taken]


def _cut(match: Match, strangers: frozenset[int]) -> Any:
    """What tells a match from others, some events left out."""
    return tuple(
        sorted(
            (s.variable, group)
            for s, g in zip(match.alternative.steps, match.groups, strict=True)
            if (group := tuple([e.ordinal for e in g if e.ordinal not in strangers]))
        )
    )
