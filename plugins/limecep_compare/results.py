"""The results of a pipeline over recordings: what stands in the end, of each pattern."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from limecep.clock import ManualClock
from limecep.embedding.pipelines import Assembly, Renderer
from limecep.embedding.recordings import recorded
from limecep.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limecep.embedding.pipelines import PipelineConfig, Registry


@dataclass(slots=True)
class Results:
    """What a pipeline has found.

    Attributes:
        matches: The records of the matches that stand, with the ids of their events, by pattern and `match`.
        events: How many events were read.
        invalid: How many records gave none.
    """

    matches: Mapping[str, dict[str, dict[str, Any]]]
    events: int = field(default=0)
    invalid: int = field(default=0)


def results(config: PipelineConfig, registry: Registry, logger: Any) -> Results:
    """Run a pipeline over its recordings, to their end.

    Args:
        config: The pipeline. It keeps no state, and its sinks are sent nothing.
        registry: The components there are.
        logger: The logger.

    Raises:
        ConfigurationError: One of its sources is live.
        RunFailure: A recording cannot be read.
    """
    live = [s.name for s in config.sources if s.live]
    if live or not config.sources:
        names = ", ".join(live) or "none"
        raise ConfigurationError(
            f"limecep: '{config.name}' has sources that never end ({names}): give a recording for each, with "
            "--data SOURCE=FILE"
        )
    found = Results({p.name: {} for p in config.patterns})
    renderer = Renderer("ids")

    def take(update: Any) -> None:
        standing = found.matches[update.pattern]
        record = renderer.render(update)
        if update.op == "retract":
            del standing[record["match"]]
        elif update.op != "final":
            standing[record["match"]] = record

    assembly = Assembly(replace(config, state=None), registry, ManualClock(), logger)
    feeds = assembly.feeds()
    detection = assembly.detection(
        take, sources=assembly.traits(), awaits_sources=True, past=assembly.retrieval(feeds, None)
    )
    for came in recorded(feeds):
        found.events += len(came.fed.events)
        found.invalid += len(came.fed.invalid)
        detection.feed(came.fed.events)
        for name in came.ended:
            detection.ended(name)
    detection.finish()
    return found
