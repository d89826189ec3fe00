"""What the runner says of a pipeline with workers before anything runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.contracts.options import Emitting, MaybeBounded, TellingFinals
from limecep.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep.embedding.pipelines import PatternConfig, PipelineConfig

#: Lateness policies whose horizon never goes back.
_FIXED = frozenset({"accept", "bound"})

Found = tuple[tuple[str, ...], Problem]


def vetted(config: PipelineConfig, workers: int) -> Iterator[Found]:
    """What of a pipeline workers cannot do, or do otherwise, each with where it stands."""
    if config.state is not None:
        yield _error(
            "state",
            message=f"{workers} workers keep no state",
            hint="leave 'state' out, or run with workers: 1",
        )
    for source in config.sources:
        if source.live:
            yield _error(
                "sources",
                source.name,
                message=f"source '{source.name}' never ends by itself, and workers read recordings only",
                hint="run it with workers: 1, or with the runner spark",
            )
        elif source.idle_after is not None:
            # A worker notes how far time has come when one of its own keys asks: it must not go back.
            yield _error(
                "sources",
                source.name,
                "idle_after",
                message=f"workers cannot agree how far time has come: source '{source.name}' may be idle "
                "and hold it back when it returns",
                hint="leave 'idle_after' out, or run with workers: 1",
            )
    for pattern in config.patterns:
        yield from _pattern(pattern)
    if any(_is_unbounded(p) for p in config.patterns):
        yield _warning(
            "runner",
            "workers",
            message="workers read no source again: a late event that needs older events than memory holds "
            "goes to the late output as 'evicted'",
            hint="bound the lateness, as in lateness: {type: bound, within: 10m}, or raise 'retention'",
        )


def _pattern(pattern: PatternConfig) -> Iterator[Found]:
    place = ("patterns", pattern.name)
    if not pattern.pattern.partition:
        yield _warning(
            *place,
            message=f"pattern '{pattern.name}' has no PARTITION BY: the first worker detects all of it",
            hint="add PARTITION BY and the attribute that all events of a match agree on",
        )
    elif _tells_finals(pattern) and pattern.lateness.spec.name not in _FIXED:
        # A worker closes a time when one of its own keys asks: it must not open again.
        yield _error(
            *place,
            "lateness",
            message=f"workers cannot agree on what is final: the lateness policy "
            f"'{pattern.lateness.spec.name}' may move its horizon back",
            hint="use the lateness policy bound, or run with workers: 1",
        )


def _tells_finals(pattern: PatternConfig) -> bool:
    options = pattern.results.options
    announces = isinstance(options, TellingFinals) and options.final
    return announces or (isinstance(options, Emitting) and options.emit == "final")


def _is_unbounded(pattern: PatternConfig) -> bool:
    options = pattern.lateness.options
    return not (isinstance(options, MaybeBounded) and options.bounded)


def _error(*place: str, message: str, hint: str) -> Found:
    return place, Problem(code="not-with-workers", message=message, hint=hint)


def _warning(*place: str, message: str, hint: str) -> Found:
    return place, Problem(code="other-with-workers", message=message, hint=hint, severity="warning")
