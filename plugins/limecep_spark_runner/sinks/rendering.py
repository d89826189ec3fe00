"""In the workers: updates and late records to rows for sinks."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from limecep.embedding.pipelines import Plain, Renderer, encode
from limecep_spark_runner.work import COUNTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from limecep.embedding.pipelines import SinkConfig
    from limecep.model.update import Update
    from limecep.output.record import Record
    from limecep_spark_runner.work import Output, Work

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
            (o.sink, frozenset(s.patterns), Renderer(o.events, delay=o.delay).render, _former(o, s, work))
            for o, s in made
            if s.of == "updates"
        ]
        self._late = [(o.sink, _former(o, s, work)) for o, s in made if s.of == "late"]
        self._made: Counter[int] = Counter()

    def updates(self, updates: Sequence[Update]) -> Iterator[tuple[int, str]]:
        """Rows of updates, for each sink that takes them."""
        for sink, patterns, render, formed in self._updates:
            for update in updates:
                if not patterns or update.pattern in patterns:
                    value = formed(render(update))
                    if value is not None:
                        self._made[sink] += 1
                        yield sink, value

    def late(self, records: Sequence[Record]) -> Iterator[tuple[int, str]]:
        """Rows of the late output."""
        for sink, formed in self._late:
            for record in records:
                value = formed(record)
                if value is not None:
                    self._made[sink] += 1
                    yield sink, value

    def counts(self, counts: dict[str, Any]) -> Iterator[tuple[int, str]]:
        """A row with what was counted, and how many rows were made since the last one."""
        counts = {what: values for what, values in {**counts, "sinks": self._made}.items() if values}
        if counts:
            yield COUNTS, encode(counts).decode()
        self._made.clear()


def _former(output: Output, sink: SinkConfig, work: Work) -> Callable[[Record], str | None]:
    """What makes of a record what is sent; None for nothing."""
    formed, through = _formed(output, sink, work), work.assembly().sinks.through(sink)
    if through is None:
        return formed

    def changed(record: Record) -> str | None:
        made = through.one(record)
        return None if made is None else formed(made)

    return changed


def _formed(output: Output, sink: SinkConfig, work: Work) -> Callable[[Record], str | None]:
    """What makes of a record that goes out what is sent; None for nothing."""
    encoder = Plain() if output.form == "record" else work.assembly().sinks.encoder(sink)
    if output.form != "message":
        return lambda record: encoder.encode(record).decode()
    from limecep_kafka.records import Outgoings

    outgoing = Outgoings(sink.channel, sink.settings, encoder).of

    def formed(record: Record) -> str | None:
        message = outgoing(record)
        if message is None:
            return None
        headers = [{"key": name, "value": value.decode()} for name, value in message.headers]
        texts = {name: v and v.decode() for name, v in (("key", message.key), ("value", message.value))}
        return encode({"topic": message.topic, **texts, "headers": headers}).decode()

    return formed
