"""Which way to emit a pattern needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    # A pipeline imports the ways that its patterns take.
    if emit == "final":
        from limecep.patterns.emission.when_final import WhenFinal

        return WhenFinal
    if emit == "slack":
        from limecep.patterns.emission.after_slack import AfterSlack, AfterSlackInTime

        return AfterSlackInTime if timing.waits else AfterSlack
    if timing.waits:
        from limecep.patterns.emission.in_time import InTime

        return InTime
    from limecep.patterns.emission.at_once import AtOnce

    return AtOnce
