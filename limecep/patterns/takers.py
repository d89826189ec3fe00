"""Which events the steps of a pattern take."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from limecep.model.event import Event
    from limecep.plan.plan import StepFilter

    #: By event type, the conditions of which one must hold; None where none need.
    Takers = dict[str, list[Callable[[Event], bool]] | None]


def takers_of(filters: Iterable[StepFilter]) -> Takers:
    """Which of some filters' conditions an event of each type may satisfy; none where it need not."""
    found: Takers = {}
    for step_filter in filters:
        for t in step_filter.types:
            if step_filter.accepts is None:
                found[t] = None
            elif (others := found.setdefault(t, [])) is not None:
                others.append(step_filter.accepts)
    return found


def takes(takers: Takers, event: Event) -> bool:
    """Whether some step takes the event."""
    if event.type not in takers:
        return False
    conditions = takers[event.type]
    if conditions is None:
        return True
    # Asked of most events: a generator takes three times as long as one condition.
    for accepts in conditions:  # noqa: SIM110
        if accepts(event):
            return True
    return False
