"""Matches go out at once, and are corrected when late events change them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from limecep.model.event import sort_key
from limecep.model.time import FOREVER
from limecep.patterns.event_manager import EventManager
from limecep.patterns.pending import Held

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from limecep.contracts.tables import Tables
    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.patterns.deadlines import Deadlines
    from limecep.patterns.emission.leaving import Leaving
    from limecep.patterns.match_codec import MatchCodec
    from limecep.patterns.pending import Pending
    from limecep.store.view import View


class AtOnce(EventManager):
    """What is found for an end event goes out when it comes. A late event has those evaluated again that it
    touches, after the slack, and what that changes is said. Where the result policy announces, it is said of
    what was emitted when nothing can change it any more."""

    transient: ClassVar[frozenset[str]] = EventManager.transient | {"by_match"}

    def _begin(self, tables: Tables, matches: MatchCodec) -> None:
        self._held = Held(tables, self.views, matches, self.results.own_key)
        #: Whether it is all that is to be known of a late event which matches it changes: no end event waits.
        self._by_match = type(self) is AtOnce and self.results.by_match
        #: What was emitted and is not final yet; None where that is not announced.
        self._unsettled: Deadlines | None = None
        if self._policies.results.announces:
            from limecep.patterns.deadlines import Deadlines

            self._unsettled = Deadlines(tables, "unsettled")

    @property
    def shares(self) -> bool:
        alternatives = self.plan.alternatives
        return (
            type(self) is AtOnce
            and self._unsettled is None
            and self._view is not None
            and self.plan.select != "sc"
            and len(alternatives) == 1
            and len(alternatives[0].ends) == 1
            and self._evaluation.sharing is not None
        )

    @property
    def waits(self) -> bool:
        return self._unsettled is not None

    @property
    def slack_due(self) -> int:
        return self._held.due

    @property
    def next_deadline(self) -> int:
        return FOREVER if self._unsettled is None else self._reached(self._unsettled.first)

    @property
    def awaited_from(self) -> int:
        held = [t for p in self._held.by_view.values() for t in (p.first, *[e.t_gen for e in p.late])]
        timed = FOREVER if self._unsettled is None else self._unsettled.first
        return min(timed - self.plan.within if timed < FOREVER else FOREVER, *held, FOREVER)

    # -- in order ------------------------------------------------------------------------------------------

    def came(self, event: Event) -> None:
        # Of many types few events can end a match. Conditions are for those of its own keys.
        if event.type not in self._ends.types:
            return
        view = self._view or self.views.of(event)
        if view is not None and (event.type in self._ends.surely or event in self._ends):
            if self._unsettled is not None:
                self._unsettled.add(self._timing.settled(event), event, view)
            self._ended(event, view)

    def _ended(self, end: Event, view: View) -> None:
        """An end event has come in order."""
        self.results.ended(end, view)

    def _held_back(self, end: Event, view: View) -> bool:
        """Lets an end event that has come in order wait for the slack; False if there is none."""
        wait = self._slack()
        if wait <= 0:
            return False
        pending = self._held.of(view)
        pending.waits(end)
        self._held.hold(pending, self._clock.now() + wait)
        return True

    # -- late ----------------------------------------------------------------------------------------------

    def prepare(self, event: Event, after: Pending | None = None) -> Pending | None:
        if self.waits:
            self.run_due()
        view = self._view or self.views.of(event)
        if view is None:
            return None
        pending = self._held.of(view) if after is None else after
        if self._by_match and not pending.ends:
            told = self._evaluation.going(event, view)
            if told is not None:
                found, pending.changed = told
                pending.changing = True
                if found:
                    key = self.results.own_key
                    for match in self._sound(event, found):
                        pending.go(key(match), match)
                return pending
            pending = self._by_end(pending)
        if not self.takes(event):
            return None
        pending.changing = False
        self._note(pending, self._not_noted(event, pending, self._evaluation.touched(event, view)))
        return pending

    def _by_end(self, pending: Pending) -> Pending:
        """What waits is looked at match by match, or by end event: not both. Gives what is to be looked at by
        end event."""
        if not pending.changes:
            return pending
        if pending.due == FOREVER:
            # It stands for one event whose place another takes.
            self._revise(pending)
        else:
            self._release(pending)
        return self._held.of(pending.view)

    def _note(self, pending: Pending, ends: Sequence[Event]) -> None:
        """Notes what was emitted for end events that are not pending yet."""
        if ends:
            pending.before |= self.results.emitted(ends, pending.view, self.decided)
            for end in ends:
                pending.ends[end.ordinal] = end

    def _not_noted(self, event: Event, pending: Pending, touched: Sequence[Event] | None) -> list[Event]:
        """The end events that an event can touch, but for those that are pending already.

        Args:
            event: The event.
            pending: What is pending.
            touched: What the engine says of it; None if it cannot tell.
        """
        low, high = self.touches(event)
        low = max(low, self.sound_from)
        if touched is not None:
            return [e for e in touched if low <= e.t_gen <= high and e.ordinal not in pending.ends]
        # Of what is at the latest time more may come in order.
        lacking = pending.widen(low, high, min(high, self._statistics.lta - 1))
        ends = [e for span in lacking for e in self._ends.between(pending.view, *span)]
        return [e for e in ends if e.ordinal not in pending.ends]

    def _sound(self, event: Event, found: Sequence[Match]) -> Sequence[Match]:
        """Those matches that an event may change, and of which it is known whether they were emitted."""
        low, high = self.touches(event)
        t = event.t_gen
        if self.sound_from <= low <= t and high >= t + 2 * self.plan.within:
            return found
        low = max(low, self.sound_from)
        return [
            m for m in found if low <= m.end.t_gen <= high or (m.end is event and self._is_sound_end(event))
        ]

    def entered(self, event: Event, pending: Pending) -> None:
        changing = pending.changing
        if (not changing or self._unsettled is not None) and self._is_sound_end(event):
            if not changing:
                pending.ends[event.ordinal] = event
            if self._unsettled is not None:
                self._unsettled.add(self._timing.settled(event), event, pending.view)
        if changing:
            if pending.changed is not None:
                found = self._evaluation.coming(pending.view, pending.changed)
                self._evaluation.counted_change(len(found))
                if found:
                    key = self.results.own_key
                    for match in self._sound(event, found):
                        pending.come(key(match), match)
            if pending.due == FOREVER and not pending.changes:
                return
        self._conclude(event, pending)

    def _conclude(self, event: Event, pending: Pending) -> None:
        """Looks at what has changed, at once or after the slack."""
        pending.late.append(event)
        wait = self._slack()
        if (wait > 0 or self._gathering) and pending.changes:
            self._held.hold(pending, self._clock.now() + wait)
            self.slack_waits += wait > 0
        elif pending.due == FOREVER:
            self._revise(pending)
        else:
            self._held.note(pending)

    @property
    def leaving(self) -> Leaving:
        from limecep.patterns.emission.leaving import LeavingAtOnce

        return LeavingAtOnce(self)

    def run_slack(self, now: int) -> None:
        if self._held.due <= now:
            for pending in [p for p in self._held.by_view.values() if p.due <= now]:
                self._release(pending)

    def _release(self, pending: Pending) -> None:
        """Looks at what has waited, or need not wait longer."""
        self._held.take(pending)
        self._revise(pending)

    def _revise(self, pending: Pending) -> None:
        """Says how what is found now differs from what was emitted."""
        if pending.ends:
            ends = pending.ends.values()
            there = [e for e in ends if e.ordinal not in pending.left] if pending.left else ends
            self._again(sorted(there, key=sort_key), pending)
        elif pending.changes:
            self.results.change(pending)

    def _again(self, ends: list[Event], pending: Pending) -> None:
        """Evaluates end events again, in order."""
        self.results.revise(ends, pending, self.decided)

    # -- time ----------------------------------------------------------------------------------------------

    def run_due(self) -> None:
        if self._unsettled is None:
            return
        before = self._final_before()
        self._closed = max(self._closed, before)
        for due, ends in self._unsettled.take(before):
            for end, view in ends:
                pending = self._held.by_view.get(id(view))
                # Also what ends later: it may contain what is to be final, or drop it.
                if pending is not None and pending.first <= due:
                    self._release(pending)
                self.results.finish(end, view)

    def _closed_now(self) -> int:
        return -FOREVER if self._unsettled is None else max(self._closed, self._final_before())

    # -- memory --------------------------------------------------------------------------------------------

    def settle(self, before: int) -> None:
        super().settle(before)
        for pending in list(self._held.by_view.values()):
            if pending.concerns(before):
                self._release(pending)

    def give_up(self, before: int) -> list[Event]:
        return [] if self._unsettled is None else self._unsettled.drop(before)

    def restore(self, known: Mapping[str, Any]) -> None:
        super().restore(known)
        if self._unsettled is not None:
            self._unsettled.restore(self.views)
        self._held.restore()
