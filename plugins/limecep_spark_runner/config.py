"""Options of the runner."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - options are read by their types
from dataclasses import dataclass
from typing import TYPE_CHECKING

from limecep import option
from limecep.config.units import duration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep.embedding.pipelines import PipelineConfig
    from limecep.problems import Problem

#: How many buckets the keys are divided into, unless something else is said.
BUCKETS = 1024
#: A bucket is an int to Spark.
_MOST_BUCKETS = 2**31 - 1
#: The trigger that makes a live run end.
AVAILABLE = "available"


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
    buckets: int = option(
        BUCKETS,
        help="How many buckets the keys are divided into. What is known of the keys of a bucket is read and "
        "written as a whole, once for each batch that brings something for one of them: few buckets save "
        "calls of Spark, many save reading and writing where there are very many keys of which few get "
        "events at a time. A checkpoint keeps the number that it began with.",
        example=16384,
    )
    files_per_batch: int = option(
        0, help="How many files of a source are taken at a time; 0 is all there are.", example=10
    )
    records_per_batch: int = option(
        0,
        help="How many records of a source of topics are taken at a time; 0 is all there are.",
        example=100_000,
    )
    trigger: str = option(
        "1s",
        help="With sources that never end, how often a batch is made; 0s is as soon as the last one is done. "
        "available: what there is by now is read, and the run ends, to be gone on with by the next one.",
        example="5s",
    )
    conf: Mapping[str, str | int | float | bool] = option(
        {}, help="Settings of Spark.", example={"spark.driver.memory": "2g", "spark.executor.memory": "4g"}
    )

    def __post_init__(self) -> None:
        for name in ("partitions", "files_per_batch", "records_per_batch"):
            if getattr(self, name) < 0:
                raise ValueError(f"'{name}' must be at least 0")
        if not 0 < self.buckets <= _MOST_BUCKETS:
            raise ValueError(f"'buckets' must be from 1 to {_MOST_BUCKETS}")
        if self.trigger != AVAILABLE:
            try:
                duration(self.trigger)
            except ValueError as error:
                raise ValueError(
                    f"'trigger' must be available, or a duration such as 1s: it {error}"
                ) from None

    def vet(self, config: PipelineConfig) -> Iterator[tuple[tuple[str, ...], Problem]]:
        """What of a pipeline Spark cannot do, or does otherwise (`VettingPipelines` of the kernel)."""
        from limecep_spark_runner.vetting import vetted

        return vetted(config)
