"""Which way to emit a pattern needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.patterns.emission.after_slack import AfterSlack, AfterSlackInTime
from limecep.patterns.emission.at_once import AtOnce
from limecep.patterns.emission.in_time import InTime
from limecep.patterns.emission.when_final import WhenFinal

if TYPE_CHECKING:
    from limecep.contracts.results import Emit
    from limecep.patterns.event_manager import EventManager
    from limecep.patterns.timing import Timing


def way_to_emit(emit: Emit, timing: Timing) -> type[EventManager]:
    """The event manager of a pattern whose matches go out so.

    Args:
        emit: When they go out, as its result policy says.
        timing: What they wait for.
    """
    if emit == "final":
        return WhenFinal
    if emit == "slack":
        return AfterSlackInTime if timing.waits else AfterSlack
    return InTime if timing.waits else AtOnce
