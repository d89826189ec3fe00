"""The tables of a pipeline that goes on from a state: their rows are what they were, or more hold from later
on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.errors import RunFailure
from limecep.intake.tables import digest
from limecep.model.instants import rfc3339

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limecep.config.model import PipelineConfig


def told(config: PipelineConfig) -> dict[str, dict[str, Any]]:
    """What stands for each of the tables that patterns look into, as values of JSON. `until` is the latest
    time from which on a row holds."""
    used = {name for p in config.patterns for name in p.tables}
    found: dict[str, dict[str, Any]] = {}
    for table in config.tables:
        rows = table.table.rows.listed or ()
        if table.name in used:
            until = {"until": rows[-1].begins} if rows and table.table.timed else {}
            found[table.name] = {"digest": table.table.rows.digest, "key": list(table.key), **until}
    return found


def grown(known: Mapping[str, Any], config: PipelineConfig) -> dict[str, int]:
    """The tables that have, beside the rows of a state, only such as hold from a later time on, each with the
    earliest of these times.

    Args:
        known: What `told` said when the state was written.
        config: The pipeline.
    """
    found = {}
    for table in config.tables:
        before, rows = known.get(table.name, {}), table.table.rows
        if "until" not in before or before["digest"] == rows.digest or not table.table.timed:
            continue
        new = [r.begins for r in rows.listed or () if r.begins is not None and r.begins > before["until"]]
        old = [r for r in rows.listed or () if r.begins is not None and r.begins <= before["until"]]
        if new and digest(old) == before["digest"]:
            found[table.name] = min(new)
    return found


def check_grown(begin: Mapping[str, int], latest: int, where: str) -> None:
    """Nothing, if rows that came since a state was written hold for none of the events in it.

    Args:
        begin: What `grown` gave.
        latest: The latest event time in the state, in microseconds.
        where: What the state is called.

    Raises:
        RunFailure: Some do.
    """
    for name, begins in begin.items():
        if begins <= latest:
            since, until = rfc3339(begins), rfc3339(latest)
            raise RunFailure(
                f"table '{name}' has a new row that holds from {since} on, and the state {where} has events "
                f"up to {until}, which were judged without it: have it hold from later on, or begin anew "
                f"with: limecep state reset {where}"
            )
