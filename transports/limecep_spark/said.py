"""What went wrong, out of what Spark makes of it."""

from __future__ import annotations

#: How Kafka's client and Spark name what they say.
_NAMED = ("limecep.errors.", "org.apache.kafka.common.")


def said(error: Exception) -> str:
    """The line that tells a user most: what a worker, or Kafka's client, said; else the first."""
    lines = [line.strip().removeprefix("Caused by: ") for line in str(error).splitlines() if line.strip()]
    for name in _NAMED:
        for line in lines:
            if line.startswith(name):
                return line.removeprefix("limecep.errors.").removeprefix("RunFailure: ")
    return lines[0]
