"""Patterns that begin while others go on: what finds the matches of one, of the time before it was there."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from limecep.clock import ManualClock
from limecep.detection.event_time import SourceTraits
from limecep.model.time import FOREVER

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.config.model import PatternConfig
    from limecep.contracts.tables import Tables
    from limecep.detection.detection import Detection
    from limecep.model.update import Update
    from limecep.output.delivery import Delivery
    from limecep.runtime.assembly import Assembly


class Beginning:
    """Makes the detection of one pattern alone.

    Args:
        assembly: Makes its components.
        delivery: Takes what it finds, as backfill.
    """

    def __init__(self, assembly: Assembly, delivery: Delivery) -> None:
        self._assembly = assembly
        self._delivery = delivery

    def __call__(self, pattern: PatternConfig, tables: Tables) -> Detection:
        """That of a pattern, with its tables."""
        deliver: Callable[[Update], None] = _left_out
        if pattern.announce and self._delivery.wants_updates:
            deliver = partial(self._found, pattern.begins if isinstance(pattern.begins, int) else -FOREVER)
        traits = self._assembly.traits()
        return self._assembly.detection(
            deliver,
            # What is known of a source when all its events have come, and stand in the order of their times.
            sources={name: SourceTraits(types=known.types) for name, known in traits.items()},
            tables=tables,
            alone=pattern,
            # What it finds is found now, whenever its events came.
            clock=ManualClock(self._assembly.clock.now()),
        )

    def _found(self, begins: int, update: Update) -> None:
        if update.match.end.t_gen >= begins:
            self._delivery.update(replace(update, backfill=True))


def _left_out(update: Update) -> None:
    """What is not announced is known all the same."""
