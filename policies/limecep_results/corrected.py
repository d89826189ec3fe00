"""When results go out, and whether they are put right."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.contracts.results import Emit
    from limecep.plan.plan import Plan
    from limecep_results.config import CorrectedOptions, UncorrectedOptions


class Uncorrected:
    """Emits what is found late, and leaves what was emitted as it was."""

    corrects = False
    announces = False

    def __init__(self, plan: Plan, options: UncorrectedOptions, context: Context) -> None:
        self.emit: Emit = options.emit
        self.horizon = options.horizon
        self.skip = options.skips


class Corrected(Uncorrected):
    """Corrects and takes back what was emitted."""

    corrects = True

    def __init__(self, plan: Plan, options: CorrectedOptions, context: Context) -> None:
        super().__init__(plan, options, context)
        self.announces = options.final
