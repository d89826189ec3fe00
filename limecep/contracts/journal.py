"""Journals give back events that memory no longer holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.model.event import Event


class Journal(Protocol):
    """A durable record of the events that entered a pipeline."""

    @property
    def begins(self) -> int:
        """The `t_gen`, in microseconds, from which on all events are there that came before the batch that is
        being taken in."""

    def events(self, t_from: int, t_to: int) -> Sequence[Event]:
        """The events with `t_gen` in a range, in microseconds and both ends included, in the order in which
        they entered, as objects of their own. The range begins no earlier than `begins`."""
