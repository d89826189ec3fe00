"""The late output of one detection: what it refuses of the events that it is fed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.embedding.pipelines import refused_record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.embedding.pipelines import Refusal
    from limecep.model.event import Event
    from limecep.output.record import Record


class Refusals:
    """Makes records of the late output.

    Attributes:
        records: What is to go out.
    """

    def __init__(self) -> None:
        self.records: list[Record] = []
        self._positions: dict[int, str] = {}

    def reading(self, events: Sequence[Event], positions: Sequence[str]) -> None:
        """Notes where the events that are fed next stood."""
        self._positions = {id(e): p for e, p in zip(events, positions, strict=True)}

    def take(self, refusal: Refusal) -> None:
        """Takes a refusal. The position of an event that was fed before is not known any more."""
        self.records.append(refused_record(refusal, self._positions.get(id(refusal.event), "")))
