"""Samples of the sources that end by themselves, read before a pipeline runs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from limecep.clock import ManualClock
from limecep.config.advice import event_types
from limecep.diagnosis.fields import absent_from
from limecep.diagnosis.sample import Sample
from limecep.errors import RunFailure
from limecep.model.event import sort_key
from limecep.runtime.assembly import Assembly

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limecep.config.model import PipelineConfig
    from limecep.contracts.source import Message, Source
    from limecep.intake.reader import Reader
    from limecep.registry import Registry

#: How many messages are asked for at a time, and how long they are waited for, in seconds.
_BATCH_MESSAGES = 1024
_POLL_SECONDS = 0.1
#: How often nothing may come before a source is given up, and how few records of each file are read.
_TRIES = 50
_LEAST = 10


def samples(config: PipelineConfig, registry: Registry, count: int, logger: Any) -> Iterator[Sample]:
    """A sample of each source, in the order of the pipeline.

    Args:
        config: The pipeline.
        registry: The components there are.
        count: How many records are read of each source; of several files some of each.
        logger: Takes what the sources have to say.

    Raises:
        ComponentFailure: A component raises what it should not.
    """
    named = {t for p in config.patterns for t in event_types(p.pattern)}
    # The check has told already which tables cannot be read, and nothing is looked up here.
    assembly = Assembly(replace(config, tables=()), registry, ManualClock(), logger)
    for source, feed in zip(config.sources, assembly.feeds(), strict=True):
        sample = Sample(source=source)
        if source.live:
            sample.unread = "it is live"
        elif source.channel == "-":
            sample.unread = "standard input can be read once"
        else:
            try:
                feed.open()
                first = _read(sample, [part.source for part in feed.parts], feed.reader, count)
                if any(absent_from(source, sample.of(named), sample.unconverted)):
                    sample.fields = _fields(assembly.reader(replace(source, payload=None, key=None)), first)
            except RunFailure as error:
                sample.failure = str(error)
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                assembly.blame(error)
            finally:
                feed.close()
        yield sample


def _fields(reader: Reader, messages: Sequence[Message]) -> list[str]:
    """What the records of messages have."""
    return sorted({name for event in reader.read(messages).events for name in event.payload})


def _read(sample: Sample, parts: list[Source], reader: Reader, count: int) -> Sequence[Message]:
    """Takes the sample; gives its first messages."""
    first: Sequence[Message] = ()
    share = max(_LEAST, -(-count // max(len(parts), 1)))
    for part in parts:
        if sample.read >= count:
            sample.whole = False
            return first
        if part.replay(0, -1) is None:
            sample.unread = "it can be read once"
            return first
        messages = _read_part(sample, part, reader, min(sample.read + share, count))
        first = first or messages
    if sample.whole:
        _take(sample, reader.finish())
    sample.events.sort(key=sort_key)
    sample.unconverted.update(reader.unconverted)
    sample.changes.update(reader.changes)
    return first


def _read_part(sample: Sample, part: Source, reader: Reader, until: int) -> Sequence[Message]:
    """Takes what one file gives; gives its first messages."""
    tries, first = 0, None
    while not part.ended and tries < _TRIES:
        if sample.read >= until:
            sample.whole = False
            break
        messages = part.poll(min(_BATCH_MESSAGES, until - sample.read), _POLL_SECONDS)
        tries = 0 if messages else tries + 1
        first = first or messages
        _take(sample, reader.read(messages))
    return first or ()


def _take(sample: Sample, batch: Any) -> None:
    sample.events += batch.events
    sample.invalid += len(batch.invalid)
    if batch.invalid and sample.first is None:
        sample.first = batch.invalid[0]
