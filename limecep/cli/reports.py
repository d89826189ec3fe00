"""The reports of runners that plugins bring."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.contracts.shown import shown
from limecep.errors import RunFailure

if TYPE_CHECKING:
    from limecep.spec import ComponentSpec

#: What the command itself reads of a report, all of them dictionaries.
READ = ("events", "patterns", "sources", "sinks")


def sound(report: Any, runner: ComponentSpec) -> None:
    """Sees to it that a report has what the command reads.

    Args:
        report: What a runner gave.
        runner: Its spec.

    Raises:
        RunFailure: It has not.
    """
    if not isinstance(report, dict):
        raise _failure(runner, f"reports {shown(report)}, no dictionary")
    absent = [key for key in READ if not isinstance(report.get(key), dict)]
    if absent:
        lacks = ", ".join(map(repr, absent))
        raise _failure(runner, f"gives a report without {lacks}")


def _failure(runner: ComponentSpec, what: str) -> RunFailure:
    from limecep.cli.culprits import of_spec

    return RunFailure(f"{of_spec(runner)} {what}: limecep.contracts.runner")
