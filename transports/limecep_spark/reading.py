"""On the driver: sources as one stream of rows for keys, with how far time has come."""

from __future__ import annotations

import glob
import re
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING

from limecep_spark.intake import BELL, ROWS, TICKS, Intake
from limecep_spark.work import ASIDE, OVER

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from limecep.config.model import SourceConfig
    from limecep_spark.config import SparkOptions
    from limecep_spark.work import Work

_BINARY = "path string, modificationTime timestamp, length long, content binary"
#: Later than any time, so that no event is ever too late for Spark: that is for the policies to say.
_NEVER_LATE = OVER + 86_400_000_000


def rows(spark: SparkSession, work: Work, options: SparkOptions, bell: Path) -> DataFrame:
    """What comes to each key, and the column `wm` that Spark knows the time by.

    The sources are read twice: for the rows, which are never too late, and for how far time has come. Spark's
    time is the earlier of the two, so it is the latter.

    Args:
        spark: The session.
        work: The pipeline.
        options: Those of the runner.
        bell: A folder in which a file appears when all input is over.
    """
    from pyspark.sql import functions as f

    rung = spark.readStream.format("text").load(str(bell))
    files = reduce(
        lambda one, other: one.unionByName(other),
        [_files(spark, n, s, options, work.config.root) for n, s in enumerate(work.config.sources)],
        rung.select(f.lit(BELL).alias("source"), f.lit("").alias("path")),
    )
    intake = Intake(work)
    never_late = f.timestamp_micros(f.lit(_NEVER_LATE))
    came = files.mapInArrow(intake.rows, ROWS).withColumn("wm", never_late).withWatermark("wm", "0 seconds")
    times = files.mapInArrow(intake.ticks, TICKS).select(f.timestamp_micros("t_gen").alias("at"))
    ticks = times.withWatermark("at", "0 seconds").select(
        f.lit(ASIDE).alias("key"),
        f.lit(None).cast("binary").alias("body"),
        f.lit(0).cast("long").alias("arrived"),
        f.lit(0).alias("source"),
        f.lit(0).cast("long").alias("number"),
        never_late.alias("wm"),
    )
    return came.unionByName(ticks)


def _files(
    spark: SparkSession, number: int, source: SourceConfig, options: SparkOptions, root: Path
) -> DataFrame:
    """The files of a source as they come. Workers open them themselves."""
    from pyspark.sql import functions as f

    # Files that are much older than others are not to be passed over.
    reader = spark.readStream.format("binaryFile").schema(_BINARY).option("maxFileAge", "365000d")
    if options.files_per_batch:
        reader = reader.option("maxFilesPerTrigger", options.files_per_batch)
    where = _pattern(root.absolute() / source.connector.options.root, source.channel)
    return reader.load(where).select(f.lit(number).alias("source"), "path")


def _pattern(root: Path, channel: str) -> str:
    """The pattern that Spark finds the files of a channel by. Spark takes a single file only as one of those
    that a pattern finds: so one of its letters becomes a set of one."""
    if glob.has_magic(channel) and not (root / channel).exists():
        found = re.sub(r"([{}])", _QUOTE, channel)
        return found if Path(channel).is_absolute() else f"{_quoted(str(root))}/{found}"
    head, letter, tail = re.fullmatch(r"(.*?)(\w?)(\W*)", str(root / channel), re.DOTALL).groups()  # type: ignore[union-attr]
    return f"{_quoted(head)}[{letter}]{_quoted(tail)}"


_QUOTE = r"\\\1"


def _quoted(text: str) -> str:
    """A text as what finds nothing but itself."""
    return re.sub(r"([\\\[\]{}*?])", _QUOTE, text)
