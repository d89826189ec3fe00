"""Events as they arrived, for reading them again."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from limecep.model.event import Event

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.detection.spans import Spans

#: An event with the latest arrival time up to it.
Arrived = tuple[int, Event]


def within(spans: Spans, arrived: Sequence[Arrived]) -> list[Arrived]:
    """Those that happened in some ranges."""
    lows, highs = spans.lows, spans.highs
    return [a for a in arrived if (i := bisect_right(lows, a[1].t_gen)) and a[1].t_gen <= highs[i - 1]]
