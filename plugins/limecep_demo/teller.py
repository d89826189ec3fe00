"""Telling a demo step by step: what came in, and what was found."""

from __future__ import annotations

import textwrap
from collections import Counter
from typing import TYPE_CHECKING

import structlog

from limecep import Pipeline
from limecep.contracts.context import Context
from limecep.contracts.source import Message
from limecep.embedding.pipelines import Reader, Renderer
from limecep.model.walk import named
from limecep.output.rows import Rows
from limecep_demo.story import Chapter, line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from typing import Any

    from limecep.model.update import Update
    from limecep.registry import Registry
    from limecep_demo.story import Demo, Record

_INDENT = " " * 4


class Teller:
    """Tells one demo.

    Args:
        demo: The demo.
        file: Its pipeline, as `Demo.write` gave it.
        registry: The components there are.
        coloured: Whether to colour what was found.
        width: The longest row of what was found.

    Raises:
        ConfigurationError: A component that its pipeline needs is not there.
    """

    def __init__(
        self, demo: Demo, file: Path, registry: Registry, *, coloured: bool = False, width: int | None = None
    ) -> None:
        self._demo = demo
        # What is found is told here.
        self._pipeline = Pipeline.from_yaml(file, registry=registry, overrides=["sinks.out.type=none"])
        self._width = width
        patterns = self._pipeline.config.patterns
        self._rows = Rows({p.name: named(p.pattern.where) for p in patterns}, coloured=coloured)
        (source,) = self._pipeline.config.sources
        assert source.codec is not None
        context = Context(
            label="demo", clock=self._pipeline.clock, counters=Counter(), logger=structlog.get_logger()
        )
        codec = registry.make(source.codec.spec, source.codec.options, context)
        self._reader = Reader(source, codec, self._pipeline.clock)
        self._channel = source.channel

    def lines(self) -> Iterator[str]:
        """The story, line by line."""
        yield "What is looked for:"
        yield ""
        for pattern in self._pipeline.config.patterns:
            yield textwrap.indent(pattern.pattern.text.rstrip("\n"), _INDENT)
        yield ""
        yield self._demo.meaning
        chapter = Chapter(text="")
        number = unseen = 0
        for item in self._demo.story():
            if isinstance(item, Chapter):
                yield from self._unseen(unseen)
                chapter, unseen = item, 0
                number += 1
                yield ""
                yield f"{number}. {chapter.text}".replace("\n", "\n   ")
            else:
                unseen += not chapter.shown
                yield from self._happens(item, shown=chapter.shown)
        yield from self._unseen(unseen)
        yield from self._found(self._pipeline.finish())

    def report(self) -> dict[str, Any]:
        """The accounting of what was told."""
        return self._pipeline.report()

    def _happens(self, record: Record, *, shown: bool) -> Iterator[str]:
        """One record, and what it causes."""
        before = self._pipeline.outcomes()
        batch = self._reader.read([Message(line(record), self._channel, "")])
        updates = self._pipeline.feed(batch.events)
        after = self._pipeline.outcomes()
        outcome = next(name for name in after if name != "read" and after[name] > before.get(name, 0))
        if shown:
            yield f"{_INDENT}{_told(record, outcome)}"
        yield from self._found(updates)

    def _found(self, updates: Iterable[Update]) -> Iterator[str]:
        renderer = Renderer(delay=True)
        for update in updates:
            yield self._rows.row(renderer.render(update), self._width)

    def _unseen(self, count: int) -> Iterator[str]:
        if count:
            yield f"{_INDENT}{count:,} events"


def _told(record: Record, outcome: str) -> str:
    attributes = "  ".join(f"{k} {v}" for k, v in record.items() if k not in ("type", "id", "time"))
    clock = record["time"].partition("T")[2].rstrip("Z")
    text = f"{clock:10}  {record['id']:5}  {record['type']:11}  {attributes}"
    return text if outcome == "in_order" else f"{text:60}  {outcome.replace('_', ' ')}"
