"""When the added events of an assignment happen."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import combinations_with_replacement, groupby, islice, pairwise
from typing import TYPE_CHECKING, NamedTuple

from limecep.model.event import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from limecep_why_not.candidates import Draft, Region, Slot

#: So many gaps are tried for the added events between two others, and so many choices of them.
MOST_GAPS = 24
MOST_CHOICES = 1000

#: Times are told in the coarsest of these that fits, in microseconds.
_UNITS = (60_000_000, 1_000_000, 100_000, 1_000, 1)


class Gap(NamedTuple):
    """The time between two instants, neither included."""

    after: int
    before: int


class Placed(NamedTuple):
    """An assignment all of whose events are known.

    Attributes:
        groups: The events of each step.
        added: Where added events may happen, by step and number.
    """

    groups: tuple[tuple[Event, ...], ...]
    added: dict[tuple[int, int], Gap]


class _Run(NamedTuple):
    """Added events that follow each other: their places in the assignment, and the events around them."""

    places: tuple[int, ...]
    before: Event | None
    behind: Event | None


def placements(
    draft: Draft, cuts: Sequence[int], region: Region, make: Callable[[Slot, int], Event]
) -> Iterator[Placed]:
    """The assignment with its added events at times that may make a difference.

    Args:
        draft: The assignment.
        cuts: Sorted times of events before or after which an added event may make a difference.
        region: What is near.
        make: Makes an added event of a time.
    """
    items = [(k, n, e) for k, group in enumerate(draft.groups) for n, e in enumerate(group)]
    if not draft.added:
        yield Placed(draft.groups, {})  # type: ignore[arg-type]
        return
    there = [e for _, _, e in items if isinstance(e, Event)]
    runs = []
    for missing, of in groupby(range(len(items)), key=lambda n: not isinstance(items[n][2], Event)):
        if missing:
            places = tuple(of)
            before = items[places[0] - 1][2] if places[0] else None
            behind = items[places[-1] + 1][2] if places[-1] + 1 < len(items) else None
            runs.append(_Run(places, before, behind))  # type: ignore[arg-type]
    if draft.widened and not all(r.before and r.behind for r in runs):
        # It would be longer still.
        return
    # Those at the end first: the start may lie a window before them.
    for times in islice(_times(runs[::-1], there[0], there[-1], cuts, region), MOST_CHOICES):
        added = {items[place][:2]: gap for place, (_, gap) in times.items()}
        yield Placed(_filled(items, {p: t for p, (t, _) in times.items()}, len(draft.groups), make), added)


def _times(
    runs: Sequence[_Run],
    first: Event,
    last: Event,
    cuts: Sequence[int],
    region: Region,
    end: int | None = None,
) -> Iterator[dict[int, tuple[int, Gap]]]:
    if not runs:
        yield {}
        return
    run, *rest = runs
    whole = _whole(run, first, last, region, last.t_gen if end is None else end)
    for chosen in combinations_with_replacement(_gaps(whole, cuts, region.time), len(run.places)):
        times: dict[int, tuple[int, Gap]] = {}
        places = iter(run.places)
        for gap, same in groupby(chosen):
            of_gap = list(islice(places, len(list(same))))
            for n, place in enumerate(of_gap, start=1):
                times[place] = (_moment(gap, n, len(of_gap)), gap)
        if len({t for t, _ in times.values()}) < len(times):
            continue
        latest = times[run.places[-1]][0] if run.behind is None else end
        for others in _times(rest, first, last, cuts, region, latest):
            yield times | others


def _whole(run: _Run, first: Event, last: Event, region: Region, end: int) -> Gap:
    """When the events of a run may happen."""
    if run.before is not None and run.behind is not None:
        return Gap(run.before.t_gen, run.behind.t_gen)
    if run.behind is not None:
        return Gap(end - region.within - 1, min(first.t_gen, region.time + region.radius + 1))
    return Gap(max(last.t_gen, region.time - region.radius - 1), first.t_gen + region.within + 1)


def _gaps(whole: Gap, cuts: Sequence[int], time: int) -> list[Gap]:
    """The gaps between what may make a difference, in order."""
    between = cuts[bisect_right(cuts, whole.after) : bisect_left(cuts, whole.before)]
    points = [whole.after, *dict.fromkeys(between), whole.before]
    gaps = [Gap(a, b) for a, b in pairwise(points) if b - a > 1]
    if len(gaps) <= MOST_GAPS:
        return gaps
    # Those at both ends, and those nearest the time.
    few = MOST_GAPS // 3
    near = sorted(gaps[few:-few], key=lambda g: max(g.after - time, time - g.before, 0))[:few]
    return [*gaps[:few], *sorted(near), *gaps[-few:]]


def _moment(gap: Gap, number: int, of: int) -> int:
    """The time of the nth of some events in a gap."""
    middle = gap.after + (gap.before - gap.after) * number // (of + 1)
    for unit in _UNITS if of == 1 else ():
        coarse = middle // unit * unit
        if coarse > gap.after:
            return coarse
    return middle


def _filled(
    items: Sequence[tuple[int, int, Event | Slot]],
    times: dict[int, int],
    steps: int,
    make: Callable[[Slot, int], Event],
) -> tuple[tuple[Event, ...], ...]:
    groups: list[list[Event]] = [[] for _ in range(steps)]
    for place, (k, _, item) in enumerate(items):
        groups[k].append(item if isinstance(item, Event) else make(item, times[place]))
    return tuple(map(tuple, groups))
