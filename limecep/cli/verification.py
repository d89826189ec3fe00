"""`limecep run --verify`: says at the end of a run whether engines agree with the oracle."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import structlog

from limecep.cli.exits import Exit
from limecep.encoding import to_json
from limecep.errors import ConfigurationError
from limecep.runtime.pipeline import Pipeline
from limecep.testing.verification import verified

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from limecep.contracts.runner import Runner

#: So many differences of a pattern are told; the report has all.
_SHOWN = 3


class Verification:
    """Verifies what a run has left in memory.

    Args:
        runner: Runs the pipeline.
        windows: How many windows of each pattern are verified, at most.

    Raises:
        ConfigurationError: What detects is in other processes.
    """

    def __init__(self, runner: Runner, windows: int) -> None:
        if not isinstance(runner, Pipeline):
            raise ConfigurationError(
                "--verify needs the events in this process: run with --runner local --workers 1"
            )
        self._pipeline = runner
        self._windows = windows

    def tell(self, report: dict[str, Any], *, quiet: bool) -> Exit:
        """Adds to a report what was `verified`, and says it on standard error.

        Args:
            report: The report of the run.
            quiet: Whether nothing is said but differences.

        Returns:
            How the command ends, where the run ended well.
        """
        detection = self._pipeline.detection
        if detection is None or (report.get("stopped") or {}).get("cut_off"):
            print("limecep: nothing was verified: the run was cut off", file=sys.stderr)
            return Exit.FINE
        told = {name: v.record() for name, v in verified(detection, self._windows).items()}
        report["verified"] = told
        logger = None if sys.stderr.isatty() else structlog.get_logger()
        for name, of in told.items():
            for difference in of["differences"][:_SHOWN]:
                if logger is None:
                    print(*_lines(name, difference), sep="\n", file=sys.stderr)
                else:
                    logger.error("engine and oracle differ", pattern=name, **difference)
            counts = {**of, "differences": len(of["differences"])}
            if quiet:
                continue
            if logger is None:
                print(f"verified  {name}  {_summed(counts)}", file=sys.stderr)
            else:
                (logger.info if of["windows"] or of["empty"] else logger.warning)(
                    "pattern verified", pattern=name, **counts
                )
        return Exit.FOUND_PROBLEMS if any(of["differences"] for of in told.values()) else Exit.FINE


def _lines(pattern: str, difference: Mapping[str, Any]) -> Iterator[str]:
    """A difference, with the events of its window as JSON lines."""
    end = difference["end"]
    what = f"the matches that end with {end['type']} {end['id']}"
    yield f"limecep: pattern '{pattern}': engine and oracle differ about {what}"
    if "error" in difference:
        yield f"  the engine {difference['error']}"
    for who in ("engine", "oracle"):
        matches = [to_json(m).decode() for m in difference[who]]
        yield f"  {who}: {', '.join(matches) or 'none'}"
    yield "  events of the window, as JSON lines:"
    yield from (to_json(e).decode() for e in difference["events"])


def _summed(counts: Mapping[str, Any]) -> str:
    skipped = [f"{n:,} skipped: {reason}" for reason, n in counts["skipped"].items()]
    if not (counts["windows"] or counts["empty"]):
        return ", ".join(["no window", *skipped])
    differing = counts["differences"]
    said = [
        f"{counts['windows']:,} windows with {counts['matches']:,} matches, {counts['empty']:,} without any",
        f"{differing:,} differ" if differing else "none differs",
    ]
    return ", ".join([*said, *skipped])
