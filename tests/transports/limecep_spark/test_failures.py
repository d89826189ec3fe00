"""What Spark says, in a line for the user."""

from __future__ import annotations

import re

import pytest

from limecep_spark.failures import reason

MISSING = """\
An error occurred while calling o456.load.
: org.apache.spark.SparkClassNotFoundException: [DATA_SOURCE_NOT_FOUND] Failed to find it: x. SQLSTATE: 42K02
\tat org.apache.spark.sql.errors.Some$.method(Some.scala:1)
"""
AWAITED = """\
An error occurred while calling o514.getResult.
: org.apache.spark.SparkException: Exception thrown in awaitResult: 
\tat org.apache.spark.Some$.method(Some.scala:1)
Caused by: org.apache.spark.SparkException: [FAILED_READ_FILE.NO_HINT] Cannot read x.  SQLSTATE: KD001
\tat org.apache.spark.Some$.method(Some.scala:1)
"""  # noqa: W291
QUERY = """\
[STREAM_FAILED] Query [id = 1, runId = 2] terminated with exception: [FAILED_READ_FILE] Cannot read x. \
SQLSTATE: KD001 SQLSTATE: XXKST
=== Streaming Query ===
"""
WORKER = """\
Job aborted
Caused by: org.apache.spark.api.python.PythonException: Traceback (most recent call last):
limecep.errors.RunFailure: the file is gone
"""
COMPONENT = """\
Caused by: org.apache.spark.api.python.PythonException: Traceback (most recent call last):
KeyError: 'x'
The above exception was the direct cause of the following exception:
limecep.errors.ComponentFailure: patterns.p: engine 'x' raised KeyError: 'x'
"""
DRIVER = """\
[FOREACH_BATCH_USER_FUNCTION_ERROR] An error occurred in the user provided function. Reason: An exception \
was raised by the Python Proxy. Return Message: Traceback (most recent call last):
  File "writing.py", line 70, in batch
    native.write(rows, number)
FileNotFoundError: [Errno 2] No such file or directory: 'out'
"""


@pytest.mark.parametrize(
    ("whole", "line"),
    [
        (COMPONENT, "patterns.p: engine 'x' raised KeyError: 'x'"),
        (MISSING, "Failed to find it: x; is it spelled right\\? .* 'conf'"),
        (AWAITED, "Cannot read x"),
        (QUERY, "Cannot read x"),
        (WORKER, "the file is gone"),
        (DRIVER, r"FileNotFoundError: \[Errno 2\] No such file or directory: 'out'"),
        ("[PATH_NOT_FOUND] Path does not exist: file:/a. SQLSTATE: 42K03", "Path does not exist: file:/a"),
        ("An error occurred while calling o1.load", "An error occurred while calling o1.load"),
        ("", "RuntimeError"),
    ],
)
def test_a_line_tells_what_is_wrong(whole: str, line: str) -> None:
    assert re.fullmatch(line, reason(RuntimeError(whole)))
