"""No slack: a late event is acted on at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.plan.plan import Plan
    from limecep.spec import NoOptions


class NoSlack:
    """Waits for nothing."""

    def __init__(self, plan: Plan, options: NoOptions, context: Context) -> None:
        pass

    def wait(self, statistics: Any) -> int:
        return 0
