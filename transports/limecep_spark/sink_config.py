"""Options of sinks: what Spark writes."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - options are read by their types
from dataclasses import dataclass

from limecep import option
from limecep_spark.config import StartOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class SparkSinkOptions(StartOptions):
    """The connector of what Spark writes."""

    format: str = option(
        "",
        help="A format that Spark writes: parquet, json, delta, ...; console, whose channel says nothing; "
        "memory, whose channel is a global view; default: the channel is a table of the catalog.",
        example="parquet",
    )
    options: Mapping[str, str | int | float | bool] = option(
        {}, help="Options of Spark's writer for that format.", example={"compression": "zstd"}
    )
