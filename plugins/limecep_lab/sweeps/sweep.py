"""A grid of policies times orders of arrival, each a run of the local kernel in a task of Spark."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from limecep.errors import LimecepError, RunFailure
from limecep_lab.evaluation.accuracy import figures
from limecep_lab.evaluation.changelogs import live_matches
from limecep_lab.sweeps.cells import ROWS, Cell, Cells
from limecep_lab.sweeps.recordings import IN_ORDER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import DataFrame, SparkSession

    from limecep.embedding.pipelines import Registry
    from limecep_lab.sweeps.grids import Grid
    from limecep_lab.sweeps.recordings import Stream
    from limecep_lab.text_tables import Row

#: How many tasks there are for each core: enough that none is idle for long, few enough that what a task has
#: to be given is not given too often.
_TASKS_PER_CORE = 4


@dataclass(frozen=True, kw_only=True)
class Swept:
    """What came of a sweep.

    Attributes:
        grid: The choices.
        rows: The figures of each choice, level and pattern, in this order: the place of the choice
            (`choice`), its values by their keys, the `level`, what the run cost
            (`limecep_lab.sweeps.cells.Run.cost`), the `pattern`, and what was found
            (`limecep_lab.evaluation.accuracy.figures`).
    """

    grid: Grid
    rows: Sequence[Row]


def sweep(spark: SparkSession, grid: Grid, stream: Stream, registry: Registry) -> Swept:
    """Runs every choice on every order of arrival.

    Args:
        spark: The session.
        grid: The choices.
        stream: What arrives.
        registry: The components there are.

    Raises:
        LimecepError: There is no match, nowhere.
        RunFailure: There are more matches than are looked for.
    """
    cells = [
        Cell(name=f"{number}/{level}", level=level, config=choice.config)
        for number, choice in enumerate(grid.choices)
        for level in stream.levels
    ]
    truths = [Cell(name=f"truth {n}", level=IN_ORDER, config=c) for n, c in enumerate(grid.truths)]
    ran = _ran(spark, [*truths, *cells], stream, registry).persist()
    try:
        costs = {r["run"]: json.loads(r["cost"]) for r in ran.where("cost is not null").collect()}
        if any(costs[truth.name]["truncated"] for truth in truths):
            raise RunFailure(
                "there are more matches than are looked for at one end event: give patterns a larger "
                "'max_per_end'"
            )
        log = ran.where("cost is null").drop("cost")
        due = _due(spark, log.where("run like 'truth %'"), grid, stream.levels)
        found = figures(log.where("run not like 'truth %'"), due).collect()
    finally:
        ran.unpersist()
    by_run: dict[str, list[Row]] = {}
    places = [p.name for p in grid.choices[0].config.patterns]
    for row in sorted(found, key=lambda r: places.index(r["pattern"])):
        by_run.setdefault(row["run"], []).append(row.asDict())
    rows = [
        {"choice": number, **choice.values, "level": level, **costs[row.pop("run")], **row}
        for number, choice in enumerate(grid.choices)
        for level in stream.levels
        for row in by_run.get(f"{number}/{level}", ())
    ]
    if not rows:
        raise LimecepError(
            "no pattern has a match, neither in order nor otherwise: there is nothing to choose by"
        )
    return Swept(grid=grid, rows=rows)


def _ran(spark: SparkSession, cells: Sequence[Cell], stream: Stream, registry: Registry) -> DataFrame:
    """What the cells give."""
    context = spark.sparkContext
    work = Cells(
        cells=cells,
        specs=tuple(registry.specs()),
        events=context.broadcast(stream.events),
        orders=context.broadcast(stream.orders),
    )
    tasks = min(len(cells), context.defaultParallelism * _TASKS_PER_CORE)
    return spark.range(0, len(cells), 1, tasks).mapInArrow(work.rows, ROWS)


def _due(spark: SparkSession, log: DataFrame, grid: Grid, levels: Sequence[str]) -> DataFrame:
    """The matches that each run is to find."""
    import pyarrow

    pairs = [(f"truth {c.truth}", f"{n}/{level}") for n, c in enumerate(grid.choices) for level in levels]
    names = pyarrow.table(dict(zip(("truth", "run"), map(list, zip(*pairs, strict=True)), strict=True)))
    live = live_matches(log)
    return live.withColumnRenamed("run", "truth").join(spark.createDataFrame(names), "truth").drop("truth")


def frame(spark: SparkSession, swept: Swept) -> DataFrame:
    """The rows of a sweep as a DataFrame of one part."""
    import pyarrow

    table = pyarrow.Table.from_pylist(list(swept.rows))
    # What is nowhere told has a type all the same.
    kinds = [
        (pyarrow.int64() if c.name == "revisions_max" else pyarrow.float64())
        if pyarrow.types.is_null(c.type)
        else c.type
        for c in table.schema
    ]
    schema = pyarrow.schema(list(zip(table.column_names, kinds, strict=True)))
    return spark.createDataFrame(table.cast(schema)).coalesce(1)
