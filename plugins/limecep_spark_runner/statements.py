"""Statements: which sources revise their events, and versions where these have no field for them.

Without a version it counts what came last. Each task reads a part of the input, and knows nothing of the
others, so statements are numbered where they come together: at their key, in the order of arrival.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.embedding.pipelines import SourceTraits
from limecep.model.event import Statement

if TYPE_CHECKING:
    from collections.abc import Iterable

    from limecep.embedding.pipelines import PipelineConfig
    from limecep.model.event import Event


def revising(config: PipelineConfig) -> dict[str, SourceTraits]:
    """What detection has to know of the sources that revise events. None of them holds time back."""
    return {s.name: SourceTraits(revises=True) for s in config.sources if s.revise is not None}


def unversioned(config: PipelineConfig) -> frozenset[str]:
    """The names of the sources that revise events and name no version."""
    return frozenset(s.name for s in config.sources if s.revise is not None and s.revise.version is None)


class Versions:
    """Numbers statements.

    Args:
        sources: Those that name no version.
        said: How many statements were numbered before.

    Attributes:
        said: How many were numbered.
    """

    def __init__(self, sources: frozenset[str], said: int = 0) -> None:
        self._sources = sources
        self.said = said

    def number(self, events: Iterable[Event]) -> None:
        """Gives the next statements their versions."""
        if not self._sources:
            return
        for event in events:
            if event.source in self._sources and isinstance(event, Statement):
                self.said += 1
                event.version = self.said
