"""How right the results of runs are, and what it took: a change log beside the truth, by run and pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

#: A record of the change log of a run: `detected` in microseconds, `latency` in seconds.
LOG = (
    "run string, pattern string, match string, revision long, op string, content string, detected long, "
    "latency double"
)
#: A match that is to be found by a run, and when it could first have been told, in microseconds.
TRUTH = "run string, pattern string, content string, due long"

#: The shares of which percentiles are told, by their names; 1 is the maximum.
SHARES = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}
#: How finely percentiles of many values are told apart.
_ACCURACY = 10_000

_OF = ("run", "pattern")


def figures(log: DataFrame, truth: DataFrame) -> DataFrame:
    """A row for each run and pattern, in their order:

    - `matches`: how many there are in truth;
    - `tp`, `fp`, `fn`, `precision`, `recall`: of what is live at the end. A match that is live twice is wrong
      once;
    - the same with `ever_` before it: of all that was ever emitted, also as a correction;
    - `emitted`, `corrected`, `retracted`: records of the log;
    - `revisions`, `revisions_max`: how many versions a match had that was emitted, on average and at most;
    - `delay_p50` and so on: seconds from when a match could first have been told, were there no disorder, to
      when it was; of all matches of the truth that were ever told;
    - `latency_p50` and so on: seconds from the event that caused an emission or correction to it.

    What there is nothing to tell of is null: the precision of nothing.

    Args:
        log: Records, of the columns of `LOG`. Copies of a record count once.
        truth: Matches, of the columns of `TRUTH`.
    """
    from pyspark.sql import functions as f

    told = log.where(f.col("op") != "final").dropDuplicates([*_OF, "match", "revision"])
    matches = told.groupBy(*_OF, "match").agg(
        f.max_by(f.struct("op", "content"), "revision").alias("last"), f.max("revision").alias("revisions")
    )
    versions = told.where(f.col("op") != "retract")
    sides = (
        _side(matches.where("last.op != 'retract'").select(*_OF, "last.content"), live=f.lit(1))
        .unionByName(_side(versions, ever=f.lit(1), told=f.col("detected")))
        .unionByName(_side(truth, right=f.lit(1), due=f.col("due")))
    )
    contents = sides.groupBy(*_OF, "content").agg(
        f.sum("live").alias("live"), *(f.max(c).alias(c) for c in ("ever", "right")),
        *(f.min(c).alias(c) for c in ("told", "due")),
    )  # fmt: skip
    found = (f.col("right") == 1) & (f.col("ever") == 1)
    delay = f.when(found, f.greatest(f.col("told") - f.col("due"), f.lit(0)) / 1_000_000)
    compared = contents.groupBy(*_OF).agg(
        f.sum("right").alias("matches"), *_counts("live", ""), *_counts("ever", "ever_"),
        *_percentiles(delay, "delay"),
    )  # fmt: skip
    records = told.groupBy(*_OF).agg(
        *(
            f.count_if(f.col("op") == op).alias(name)
            for op, name in (("emit", "emitted"), ("correct", "corrected"), ("retract", "retracted"))
        ),
        *_percentiles(f.when(f.col("op") != "retract", f.col("latency")), "latency"),
    )
    revised = matches.groupBy(*_OF).agg(
        f.avg("revisions").alias("revisions"), f.max("revisions").alias("revisions_max")
    )
    joined = compared.join(records, list(_OF), "left").join(revised, list(_OF), "left")
    counted = joined.fillna(0, ["emitted", "corrected", "retracted"])
    return counted.select(
        *_OF, "matches", *_shares(""), *_shares("ever_"),
        "emitted", "corrected", "retracted", "revisions", "revisions_max",
        *(f"{of}_{name}" for of in ("delay", "latency") for name in SHARES),
    ).orderBy(*_OF)  # fmt: skip


def _side(rows: DataFrame, **given: Column) -> DataFrame:
    """One side of the comparison, with nothing in the columns of the others."""
    from pyspark.sql import functions as f

    counts = {name: f.lit(0) for name in ("live", "ever", "right")}
    times = {name: f.lit(None) for name in ("told", "due")}
    return rows.select(
        *_OF,
        "content",
        *(column.cast("long").alias(name) for name, column in {**counts, **times, **given}.items()),
    )


def _counts(found: str, prefix: str) -> list[Column]:
    """How many were found that are right, and wrong, and how many were missed."""
    from pyspark.sql import functions as f

    both = f.least(found, "right")
    return [
        f.sum(both).alias(f"{prefix}tp"),
        f.sum(f.col(found) - both).alias(f"{prefix}fp"),
        f.sum(f.col("right") - both).alias(f"{prefix}fn"),
    ]


def _shares(prefix: str) -> list[Column]:
    from pyspark.sql import functions as f

    tp, fp, fn = (f.col(f"{prefix}{name}") for name in ("tp", "fp", "fn"))
    return [
        tp, fp, fn,
        f.try_divide(tp, tp + fp).alias(f"{prefix}precision"),
        f.try_divide(tp, tp + fn).alias(f"{prefix}recall"),
    ]  # fmt: skip


def _percentiles(column: Column, name: str) -> list[Column]:
    from pyspark.sql import functions as f

    return [
        f.percentile_approx(column, share, _ACCURACY).alias(f"{name}_{called}")
        for called, share in SHARES.items()
    ]
