"""Options of the runner, and what it says of a pipeline."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - options are read by their types
from dataclasses import dataclass
from typing import TYPE_CHECKING

from limecep import option
from limecep.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep.config.model import PatternConfig, PipelineConfig, SourceConfig

#: Lateness policies whose verdict follows from the event and from how far time has come, and from no figures.
_FIXED = frozenset({"accept", "bound"})

Found = tuple[tuple[str, ...], Problem]


@dataclass(frozen=True, slots=True, kw_only=True)
class SparkOptions:
    """Where Spark is, and how it is used."""

    checkpoint: str = option(
        help="The folder with what must survive a crash: how far the sources were read, and what is known of "
        "each key. Below the folder of the pipeline's file.",
        example="checkpoint",
    )
    master: str = option(
        "local[*]",
        help="Spark's master: local[N] for N cores of this machine, or spark://host:7077.",
        example="local[2]",
    )
    partitions: int = option(
        0,
        help="How many parts the keys are divided into; 0 is as many as there are cores. A checkpoint keeps "
        "the number that it began with.",
        example=8,
    )
    files_per_batch: int = option(
        0, help="How many files of a source are taken at a time; 0 is all there are.", example=10
    )
    live_bytes: int = option(
        512 * 2**20,
        help="How much memory each Python worker may take to keep keys between batches as they are, so that "
        "they need not be read from the state; 0 keeps none.",
        example=1_000_000_000,
    )
    conf: Mapping[str, str] = option(
        {}, help="Settings of Spark.", example={"spark.driver.memory": "2g", "spark.executor.memory": "4g"}
    )

    def __post_init__(self) -> None:
        for name in ("partitions", "files_per_batch", "live_bytes"):
            if getattr(self, name) < 0:
                raise ValueError(f"'{name}' must be at least 0")

    def vet(self, config: PipelineConfig) -> Iterator[Found]:
        """What of a pipeline Spark cannot do, or does otherwise (`limecep.contracts.runner.Vetting`)."""
        for source in config.sources:
            yield from _vet_source(source)
        for pattern in config.patterns:
            yield from _vet_pattern(pattern)
        if config.state is not None:
            yield _error("state", message="Spark keeps the state in its checkpoint", hint="leave 'state' out")


def _vet_source(source: SourceConfig) -> Iterator[Found]:
    place = ("sources", source.name)
    if source.connector.spec.name != "file":
        yield _error(
            *place,
            "type",
            message=f"the runner spark reads no sources of type '{source.connector.spec.name}'",
            hint="it reads files; others are read by the runner local",
        )
        return
    if source.live:
        yield _error(
            *place,
            "follow",
            message="the runner spark reads files that are complete, and follows none",
            hint="leave 'follow' out, or use the runner local",
        )
    if source.channel == "-":
        yield _error(
            *place, "channel", message="the runner spark does not read standard input", hint="name a file"
        )
    if "**" in source.channel:
        yield _error(
            *place,
            "channel",
            message="'**' means nothing to Spark",
            hint="write a level of folders for each *, as in data/*/*.csv",
        )
    if source.channel.rpartition("/")[2].startswith((".", "_")):
        yield _error(
            *place,
            "channel",
            message="Spark passes over files whose names begin with '.' or '_'",
            hint="rename them, or name others",
        )
    if getattr(source.settings, "speed", "max") != "max":
        yield _warning(*place, "speed", message="the runner spark reads files as fast as it can")
    if source.idle_after is not None and not source.live:
        yield _warning(
            *place,
            "idle_after",
            message="on Spark no source holds time back: it is where the latest event of any has brought it",
        )


def _vet_pattern(pattern: PatternConfig) -> Iterator[Found]:
    place = ("patterns", pattern.name)
    if not pattern.pattern.partition:
        yield _warning(
            *place,
            message=f"pattern '{pattern.name}' has no PARTITION BY: Spark runs it on one core",
            hint="add PARTITION BY and the attribute that all events of a match agree on",
        )
    elif pattern.lateness.spec.name not in _FIXED:
        yield _warning(
            *place,
            "lateness",
            message=f"on Spark the lateness policy '{pattern.lateness.spec.name}' learns from each key by "
            "itself: it may decide otherwise than in one process",
        )


def _error(*place: str, message: str, hint: str = "") -> Found:
    return place, Problem(code="not-on-spark", message=message, hint=hint)


def _warning(*place: str, message: str, hint: str = "") -> Found:
    return place, Problem(code="other-on-spark", message=message, hint=hint, severity="warning")
