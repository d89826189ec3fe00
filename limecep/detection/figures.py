"""The figures of a pattern, for the report."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.patterns.event_manager import EventManager


def figures_of(
    context: Context, manager: EventManager, unrepaired: Counter[str], cut: Counter[str]
) -> dict[str, Any]:
    """Those of one pattern.

    Args:
        context: What its components were given, and counted in.
        manager: Its event manager.
        unrepaired: By pattern, how many events it could not use wholly, because memory did not reach back far
            enough.
        cut: By pattern, how often memory became shorter than it looks back.
    """
    name = manager.plan.name
    counters = context.counters
    counted = Counter(counters)
    emitted, retracted = counted.pop("emitted", 0), counted.pop("retracted", 0)
    return {
        "emitted": emitted,
        "corrected": counted.pop("corrected", 0),
        "retracted": retracted,
        "live": emitted - retracted,
        "pending": manager.pending,
        "engine_runs": counted.pop("engine_runs", 0),
        "on_demand_runs": counted.pop("on_demand_runs", 0),
        "events_handed": counted.pop("events_handed", 0),
        "refused": manager.refused,
        "slack_waits": manager.slack_waits,
        "unrepaired": unrepaired[name],
        **({"windows_cut": cut[name]} if cut[name] else {}),
        **({"without_key": manager.views.without_key} if manager.plan.partition else {}),
        **counted,
        **({"disabled": manager.stopped} if manager.stopped else {}),
        **({"truncated_first": context.truncations.first} if counters["truncated"] else {}),
    }
