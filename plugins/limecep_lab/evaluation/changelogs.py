"""Change logs and matches, as sinks and `limecep` write them, to rows that are compared."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, get_args

from limecep.errors import LimecepError
from limecep.model.update import Op
from limecep_lab.table_files import literal

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

#: What is looked at in a record; of a match that stands by itself there are only the first ones.
_TYPES = {
    "pattern": "string",
    "content": "string",
    "end": "string",
    "detected": "string",
    "op": "string",
    "match": "string",
    "revision": "long",
    "latency": "double",
}
_NAMES = tuple(_TYPES)
_RECORD = ", ".join(f"{name}: {kind}" for name, kind in _TYPES.items())
#: A line: a record, or a CloudEvent with one.
_LINE = f"struct<{_RECORD}, data: struct<{_RECORD}>>"
_OPS = tuple(get_args(Op))
#: How much of a line a message shows.
_SHOWN_CHARS = 120


def read_log(spark: SparkSession, path: str) -> DataFrame:
    """The records of a change log, of the columns of `figures.LOG` but `run`; and `wrong`, which says of a
    line that it is none, and is null otherwise.

    Args:
        spark: The session.
        path: JSON lines, in a file or in the `part-*` files of a folder; or Parquet. Matches without what
            happened to them count as emitted: when they ended, if nothing says when they were detected.

    Raises:
        LimecepError: There is nothing at the path, or it is a table of something else.
    """
    local = Path(path)
    if "://" not in path and not local.exists():
        raise LimecepError(f"{path}: there is no such file or folder")
    if local.suffix == ".parquet" or (local.is_dir() and any(local.glob("*.parquet"))):
        return log_of(spark.read.parquet(literal(path)), path)
    return _told(_lines(spark, literal(path)))


def log_of(table: DataFrame, name: str) -> DataFrame:
    """The records of a table, as of `read_log`.

    Args:
        table: Matches, such as `truth` gives, or a change log.
        name: What it is called in messages.

    Raises:
        LimecepError: It is a table of something else.
    """
    from pyspark.sql import functions as f

    for column in ("pattern", "content"):
        if column not in table.columns:
            raise LimecepError(f"{name}: neither a change log nor matches: it has no column '{column}'")
    rows = (
        (f.col(n) if n in table.columns else f.lit(None)).cast(kind).alias(n) for n, kind in _TYPES.items()
    )
    return _told(table.select(*rows, f.lit(None).cast("string").alias("wrong")))


def _told(rows: DataFrame) -> DataFrame:
    """Records, of which matches by themselves count as emitted."""
    from pyspark.sql import functions as f

    match = f.col("op").isNull()
    return rows.select(
        "pattern",
        f.when(match, f.col("content")).otherwise(f.col("match")).alias("match"),
        f.when(match, 1).otherwise(f.col("revision")).cast("long").alias("revision"),
        f.coalesce("op", f.lit("emit")).alias("op"),
        "content",
        f.unix_micros(f.try_to_timestamp(f.coalesce("detected", "end"))).alias("detected"),
        "latency",
        "wrong",
    )


def live_matches(log: DataFrame) -> DataFrame:
    """The matches that are live at the end of change logs, of the columns of `figures.TRUTH`.

    Args:
        log: Records, of the columns of `figures.LOG`.
    """
    from pyspark.sql import functions as f

    last = (
        log.where("op != 'final'")
        .groupBy("run", "pattern", "match")
        .agg(f.max_by(f.struct("op", "content", "detected"), "revision").alias("last"))
    )
    live = last.where("last.op != 'retract'").select("run", "pattern", "last.content", "last.detected")
    return live.groupBy("run", "pattern", "content").agg(f.min("detected").alias("due"))


def _lines(spark: SparkSession, path: str) -> DataFrame:
    from pyspark.sql import functions as f

    lines = spark.read.text(path).where(f.trim("value") != "").withColumn("file", f.input_file_name())
    record = f.when(f.col("line.data").isNotNull(), f.col("line.data")).otherwise(
        f.struct(*(f.col(f"line.{name}").alias(name) for name in _NAMES))
    )
    file = f.url_decode(f.replace("file", f.lit("+"), f.lit("%2B")))
    said = f.concat(
        f.regexp_replace(file, "^file:/+", "/"),
        f.lit(": no update of a change log: "),
        f.substring("value", 1, _SHOWN_CHARS),
    )
    read = lines.select("value", "file", f.from_json("value", _LINE).alias("line")).select(
        "value", "file", record.alias("record")
    )
    op = f.col("record.op")
    named = f.col("record.pattern").isNotNull() & f.col("record.content").isNotNull()
    update = op.isin(*_OPS) & f.col("record.match").isNotNull() & f.col("record.revision").isNotNull()
    right = named & (op.isNull() | update)
    return read.select(
        f.when(right, f.col("record")).alias("record"), f.when(~right, said).alias("wrong")
    ).select("record.*", "wrong")
