"""Sweeping: a pattern that is new to a state is fed what the journal has, in order of event time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.model.event import sort_key
from limecep.model.time import FOREVER
from limecep.state import segments as journal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from limecep.contracts.state import StateStore
    from limecep.detection.detection import Detection
    from limecep.model.event import Event

#: About how many events are had at a time.
SLICE_EVENTS = 10_000


def sweep(
    detection: Detection,
    store: StateStore,
    span: tuple[int, int],
    passed: int,
    refused: Callable[[Sequence[int]], bool],
    look: Callable[[], None],
) -> int:
    """Feeds a detection of one pattern, to which nothing has happened yet, what a journal has. Events keep
    the ordinals that they have there, and what the detection writes down names them by these.

    Args:
        detection: The detection.
        store: The state store with the journal.
        span: The range of `t_gen` of the events, both ends included.
        passed: How far event time has come for the pattern, in microseconds.
        refused: Whether the pattern is of the groups with these numbers.
        look: Raises `Stopped` where the run has to end.

    Returns:
        How many events it was fed.
    """
    fed = 0
    for events, until in _slices(store, span, detection.detectors[0].plan.within, refused):
        look()
        for event in events:
            detection.store.go_to(event.ordinal)
            detection.feed([event])
        fed += len(events)
        if until <= passed:
            detection.advance(until)
    # As when a run ends: what waits for slack is told, as what has been found of the past.
    detection.settle()
    return fed


def _slices(
    store: StateStore, span: tuple[int, int], step: int, refused: Callable[[Sequence[int]], bool]
) -> Iterator[tuple[list[Event], int]]:
    """The events of a range, in order, some at a time, each time with the time before which all have come."""
    low, high = span
    step = max(1, step)
    while low <= high:
        until = min(low + step, high + 1)
        found = []
        for events, refusing in journal.read(store.segments(low, until - 1)):
            found += [
                event
                for event in events
                if low <= event.t_gen < until
                and not (event.ordinal in refusing and refused(refusing[event.ordinal]))
            ]
        yield sorted(found, key=sort_key), until - 1
        low = until
        step = min(max(1, step * SLICE_EVENTS // max(1, len(found))), 4 * step, FOREVER)
