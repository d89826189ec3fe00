"""Every difference goes out, so that what a consumer holds ends up right."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.plan.plan import Plan
    from limecep_results.config import CorrectedOptions


class Corrected:
    """Corrects and takes back what was emitted."""

    corrects = True

    def __init__(self, plan: Plan, options: CorrectedOptions, context: Context) -> None:
        pass
