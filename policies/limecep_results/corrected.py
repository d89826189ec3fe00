"""When results go out, and whether they are put right."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.plan.plan import Plan
    from limecep_results.config import ResultOptions


class Corrected:
    """Corrects and takes back what was emitted."""

    corrects = True

    def __init__(self, plan: Plan, options: ResultOptions, context: Context) -> None:
        self.complete = options.emit == "complete"


class Uncorrected(Corrected):
    """Emits what is found late, and leaves what was emitted as it was."""

    corrects = False
