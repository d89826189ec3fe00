"""Leaving: what a pattern does about an event that leaves the store, as its source takes it back.

What an event would change if it came is what it leaves to be changed back. So the engine is asked the same as
of a late event: while the event is hidden, and when it is there again for a moment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from limecep.model.time import FOREVER
from limecep.patterns.pending import Pending

if TYPE_CHECKING:
    from limecep.model.event import Event
    from limecep.patterns.emission.at_once import AtOnce
    from limecep.patterns.emission.in_time import InTime
    from limecep.patterns.emission.when_final import WhenFinal


class Leaving(Protocol):
    """Asked in this order. Before that everything has been done that time has come for."""

    def hidden(self, event: Event) -> Pending | None:
        """An event is about to leave, and hidden: asks what its leaving may change. None if it makes no
        difference."""

    def shown(self, event: Event, pending: Pending) -> None:
        """It is there for the last time: notes what was emitted."""

    def left(self, event: Event, pending: Pending) -> None:
        """It has left the store. Its arrival is that of what took it back."""

    def conclude(self, pending: Pending) -> None:
        """Nothing comes in its place: says what has changed."""


class LeavingAtOnce:
    """Of a pattern whose matches go out at once, or after the slack.

    Args:
        manager: Its event manager.
    """

    def __init__(self, manager: AtOnce) -> None:
        self._of = manager

    def hidden(self, event: Event) -> Pending | None:
        """As of `Leaving`."""
        manager = self._of
        view = manager.views.of(event)
        if view is None:
            return None
        view.memo.clear()
        pending = manager._held.of(view)
        if manager._by_match and not pending.ends:
            told = manager._evaluation.going(event, view)
            if told is not None:
                found, pending.changed = told
                # Their groups are ranges of the lanes as they are now, and once it has left.
                key = manager.results.own_key
                pending.back = [(key(m), m) for m in manager._sound(event, found)] if found else ()
                pending.changing = True
                return pending
            pending = manager._by_end(pending)
        if not manager.takes(event):
            return None
        pending.changing = False
        pending.touched = manager._evaluation.touched(event, view)
        return pending

    def shown(self, event: Event, pending: Pending) -> None:
        """As of `Leaving`."""
        manager = self._of
        view, key = pending.view, manager.results.own_key
        view.memo.clear()
        if not pending.changing:
            touched = pending.touched
            if touched is not None and manager._is_sound_end(event):
                touched = [*touched, event]
            manager._note(pending, manager._not_noted(event, pending, touched))
        elif pending.changed is not None:
            found = manager._evaluation.coming(view, pending.changed)
            manager._evaluation.counted_change(len(found))
            for match in manager._sound(event, found):
                pending.go(key(match), match)

    def left(self, event: Event, pending: Pending) -> None:
        """As of `Leaving`."""
        pending.view.memo.clear()
        for key, match in pending.back:
            pending.come(key, match)
        pending.back = ()
        pending.left[event.ordinal] = event.t_arr
        pending.late.append(event)
        if self._of._unsettled is not None:
            self._of._unsettled.keep(event, ())

    def conclude(self, pending: Pending) -> None:
        """As of `Leaving`."""
        if pending.changing and pending.due == FOREVER and not pending.changes:
            # It goes on as if nothing had been.
            pending.late.clear()
            pending.left.clear()
            return
        self._of._conclude(pending.late.pop(), pending)


class LeavingInTime(LeavingAtOnce):
    """Of a pattern some of whose matches wait for event time."""

    def __init__(self, manager: InTime) -> None:
        super().__init__(manager)
        self._deadlines = manager._waiting.deadlines

    def left(self, event: Event, pending: Pending) -> None:
        """As of `Leaving`."""
        self._deadlines.keep(event, ())
        super().left(event, pending)


class LeavingWhenFinal:
    """Of a pattern whose matches go out when they are final: nothing was said that would have to be changed.

    Args:
        manager: Its event manager.
    """

    def __init__(self, manager: WhenFinal) -> None:
        self._of = manager

    def hidden(self, event: Event) -> Pending | None:
        """As of `Leaving`."""
        view = self._of.views.of(event)
        return None if view is None or not self._of.takes(event) else Pending(view)

    def shown(self, event: Event, pending: Pending) -> None:
        """Nothing was emitted."""

    def left(self, event: Event, pending: Pending) -> None:
        """As of `Leaving`."""
        manager = self._of
        view, waiting = pending.view, manager._waiting
        view.memo.clear()
        for deadlines in (waiting.deadlines, manager._exposing, manager._unsettled):
            if deadlines is not None:
                deadlines.keep(event, ())
        # What it forbade, or was part of, may wait with end events whose time has come already.
        low, high = manager.touches(event)
        for end in manager._ends.between(view, max(low, manager.sound_from), high):
            if end.t_gen < waiting.settled:
                waiting.add(end, view, manager._evaluation.matches(end, view))

    def conclude(self, pending: Pending) -> None:
        """There is nothing to say."""
