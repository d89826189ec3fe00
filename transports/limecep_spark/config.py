"""Options of sources and sinks: what Spark reads and writes."""

from __future__ import annotations

import re
from collections.abc import Mapping  # noqa: TC003 - options are read by their types
from dataclasses import dataclass
from typing import TYPE_CHECKING

from limecep import option
from limecep.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True, kw_only=True)
class StartOptions:
    """How Spark is started for a source or a sink, where the process uses none yet."""

    master: str = option(
        "local[*]",
        help="Spark's master: local[N] for N cores of this machine, or spark://host:7077. A Spark that the "
        "process uses already is used instead.",
        example="local[2]",
    )
    conf: Mapping[str, str | int | float | bool] = option(
        {}, help="Settings of a Spark that is started for this.", example={"spark.driver.memory": "2g"}
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SparkSourceOptions(StartOptions):
    """The connector of what Spark reads."""

    format: str = option(
        "",
        help="A format that Spark reads: parquet, json, csv, kafka, rate, ...; default: the channel is a "
        "table of the catalog.",
        example="parquet",
    )
    options: Mapping[str, str | int | float | bool] = option(
        {},
        help="Options of Spark's reader for that format.",
        example={"header": True, "kafka.bootstrap.servers": "localhost:9092"},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SparkSettings:
    """What a source of Spark's adds to the keys of every source."""

    schema: str = option(
        "",
        help="The columns with their types, in Spark's words (DDL); a stream of files needs it.",
        example="id STRING, time TIMESTAMP, celsius DOUBLE",
    )
    select: str = option(
        "",
        help="What is taken: expressions of SQL with commas, or a query of the view `input`.",
        example="SELECT id, time, celsius FROM input ORDER BY time",
    )
    message: str = option(
        "",
        help="The column that holds a message for the codec; default: each row is a record. For kafka "
        "without `select` it is the value.",
        example="value",
    )
    stream: bool = option(
        False, help="Go on with what comes, a micro-batch at a time. Events then arrive when they are read."
    )
    checkpoint: str = option(
        "",
        help="Of a stream, the folder in which Spark notes how far it was read. Below the folder of the "
        "pipeline's file.",
        example="checkpoint",
    )

    @property
    def live(self) -> bool:
        """A stream never ends."""
        return self.stream

    def __post_init__(self) -> None:
        if self.checkpoint and not self.stream:
            raise ValueError("'checkpoint' is for what goes on: add 'stream: true', or leave it out")

    def vet(self, channel: str) -> Iterator[Problem]:
        """What is odd with how a table is read."""
        if self.stream and not self.checkpoint:
            yield Problem(
                code="no-checkpoint",
                message=f"in one process each run reads the stream '{channel}' anew: nothing notes how far "
                "it was read",
                hint="add 'checkpoint' and a folder",
                severity="warning",
            )
        if not self.stream and not re.search(r"\border\s+by\b", self.select, re.IGNORECASE):
            yield Problem(
                code="no-order",
                message=f"the table '{channel}' has no order: in one process its events arrive as Spark "
                "reads them, many of them late",
                hint="give them one: select: SELECT * FROM input ORDER BY and the column with the time",
                severity="warning",
            )


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
