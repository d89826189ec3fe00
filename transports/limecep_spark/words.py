"""What Spark says when it cannot, in words for the user."""

from __future__ import annotations

import re

#: What to do about it, by a part of what Spark says.
_HINTS = {
    "Failed to find data source: kafka": "the Spark that runs here has no connector for Kafka: start it with "
    "spark.jars.packages=org.apache.spark:spark-sql-kafka-0-10_2.13 and the version of pyspark",
    "DATA_SOURCE_NOT_FOUND": "is it spelled right? What Spark does not bring itself, 'conf' names: "
    "spark.jars.packages",
    "Schema must be specified": "name its columns: schema: id STRING, time TIMESTAMP",
    "UNABLE_TO_INFER_SCHEMA": "are there files? If there are none yet, name their columns: "
    "schema: id STRING, time TIMESTAMP",
    "UNRESOLVED_COLUMN": "look at 'select' and 'schema'",
    "PARSE_SYNTAX_ERROR": "look at 'select' and 'schema'",
    "TABLE_OR_VIEW_NOT_FOUND": "to read files, name their 'format'",
}


def said(error: BaseException) -> str:
    """What went wrong, in one line."""
    whole = str(error)
    hint = next((hint for part, hint in _HINTS.items() if part in whole), "")
    # Of a query, its cause; of that what stands before the plan and the stack.
    text = whole.rpartition("terminated with exception: ")[2].strip()
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    named = [line for line in lines if line.startswith("limecep.errors.")]
    line = (named or lines or [type(error).__name__])[0].removeprefix("limecep.errors.RunFailure: ")
    line = re.sub(r"^\[[A-Z_0-9.]+\] ", "", line)
    line = re.sub(r"\s*SQLSTATE: \w+.*", "", line).rstrip(" .;")
    return f"{line}; {hint}" if hint else line
