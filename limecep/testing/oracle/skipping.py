"""Skip strategies (section 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.model.event import sort_key

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from limecep.contracts.results import Skip
    from limecep.model.event import Event
    from limecep.testing.oracle import Assignment, Identity


def kept(matches: Collection[Assignment], events: Mapping[Identity, Event], skip: Skip) -> set[Assignment]:
    """The matches of one key that no kept one before them drops.

    They are gone through in the order of their end events, then of their starts, then the one with more
    events first; where that does not tell, by the events themselves.
    """
    standing: list[Assignment] = []
    for match in sorted(matches, key=lambda m: _order(m, events)):
        if not any(_drops(earlier, match, events, skip) for earlier in standing):
            standing.append(match)
    return set(standing)


def _drops(kept: Assignment, match: Assignment, events: Mapping[Identity, Event], skip: Skip) -> bool:
    start = _sorted(match, events)[0]
    if skip.to == "next":
        return bool(start == _sorted(kept, events)[0])
    if skip.to == "past-last":
        return bool(start <= _sorted(kept, events)[-1])
    named = [sort_key(events[i]) for variable, group in kept if variable == skip.variable for i in group]
    if not named:
        return False
    return bool(start < (min(named) if skip.to == "first" else max(named)))


def _order(match: Assignment, events: Mapping[Identity, Event]) -> Any:
    ordered = _sorted(match, events)
    return ordered[-1], ordered[0], -len(ordered), ordered, match


def _sorted(match: Assignment, events: Mapping[Identity, Event]) -> list[Any]:
    return sorted(sort_key(events[i]) for _, group in match for i in group)
