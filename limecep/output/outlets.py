"""Outlets: a sink with what it is sent, and how much of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.output.render import Renderer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.sink import Sink
    from limecep.model.update import Update
    from limecep.output.record import Record
    from limecep.output.render import Events


class UpdateOutlet:
    """A sink that takes the updates of some patterns, or of all."""

    def __init__(self, name: str, sink: Sink, events: Events, patterns: Sequence[str]) -> None:
        self.name = name
        self.sink = sink
        self._renderer = Renderer(events)
        self._patterns = frozenset(patterns)

    @property
    def writes(self) -> bool:
        """Whether updates have to be made for it at all."""
        return not self.sink.counts_only

    def send(self, updates: Sequence[Update]) -> None:
        """Renders and sends what it takes."""
        if self.writes:
            render, wanted = self._renderer.render, self._patterns
            self.sink.send([render(u) for u in updates if not wanted or u.pattern in wanted])


class LateOutlet:
    """A sink of the late output."""

    def __init__(self, name: str, sink: Sink) -> None:
        self.name = name
        self.sink = sink

    def send(self, records: Sequence[Record]) -> None:
        """Sends the records."""
        if not self.sink.counts_only:
            self.sink.send(records)
