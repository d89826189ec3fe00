"""What the runner says of a pipeline with workers before anything runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.contracts.options import Emitting, MaybeBounded, TellingFinals
from limecep.embedding.pipelines import decides_across_keys, waits_for_time
from limecep.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep.embedding.pipelines import PatternConfig, PipelineConfig

#: Lateness policies whose horizon never goes back.
_FIXED = frozenset({"accept", "bound"})

Found = tuple[tuple[str, ...], Problem]


def vetted(config: PipelineConfig, workers: int) -> Iterator[Found]:
    """What of a pipeline workers cannot do, or do otherwise, each with where it stands."""
    yield from _unsent(config)
    waiting = _waiting(config)
    for source in config.sources:
        if waiting and source.idle_after is not None:
            # A worker notes how far time has come when one of its own keys asks: it must not go back.
            yield _error(
                "sources",
                source.name,
                "idle_after",
                message=f"workers cannot agree how far time has come for pattern '{waiting}': source "
                f"'{source.name}' may be idle, and hold time back when it returns",
                hint="set idle_after: off, or run with workers: 1",
            )
    for pattern in config.patterns:
        if pattern.derives is not None:
            yield _error(
                "patterns",
                pattern.name,
                "derive",
                message=f"workers have no event in common that only one of them knows: pattern "
                f"'{pattern.name}' derives '{pattern.derives.type}'",
                hint="run with workers: 1",
            )
        yield from _pattern(pattern)
    if any(_is_unbounded(p) for p in config.patterns):
        kept = "memory" if config.state is None else "memory and the journal of the state"
        more = "raise 'retention', or keep 'state'" if config.state is None else "raise 'keep' of the state"
        yield _warning(
            "runner",
            "workers",
            message="workers read no source again: a late event that needs older events than those in "
            f"{kept} goes to the late output as 'evicted'",
            hint=f"bound the lateness, as in lateness: {{type: bound, within: 10m}}, {more}",
        )


def _unsent(config: PipelineConfig) -> Iterator[Found]:
    """Components that no other process can import."""
    for pattern in config.patterns:
        for component in (
            pattern.engine,
            pattern.lateness,
            pattern.slack,
            pattern.recompute,
            pattern.results,
            *pattern.functions,
        ):
            module, name = component.spec.made_by
            if module == "__main__" or "<locals>" in name:
                yield _error(
                    "patterns",
                    pattern.name,
                    "query" if component.spec.kind == "function" else component.spec.kind,
                    message=f"workers cannot import '{name}' of {module}",
                    hint="write it into a file of its own, and name that in 'plugins'",
                )


def _waiting(config: PipelineConfig) -> str | None:
    """The first pattern that waits for event time over several sources; None if there is none."""
    if len(config.sources) < 2:
        # Nothing holds back the time of the only one.
        return None
    return next((p.name for p in config.patterns if p.pattern.partition and _waits(p, config)), None)


def _waits(pattern: PatternConfig, config: PipelineConfig) -> bool:
    return _tells_finals(pattern) or waits_for_time(pattern, config) is not False


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
    if decides_across_keys(pattern):
        yield _error(
            *place,
            "results",
            message=f"workers divide the keys, and the result policy '{pattern.results.spec.name}' decides "
            "across them",
            hint="leave PARTITION BY out, or run with workers: 1",
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
