"""Slack: late events that come together are acted on together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.plan.plan import Plan
    from limecep_slack.config import AdaptiveOptions, FixedOptions


class FixedSlack:
    """Waits the same time always."""

    def __init__(self, plan: Plan, options: FixedOptions, context: Context) -> None:
        self._wait = options.wait

    def wait(self, statistics: Any) -> int:
        return self._wait


class AdaptiveSlack:
    """Waits `ratio * W` where the share of out-of-order events, `ratio = no / ne`, has reached the
    trigger."""

    def __init__(self, plan: Plan, options: AdaptiveOptions, context: Context) -> None:
        self._within = plan.within
        self._trigger = options.trigger

    def wait(self, statistics: Any) -> int:
        ratio = statistics.ratio
        return int(ratio * self._within) if ratio >= self._trigger else 0
