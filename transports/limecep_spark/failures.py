"""What went wrong, out of what Spark makes of it."""

from __future__ import annotations

import re

#: How Kafka's client and Spark name what they say.
_NAMED = ("limecep.errors.", "org.apache.kafka.common.")
#: What stands before the words, and says nothing to a user: a call, classes of Java, the class of error.
_CALL = "An error occurred while calling"
_AROUND = re.compile(
    r"(\[STREAM_FAILED\] .*terminated with exception: |"
    r"(: )?(org\.apache\.spark|java|py4j|pyspark|com\.fasterxml)[\w.$]*: )+"
)
#: How a traceback of Python ends.
_RAISED = re.compile(r"[\w.]+(Error|Exception): ")
_CLASS = re.compile(r"\[[A-Z0-9_.]+\] ")
#: What to do about it, by a part of what Spark says.
_HINTS = {
    "Failed to find data source: kafka": "this Spark has no connector for Kafka: start it with "
    "spark.jars.packages=org.apache.spark:spark-sql-kafka-0-10_2.13: and the version of pyspark",
    "DATA_SOURCE_NOT_FOUND": "is it spelled right? What Spark does not bring itself it is told of by "
    "spark.jars.packages in 'conf'",
    "Schema must be specified": "name the columns: schema: id STRING, time TIMESTAMP",
    "UNABLE_TO_INFER_SCHEMA": "if there are no files yet, name their columns: "
    "schema: id STRING, time TIMESTAMP",
    "UnknownTopicOrPartitionException": "make the topic first",
    "node assignment": "the brokers do not answer: look at 'brokers'",
    "Failed to create new KafkaAdminClient": "look at 'brokers' and 'client'",
    "KAFKA_DATA_LOSS": "records were deleted before they were read: the topic keeps too little. To go on "
    "without them use another checkpoint",
    "StreamMetadata": "the checkpoint is damaged: use another one",
    "UNRESOLVED_COLUMN": "look at 'select' and 'schema'",
    "PARSE_SYNTAX_ERROR": "look at 'select' and 'schema'",
    "TABLE_OR_VIEW_NOT_FOUND": "to read files, name their 'format'",
}


def reason(error: BaseException) -> str:
    """The line that tells a user most: what a worker, Kafka's client or Spark has put into words; else the
    first; and what to do about it."""
    whole = str(error) or type(error).__name__
    lines = [line.strip().removeprefix("Caused by: ") for line in whole.splitlines() if line.strip()]
    for name in _NAMED:
        for line in lines:
            if line.startswith(name):
                said = line.removeprefix("limecep.errors.")
                return said.removeprefix("RunFailure: ").removeprefix("ComponentFailure: ")
    lines = [_without(_AROUND, line) for line in lines]
    if lines[0].startswith(_CALL):
        lines = [line for line in lines if _CLASS.match(line)] or lines[1:] or lines
    told = lines[0]
    if told.endswith("Traceback (most recent call last):"):
        told = next(filter(_RAISED.match, lines), told)
    # A place in a standard stands behind.
    line = re.sub(r"\s*SQLSTATE: \w+.*$", "", _without(_CLASS, told)).rstrip(" .;")
    hint = next((hint for part, hint in _HINTS.items() if part in whole), "")
    return f"{line}; {hint}" if hint else line


def _without(head: re.Pattern[str], line: str) -> str:
    found = head.match(line)
    return line[found.end() :] if found else line
