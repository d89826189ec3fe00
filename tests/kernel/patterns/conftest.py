"""Detection of one pattern, event by event, that may stop and go on from what it kept."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
import structlog

from limecep.clock import ManualClock
from limecep.config.loader import load_dict
from limecep.runtime.assembly import Assembly
from limecep.state.book import Book, Numbers
from limecep.state.checkpoint import Checkpoint
from limecep.state.json_values import decode, encode
from limecep.testing.streams import SECOND, written

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.config.model import PipelineConfig
    from limecep.contracts.state import Row
    from limecep.model.update import Update
    from limecep.patterns.detector import Refusal
    from limecep.registry import Registry


class Life:
    """From a start to a stop.

    Attributes:
        detection: What does it.
        manager: The event manager.
        updates: All that was said.
        refused: What the pattern did not see.
    """

    def __init__(self, config: PipelineConfig, registry: Registry, before: Life | None = None) -> None:
        self._config, self._registry = config, registry
        self._told: list[str] = []
        self.updates: list[Update] = []
        self._segments: list[bytes] = []
        self._rows: dict[int, Row] = {}
        self._clock = ManualClock()
        self._book = Book(Numbers())
        self.refused: list[Refusal] = []
        self.detection = Assembly(config, registry, self._clock, structlog.get_logger()).detection(
            self._deliver, self.refused.append, tables=self._book
        )
        self._checkpoint = Checkpoint(self.detection, self._book)
        self.manager: Any = self.detection.managers[0]
        if before is not None:
            self._clock.advance(before._clock.now())
            self._segments += before._segments
            before.keep()
            known = decode(encode(before._checkpoint.snapshot()))
            self._checkpoint.restore(known, before._rows.values(), self._segments)

    def feed(self, text: str) -> list[str]:
        """Takes in events one by one, such as `b3@7`: a B at 3 s that arrives at 7 s. Without `@` it arrives
        as it happens, or with the one before. Gives what is said, as `told` does."""
        for word in text.split():
            what, _, at = word.partition("@")
            [event] = written(what)
            event.t_arr = max(self._clock.now(), int(float(at) * SECOND) if at else event.t_gen)
            self._clock.advance(event.t_arr)
            self.detection.feed([event])
            self._segments += [segment for _, _, segment in self._checkpoint.segments([event])]
        return self.told()

    def finish(self) -> list[str]:
        """The input is over."""
        self.detection.finish()
        return self.told()

    def told(self) -> list[str]:
        """What was said since this was asked the last time: `emit! a1 b3` where nothing can change it."""
        told, self._told = self._told, []
        return told

    def decide(self, **policies: Any) -> None:
        """Other policies from now on."""
        self.manager._policies = replace(self.manager._policies, **policies)

    def keep(self) -> None:
        """Writes down what has changed."""
        put, deleted = self._book.changes()
        self._rows.update((row.number, row) for row in put)
        for number in deleted:
            del self._rows[number]

    def restarted(self) -> Life:
        """What goes on from this one's state, once."""
        return Life(self._config, self._registry, self)

    def _deliver(self, update: Update) -> None:
        events = " ".join(e.id for group in update.match.groups for e in group)
        self._told.append(f"{update.op}{'!' * update.final} {events}")
        self.updates.append(update)


@pytest.fixture
def begin(installed: Registry) -> Callable[..., Life]:
    """Starts a pattern: `begin("SEQ(A a, B b) WITHIN 5 s", slack=...)`."""

    def begin(query: str, **options: Any) -> Life:
        pattern = {"query": f"PATTERN {query}", "lateness": "accept", "slack": "none", **options}
        loaded = load_dict({"version": 1, "name": "n", "patterns": {"p": pattern}}, installed)
        assert loaded.config is not None, loaded.problems
        return Life(loaded.config, installed)

    return begin
