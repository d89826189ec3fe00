"""Options of sinks: what Spark writes."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - options are read by their types
from dataclasses import dataclass

from limecep import option


@dataclass(frozen=True, slots=True, kw_only=True)
class SparkSinkOptions:
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
    master: str = option(
        "local[*]",
        help="Spark's master: local[N] for N cores of this machine, or spark://host:7077. A Spark that the "
        "process uses already is used instead.",
        example="local[2]",
    )
    conf: Mapping[str, str] = option(
        {}, help="Settings of a Spark that is started for this.", example={"spark.driver.memory": "2g"}
    )
