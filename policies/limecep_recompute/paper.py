"""The maximum potential window (MPW) of the LimeCEP paper."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from limecep_recompute.exact import Exact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep.contracts.context import Context
    from limecep.model.event import Event
    from limecep.plan.plan import Alternative, Plan
    from limecep.spec import NoOptions


class Window(NamedTuple):
    """How far a window reaches before an event and after it, in microseconds, and whether at least to the
    latest event."""

    before: int
    after: int
    to_latest: bool = False

    def union(self, other: Window) -> Window:
        """The least window that holds both."""
        return Window(
            max(self.before, other.before),
            max(self.after, other.after),
            self.to_latest or other.to_latest,
        )


class Paper:
    """By what the event can be in a match, `W` being the window, `t = W / |P|` over the `|P|` positive steps,
    `left` and `right` the number of them before and after:

        the start     [ts, max(ts + W, lta)]
        the end       [ts - W, ts]
        in between    [ts - W + right * t, max(ts + W - left * t, lta)]
        in a group    [ts - W + right * t, ts + W], besides

    An event that can be several of these has the union; one of a negated step what `exact` says. Of types
    alone: whether the step's conditions hold is not looked at.
    """

    def __init__(self, plan: Plan, options: NoOptions, context: Context) -> None:
        self._exact = Exact(plan, options, context)
        self._negated = frozenset(t for a in plan.alternatives for n in a.negations for t in n.filter.types)
        self._windows: dict[str, Window] = {}
        for alternative in plan.alternatives:
            for type_, window in _windows(alternative, plan.within):
                known = self._windows.get(type_)
                self._windows[type_] = window if known is None else known.union(window)

    def reach(self, event: Event, lta: int) -> tuple[int, int]:
        at = event.t_gen
        low = high = at
        window = self._windows.get(event.type)
        if window is not None:
            low, high = at - window.before, at + window.after
            if window.to_latest:
                high = max(high, lta)
        if event.type in self._negated:
            first, last = self._exact.reach(event, lta)
            low, high = min(low, first), max(high, last)
        return low, high


def _windows(alternative: Alternative, within: int) -> Iterator[tuple[str, Window]]:
    """The windows of the types of the positive steps."""
    steps = alternative.steps
    count, ends = len(steps), alternative.ends
    may_start = True
    for left, step in enumerate(steps):
        right = count - 1 - left
        before = within - within * right // count
        windows = []
        if may_start:
            windows.append(Window(0, within, to_latest=True))
        if left in ends:
            windows.append(Window(within, 0))
        if left and right:
            windows.append(Window(before, within - within * left // count, to_latest=True))
        if not step.quantifier.single:
            windows.append(Window(before, within))
        for type_ in step.filter.types:
            for window in windows:
                yield type_, window
        may_start = may_start and step.quantifier.minimum == 0
