"""One match of each end event (section 14)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.model.event import sort_key

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from limecep.model.event import Event
    from limecep.model.picks import Pick
    from limecep.testing.oracle import Assignment, Identity


def picked(matches: Collection[Assignment], events: Mapping[Identity, Event], pick: Pick) -> set[Assignment]:
    """Of the matches of each end event the one with the earliest start, the latest start, the most events or
    the fewest; of equals the one whose events come first by the sort key."""
    by_end: dict[Any, list[Assignment]] = {}
    for match in matches:
        by_end.setdefault(_sorted(match, events)[-1], []).append(match)

    def rank(match: Assignment) -> Any:
        ordered = _sorted(match, events)
        t_gen, seq = ordered[0][:2]
        first = {
            "first": (t_gen, seq),
            "last": (-t_gen, -seq),
            "longest": -len(ordered),
            "shortest": len(ordered),
        }[pick]
        return first, ordered, match

    return {min(found, key=rank) for found in by_end.values()}


def _sorted(match: Assignment, events: Mapping[Identity, Event]) -> list[Any]:
    return sorted(sort_key(events[i]) for _, group in match for i in group)
