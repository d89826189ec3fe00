"""Which keys an event belongs to: patterns with one PARTITION BY are run together, once for each key.
Keys are in buckets."""

from __future__ import annotations

import json
import zlib
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from limecep.embedding.pipelines import compile_partition, event_types
from limecep.errors import RunFailure
from limecep_spark_runner.key_of_id import KeyOfId, key_of_id, spelled

if TYPE_CHECKING:
    from limecep.embedding.pipelines import PatternConfig, PipelineConfig, SourceConfig
    from limecep.model.event import Event


#: How many keys are remembered with their texts.
_TEXTS_KEPT = 100_000


class Group:
    """The patterns of a pipeline that have one way of partitioning.

    All that a source says of an event has to come to one place, so where events are revised the id tells the
    key. Where it does not, all events come to one place. A detection for several keys keeps them apart.

    Args:
        number: The group's.
        config: The pipeline with these patterns only.

    Attributes:
        types: The event types that concern it; None: all, for strict contiguity minds every event.
        undivided: A source that revises events whose ids do not tell the key, so that no key is by itself;
            None where there is none.
    """

    def __init__(self, number: int, config: PipelineConfig) -> None:
        self.number = number
        self.config = config
        patterns = [p.pattern for p in config.patterns]
        self.types: frozenset[str] | None = frozenset(t for p in patterns for t in event_types(p))
        if any(p.select == "sc" for p in config.patterns):
            self.types = None
        self._paths = patterns[0].partition
        self.undivided: SourceConfig | None = None
        #: What tells the key of events that are revised, by the names of their sources.
        self._told: dict[str, KeyOfId] = {}
        for source in config.sources:
            if source.revise is not None and self._brings(source):
                if (told := key_of_id(source, self._paths)) is None:
                    self.undivided, self._paths, self._told = source, (), {}
                    break
                self._told[source.name] = told
        self._key = compile_partition(self._paths)
        self._text = lru_cache(_TEXTS_KEPT)(self._text_of)

    def key(self, event: Event) -> str | None:
        """The key of an event as text, the same for what `=` calls equal; None if it does not concern the
        group.

        Raises:
            RunFailure: The id of an event that is revised has another key than the event.
        """
        if self.types is not None and event.type not in self.types:
            return None
        key = self._key(event)
        told = self._told.get(event.source)
        if told is None:
            return None if key is None else self._text(key)
        text = self._text(told.of(event.id))
        if key is not None and self._text(key) != text:
            names = ", ".join(map(".".join, self._paths))
            raise RunFailure(
                f"source '{event.source}' revises events by their id, and '{event.id}' does not tell the key "
                f"of the event ({names}), which is {key!r}: leave these fields as they are in 'payload' and "
                "'format', or use the runner local"
            )
        return text

    def _brings(self, source: SourceConfig) -> bool:
        """Whether a source may have events that concern it."""
        if self.types is None or source.type_field is not None:
            return True
        return (source.event_type or source.name) in self.types

    def _text_of(self, key: Any) -> str:
        parts = (key,) if len(self._paths) == 1 else key
        if self._told:
            parts = [spelled(part) for part in parts]
        return f"{self.number}:{json.dumps(parts, separators=(',', ':'))}"


def groups(config: PipelineConfig) -> list[Group]:
    """The groups of a pipeline, in the order of their first patterns."""
    by_paths: dict[tuple[tuple[str, ...], ...], list[PatternConfig]] = {}
    for pattern in config.patterns:
        by_paths.setdefault(pattern.pattern.partition, []).append(pattern)
    return [
        Group(number, replace(config, patterns=tuple(patterns)))
        for number, patterns in enumerate(by_paths.values())
    ]


def group_of(key: str) -> int:
    """The number of the group that gave a key."""
    return int(key.partition(":")[0])


@lru_cache(_TEXTS_KEPT)
def bucket_of(key: str, buckets: int) -> int:
    """The bucket of a key, the same in all workers and runs."""
    return zlib.crc32(key.encode()) % buckets
