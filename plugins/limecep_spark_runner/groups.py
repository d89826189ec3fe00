"""Which keys an event belongs to: patterns with one PARTITION BY are run together, once for each key.
Keys are in buckets."""

from __future__ import annotations

import json
import zlib
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from limecep.embedding.pipelines import compile_partition, event_types

if TYPE_CHECKING:
    from limecep.embedding.pipelines import PatternConfig, PipelineConfig
    from limecep.model.event import Event


#: How many keys are remembered with their texts.
_TEXTS_KEPT = 100_000


class Group:
    """The patterns of a pipeline that have one way of partitioning.

    Args:
        number: The group's.
        config: The pipeline with these patterns only.
    """

    def __init__(self, number: int, config: PipelineConfig) -> None:
        self.number = number
        self.config = config
        patterns = [p.pattern for p in config.patterns]
        self._paths = patterns[0].partition
        self._key = compile_partition(self._paths)
        self._text = lru_cache(_TEXTS_KEPT)(self._text_of)
        #: The event types that concern it; None: all, for strict contiguity minds every event.
        self.types: frozenset[str] | None = frozenset(t for p in patterns for t in event_types(p))
        if any(p.select == "sc" for p in config.patterns):
            self.types = None

    def key(self, event: Event) -> str | None:
        """The key of an event as text, the same for what `=` calls equal; None if it does not concern the
        group."""
        if self.types is not None and event.type not in self.types:
            return None
        key = self._key(event)
        return None if key is None else self._text(key)

    def _text_of(self, key: Any) -> str:
        parts = (key,) if len(self._paths) == 1 else key
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
