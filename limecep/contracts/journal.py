"""Journals give back events that memory no longer holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.model.event import Event


class Journal(Protocol):
    """A durable record of the events that entered a pipeline."""

    def events(self, t_from: int, t_to: int) -> Sequence[Event] | None:
        """The events with `t_gen` in a range, in microseconds and both ends included, in the order in which
        they entered, as objects of their own; None if not all of them are there any more. Asked while a batch
        is taken in: what came before the batch must be there."""
