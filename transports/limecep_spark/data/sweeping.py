"""A grid of policies times orders of arrival, each a run of the local kernel in a task of Spark."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from limecep_spark.data.cells import ROWS, Cell, Cells
from limecep_spark.data.changelogs import live_matches
from limecep_spark.data.documents import read_document
from limecep_spark.data.figures import figures
from limecep_spark.data.grids import choices
from limecep_spark.data.recordings import IN_ORDER, Stream, ordered, recorded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyspark.sql import DataFrame, SparkSession

    from limecep.registry import Registry
    from limecep_spark.data.documents import Document
    from limecep_spark.data.grids import Choice
    from limecep_spark.data.showing import Row

#: How many tasks there are for each core: enough that none is idle for long, few enough that what a task has
#: to be given is not given too often.
_TASKS = 4


@dataclass(frozen=True, kw_only=True)
class Swept:
    """What came of a sweep.

    Attributes:
        keys: The keys that were varied.
        choices: All choices.
        rows: The figures of each choice, level and pattern, in this order, with the place of the choice
            (`choice`), its values by their keys, the `level`, and what the run cost
            (`limecep_spark.data.cells.Run.cost`).
    """

    keys: Sequence[str]
    choices: Sequence[Choice]
    rows: Sequence[Row]


def sweep(
    spark: SparkSession,
    document: Document,
    grid: Mapping[str, Sequence[Any]],
    stream: Stream,
    registry: Registry,
    root: Path,
) -> Swept:
    """Runs every choice on every order of arrival.

    Args:
        spark: The session.
        document: The pipeline.
        grid: The values of each key that is varied.
        stream: What arrives.
        registry: The components there are.
        root: The folder that relative paths of the pipeline are below.

    Raises:
        ConfigurationError: A choice makes no pipeline.
    """
    chosen, truths = choices(document, grid, registry, root)
    cells = [
        Cell(name=f"{number}/{level}", level=level, config=choice.config)
        for number, choice in enumerate(chosen)
        for level in stream.levels
    ]
    looking = [Cell(name=f"truth {n}", level=IN_ORDER, config=c) for n, c in enumerate(truths)]
    ran = _ran(spark, [*looking, *cells], stream, registry).persist()
    try:
        costs = {r["run"]: json.loads(r["cost"]) for r in ran.where("cost is not null").collect()}
        log = ran.where("cost is null").drop("cost")
        found = figures(
            log.where("run not like 'truth %'"),
            _due(spark, log.where("run like 'truth %'"), chosen, stream.levels),
        ).collect()
    finally:
        ran.unpersist()
    by_run: dict[str, list[Row]] = {}
    places = [p.name for p in chosen[0].config.patterns]
    for row in sorted(found, key=lambda r: places.index(r["pattern"])):
        by_run.setdefault(row["run"], []).append(row.asDict())
    rows = [
        {"choice": number, **choice.values, "level": level, **row, **costs[row.pop("run")]}
        for number, choice in enumerate(chosen)
        for level in stream.levels
        for row in by_run.get(f"{number}/{level}", ())
    ]
    return Swept(keys=list(grid), choices=chosen, rows=rows)


def sweep_recording(
    spark: SparkSession,
    pipeline: str,
    grid: Mapping[str, Sequence[Any]],
    levels: Sequence[str],
    registry: Registry,
    *,
    delay: str | None,
    seed: int,
    overrides: Sequence[str],
) -> Swept:
    """As `limecep_spark.data.sweep`."""
    root = Path(pipeline).parent
    document = read_document(pipeline, registry, overrides)
    # What is wrong with a choice is to be told before anything is read.
    chosen, _ = choices(document, grid, registry, root)
    events = recorded(chosen[0].config, registry)
    orders = {level: ordered(spark, events, level, delay, seed) for level in {IN_ORDER, *levels}}
    return sweep(spark, document, grid, Stream(events=events, orders=orders, levels=levels), registry, root)


def _ran(spark: SparkSession, cells: Sequence[Cell], stream: Stream, registry: Registry) -> DataFrame:
    """What the cells give."""
    context = spark.sparkContext
    work = Cells(
        cells=cells,
        specs=tuple(registry.specs()),
        events=context.broadcast(stream.events),
        orders=context.broadcast(stream.orders),
    )
    tasks = min(len(cells), context.defaultParallelism * _TASKS)
    return spark.range(0, len(cells), 1, tasks).mapInArrow(work.rows, ROWS)


def _due(spark: SparkSession, log: DataFrame, chosen: Sequence[Choice], levels: Sequence[str]) -> DataFrame:
    """The matches that each run is to find."""
    import pyarrow

    pairs = [(f"truth {c.truth}", f"{n}/{level}") for n, c in enumerate(chosen) for level in levels]
    names = pyarrow.table(dict(zip(("truth", "run"), map(list, zip(*pairs, strict=True)), strict=True)))
    live = live_matches(log)
    return live.withColumnRenamed("run", "truth").join(spark.createDataFrame(names), "truth").drop("truth")


def frame(spark: SparkSession, swept: Swept) -> DataFrame:
    """The rows of a sweep as a DataFrame of one part."""
    import pyarrow

    return spark.createDataFrame(pyarrow.Table.from_pylist(list(swept.rows))).coalesce(1)
