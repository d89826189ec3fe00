"""In the workers: updates and late records to rows for sinks."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.output.plain import Plain
from limecep.output.render import Renderer
from limecep.state.writing import encode
from limecep_spark.work import COUNTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limecep.config.model import SinkConfig
    from limecep.contracts.codec import Encoder
    from limecep.model.update import Update
    from limecep.output.record import Record
    from limecep_spark.work import Output, Work

#: What goes out: the sink's place in the pipeline, and a message or a record for it.
RENDERED = "sink int, value string"


class Rendering:
    """Makes what sinks are sent, and counts it.

    Args:
        work: The pipeline.
    """

    def __init__(self, work: Work) -> None:
        sinks = work.config.sinks
        made = [(output, sinks[output.sink]) for output in work.outputs]
        self._updates = [
            (o.sink, frozenset(s.patterns), Renderer(o.events, delay=o.delay), _encoder(o, s, work))
            for o, s in made
            if s.of == "updates"
        ]
        self._late = [(o.sink, _encoder(o, s, work)) for o, s in made if s.of == "late"]
        self._made: Counter[int] = Counter()

    def updates(self, updates: Sequence[Update]) -> Iterator[tuple[int, str]]:
        """Rows of updates, for each sink that takes them."""
        for sink, patterns, renderer, encoder in self._updates:
            for update in updates:
                if not patterns or update.pattern in patterns:
                    self._made[sink] += 1
                    yield sink, encoder.encode(renderer.render(update)).decode()

    def late(self, records: Sequence[Record]) -> Iterator[tuple[int, str]]:
        """Rows of the late output."""
        for sink, encoder in self._late:
            for record in records:
                self._made[sink] += 1
                yield sink, encoder.encode(record).decode()

    def counts(self, counts: dict[str, Any]) -> Iterator[tuple[int, str]]:
        """A row with what was counted, and how many rows were made since the last one."""
        counts = {what: values for what, values in {**counts, "sinks": self._made}.items() if values}
        if counts:
            yield COUNTS, encode(counts).decode()
        self._made.clear()


def _encoder(output: Output, sink: SinkConfig, work: Work) -> Encoder:
    if not output.encoded or sink.envelope is None:
        return Plain()
    context = Context(
        label=f"sinks.{sink.name}",
        clock=ManualClock(),
        counters=Counter(),
        logger=work.logger,
        root=work.config.root,
        pipeline=work.config.name,
    )
    encoder: Encoder = work.registry.make(sink.envelope.spec, sink.envelope.options, context)
    return encoder
