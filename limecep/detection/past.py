"""The past: events that left memory, where something outside of detection still has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.detection.spans import Span, Spans
    from limecep.model.event import Event


class Unavailable(Exception):
    """Events cannot be had again, and why, in words for the user."""


class Past(Protocol):
    """Gives back events that left memory."""

    @property
    def possible(self) -> bool:
        """Whether there was anything to read from when this was first asked."""

    def fetch(
        self, needed: Span, others: Sequence[Span], room: int, batch: Sequence[Event], at: int
    ) -> tuple[Spans, list[Event]]:
        """The events of some ranges.

        Args:
            needed: The range that must be had.
            others: Ranges that are had with it, the first ones as far as there is room.
            room: How many events there is room for.
            batch: What is being taken in.
            at: The place in it from which on nothing has come yet. That is left out, an earlier copy is not.

        Returns:
            The ranges; all events in them, those of a source in the order in which they came.

        Raises:
            Unavailable: They cannot be had.
        """
