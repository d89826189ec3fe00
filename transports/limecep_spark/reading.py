"""On the driver: sources as one stream of rows for keys, with how far time has come."""

from __future__ import annotations

import glob
import re
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING

from limecep_spark.intake import BELL, ROWS, Intake

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from limecep.config.model import SourceConfig
    from limecep_spark.config import SparkOptions
    from limecep_spark.work import Work

_BINARY = "path string, modificationTime timestamp, length long, content binary"


def rows(spark: SparkSession, work: Work, options: SparkOptions, bell: Path) -> DataFrame:
    """What comes to each key.

    The time of each row is the latest that its file has brought so far, and is dropped before rows come to
    their keys: so it moves Spark's time, and no row is ever too late for Spark, which is for the policies to
    say.

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
    came = files.mapInArrow(Intake(work).rows, ROWS).withColumn("at", f.timestamp_micros("t_gen"))
    return came.withWatermark("at", "0 seconds").select("key", "body")


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
