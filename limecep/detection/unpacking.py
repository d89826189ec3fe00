"""Unpacking: packed events as a past gives them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from operator import attrgetter
from typing import TYPE_CHECKING

from limecep.detection.past import Unavailable
from limecep.detection.spans import Spans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.detection.past import Past
    from limecep.detection.segment import Segment
    from limecep.detection.spans import Span
    from limecep.model.event import Event

_ordinal = attrgetter("ordinal")


def fetch(
    past: Past | None,
    begins: int,
    segments: Sequence[Segment],
    firsts: Sequence[int],
    needed: Span,
    others: Sequence[Span],
    room: int,
    batch: Sequence[Event],
    at: int,
) -> tuple[Spans, list[Event]]:
    """As of `Past`, from packed events, and from another past what is older.

    Args:
        past: Where what is older may be had from; None if nowhere.
        begins: The `t_gen` from which on events are packed.
        segments: They, in order of time.
        firsts: The least `t_gen` of each segment.
        needed, others, room, batch, at: As of `Past`.

    Raises:
        Unavailable: What is older cannot be had.
    """
    older: list[Event] = []
    spans: list[Span] = []
    if needed[0] < begins:
        if past is None:
            raise Unavailable("nothing can be read again")
        reach = min(needed[1], begins - 1)
        more = [(low, min(high, begins - 1)) for low, high in others if low < begins]
        read, older = past.fetch((needed[0], reach), more, room, batch, at)
        spans += read
    wanted = [needed, *[s for s in others if s[0] >= begins]]
    while len(wanted) > 1 and _within(Spans(wanted), segments, firsts) > room - len(older):
        wanted = wanted[: len(wanted) // 2]
    own = Spans([(max(low, begins), high) for low, high in wanted])
    return Spans([*spans, *own]), older + events_of(own, segments, firsts)


def events_of(spans: Spans, segments: Sequence[Segment], firsts: Sequence[int]) -> list[Event]:
    """The packed events of some ranges, in the order in which they came."""
    found = {}
    for span in spans:
        for n in range(*_places(span, firsts)):
            if n not in found:
                found[n] = [e for e in segments[n].events() if e.t_gen in spans]
    return sorted((e for events in found.values() for e in events), key=_ordinal)


def _within(spans: Spans, segments: Sequence[Segment], firsts: Sequence[int]) -> int:
    """How many events there are in some ranges, or a few more."""
    numbers = {n for span in spans for n in range(*_places(span, firsts))}
    return sum(segments[n].count for n in numbers)


def _places(span: Span, firsts: Sequence[int]) -> tuple[int, int]:
    """Which segments may have events of a range."""
    low, high = span
    return max(0, bisect_left(firsts, low) - 1), bisect_right(firsts, high)
