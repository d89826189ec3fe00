"""The reports of runners that plugins bring."""

from __future__ import annotations

from typing import Any

from limecep.errors import RunFailure

#: What the command itself reads of a report, all of them dictionaries.
READ = ("events", "patterns", "sources", "sinks")


def sound(report: Any, runner: str) -> None:
    """Sees to it that a report has what the command reads.

    Args:
        report: What a runner gave.
        runner: Its name.

    Raises:
        RunFailure: It has not.
    """
    if not isinstance(report, dict):
        raise RunFailure(
            f"runner '{runner}' reports {report!r:.200}, no dictionary: limecep.contracts.runner"
        )
    absent = [key for key in READ if not isinstance(report.get(key), dict)]
    if absent:
        lacks = ", ".join(map(repr, absent))
        raise RunFailure(f"runner '{runner}' gives a report without {lacks}: limecep.contracts.runner")
