"""The rows of a pipeline's tables, before its first event."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from limecep.errors import RunFailure
from limecep.intake.tables import read_table, unread

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.contracts.context import Context
    from limecep.intake.tables import Make, TableConfig


def fill(
    tables: Sequence[TableConfig],
    make: Make,
    context: Callable[[str], Context],
    blame: Callable[[BaseException], NoReturn],
) -> None:
    """Reads the tables that were not read with the pipeline's file.

    Args:
        tables: The tables.
        make: Makes components.
        context: Gives a context, by a label.
        blame: Raises an error that a component should not have raised in words that name it.

    Raises:
        RunFailure: One cannot be read, or has rows that cannot be used.
    """
    for table in tables:
        if table.table.rows.listed is not None:
            continue
        own = context(f"tables.{table.name}")
        try:
            reading = read_table(table, make, own)
        except RunFailure as error:
            raise RunFailure(unread(table, error)) from error
        except (Exception, SystemExit) as error:
            blame(error)
        wrong = [p for _, p in reading.problems if p.severity == "error"]
        if wrong:
            raise RunFailure("; ".join(f"{p.message} ({p.hint})" if p.hint else p.message for p in wrong))
        for _, problem in reading.problems:
            own.logger.warning(problem.message, hint=problem.hint)
        table.table.rows.fill(reading.rows, reading.digest)
