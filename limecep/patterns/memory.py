"""What a pattern needs of memory, and does when memory lets go: its answers to retention and repair."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.model.time import FOREVER

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from limecep.contracts.lateness import LatenessPolicy
    from limecep.contracts.results import ResultPolicy
    from limecep.model.event import Event
    from limecep.patterns.event_manager import EventManager
    from limecep.statistics import Statistics

    #: A range of time, both ends included.
    Span = tuple[int, int]

#: How many windows an event is kept behind the earliest one a policy would still accept: the end events it
#: can touch reach two on, the window of each one back, and rule (c) one more (SEMANTICS 10).
WINDOWS_KEPT = 3

#: How many windows before what changes a match the event may be that is derived of it: the match may end a
#: window before a negated event that hits it, and begin another before that.
WINDOWS_BACK = 2


class PatternMemory:
    """One pattern, as retention and repair know it. Times are `t_gen` in microseconds.

    Args:
        manager: Its event manager.
        lateness: Its lateness policy.
        results: Its result policy.
        statistics: What they decide on.
        below: Those of the patterns whose derived events it reads.
    """

    def __init__(
        self,
        manager: EventManager,
        lateness: LatenessPolicy,
        results: ResultPolicy,
        statistics: Statistics,
        below: Sequence[PatternMemory] = (),
    ) -> None:
        plan = manager.plan
        self.name = plan.name
        self._manager = manager
        self._results = manager.results
        self._lateness = lateness
        self._statistics = statistics
        self._below = below
        self._within = within = plan.within
        # How far before an end event its results depend on what happened (SEMANTICS 10). By rule (c) of
        # section 7 it matters what an earlier end event completed, whose window begins sooner; not where a
        # match has one first event alone, as what can replace it then starts there, too.
        alone = all(a.steps[0].quantifier.single for a in plan.alternatives)
        self._look_back = within if alone or plan.select != "stnm" else 2 * within
        # A match may grow at its end, or be forbidden after it.
        open_ended = any(
            a.growing or any(n.after > a.ends[0] for n in a.negations) for a in plan.alternatives
        )
        self._look_ahead = 2 * within if open_ended else 0
        # Whether what is older than memory can be put right. Not what goes out only when it is final, nor
        # where one match decides about others, by a skip strategy (SEMANTICS 9) or by the result policy: it
        # stays as it was.
        self._repairs = results.emit != "final" and results.skip is None and "emit" in results.passes
        #: How long after the latest event, in microseconds, something is needed that no event is needed for;
        #: None for ever.
        self.lasts: int | None = getattr(results, "lasts", 0)

    # -- what it needs -------------------------------------------------------------------------------------

    @property
    def remembered(self) -> int:
        """How many matches it keeps in mind."""
        return self._results.remembered

    @property
    def awaits(self) -> bool:
        """Whether end events wait for anything."""
        return self._manager.awaited_from < FOREVER

    @property
    def needed_from(self) -> int:
        """The time from which on it may still need events."""
        known = self._reaches
        return -FOREVER if known == -FOREVER else known - WINDOWS_KEPT * self._within

    @property
    def _reaches(self) -> int:
        """The time from which on something may still change what it finds, as far as can be told."""
        manager = self._manager
        horizon = manager.own_horizon
        if horizon is None:
            horizon = -FOREVER
            if self._lateness.learns:
                horizon = self._statistics.lta - max(manager.latest_accepted, self._within)
        known = min(horizon, manager.awaited_from)
        for memory in self._below:
            known = min(known, memory._reaches - WINDOWS_BACK * memory._within)
        return max(known, -FOREVER)

    @property
    def horizon(self) -> int | None:
        """The time before which it accepts no event any more; None if there is none."""
        return self._manager.horizon

    @property
    def repairs(self) -> bool:
        """Whether it finds what late events change where memory has to be made whole first."""
        return self._repairs

    @property
    def looks_from(self) -> int:
        """The time from which on it needs events, as long as nothing comes later than the latest so far."""
        manager = self._manager
        spare = min(manager.latest_accepted, WINDOWS_KEPT * self._within - self._look_back)
        return min(manager.awaited_from, self._statistics.lta) - self._look_back - spare

    def waits_before(self, before: int) -> bool:
        """Whether something waits that has to do with events before a time."""
        return self._manager.awaited_from < before + self._look_back

    def may_accept(self, event: Event) -> bool:
        """Whether it may accept an event that is to come, as far as can be told."""
        horizon = self._manager.horizon
        return horizon is None or event.t_gen >= horizon

    def wanted_for(self, event: Event) -> Span | None:
        """What it `needs` of memory before a late event enters, and has to have again; None where that is no
        use."""
        manager = self._manager
        # What lies before `sound_from` is left alone in any case.
        if not self._repairs or not manager.takes(event) or manager.touches(event)[1] < manager.sound_from:
            return None
        return self.needs(event)

    def needs(self, event: Event) -> Span:
        """The range, both ends included, that decides what a late event changes: the windows of the end
        events that it touches, and where that matters what comes after them."""
        low, high = self._manager.touches(event)
        return low - self._look_back, high + self._look_ahead

    def is_clear_of(self, event: Event, whole_from: int) -> bool:
        """Whether all that a late event may make it look at is in memory that is whole from a time on."""
        low = self._manager.touches(event)[0]
        return low - self._look_back >= whole_from and low >= self._manager.sound_from

    # -- what memory lets go -------------------------------------------------------------------------------

    def forget_settled(self) -> None:
        """Lets go of the matches that nothing can change."""
        if self._manager.horizon is not None:
            self._results.forget(self.needed_from)

    def give_up(self, before: int) -> list[Event]:
        """Events before a time are about to leave: does all that cannot be done without them. Gives the end
        events that waited for time, and can do so no longer."""
        sound_from = before + self._look_back
        self._manager.settle(sound_from)
        return self._manager.give_up(sound_from)

    def is_cut(self, before: int) -> bool:
        """Whether it looks back further than memory reaches that begins at a time: what comes next is found
        in windows that are not whole."""
        return before + self._look_back > self._statistics.lta

    def left(self, before: int, *, returnable: bool) -> None:
        """The events before a time have left; they may come again where they are `returnable`."""
        manager, results = self._manager, self._results
        if self.is_cut(before):
            self._begin(before)
        if returnable:
            results.archive(before)
            manager.sound_from = max(manager.sound_from, results.lost_until + 1)
        else:
            results.forget(before)

    # -- what comes again ----------------------------------------------------------------------------------

    def settle(self, whole_from: int) -> None:
        """Events before those of memory, which begins at a time, are about to come again."""
        self._manager.settle(whole_from + self._look_back)
        self._results.archive(whole_from)

    def rebuild(self, span: Span, known: Iterable[Span], whole_from: int) -> None:
        """All events of a range before those of memory are there again: learns again what was emitted.

        Args:
            span: The range.
            known: The parts of it, in order, that were there before: of these it is known.
            whole_from: The time from which on memory is whole.
        """
        if not self._repairs:
            return
        low, high = self._known_ends(span, whole_from)
        for part in known:
            first, last = self._known_ends(part, whole_from)
            if first <= last:
                self._manager.rebuild(low, first - 1, whole_from)
                low = last + 1
        self._manager.rebuild(low, high, whole_from)

    def _known_ends(self, span: Span, whole_from: int) -> Span:
        """The range of end events of which it is known what was emitted where all of a range is there."""
        low, high = span
        last = whole_from + self._within if high >= whole_from - 1 else high - self._within
        return low + self._look_back, last

    # -- what it knows -------------------------------------------------------------------------------------

    def is_sound(self, event: Event, whole_from: int, *, whole: bool) -> bool:
        """Whether all end events that a late event touches can be evaluated. What cannot is left alone from
        now on, as it is not known any more what was emitted for it.

        Args:
            event: The event.
            whole_from: The time from which on memory is whole.
            whole: Whether what it `needs` is there, be it that events came again.
        """
        manager = self._manager
        if not (whole if self._repairs else self.needs(event)[0] >= whole_from):
            self._begin(whole_from)
        return manager.touches(event)[0] >= manager.sound_from

    def _begin(self, whole_from: int) -> None:
        manager = self._manager
        manager.sound_from = max(manager.sound_from, whole_from + self._look_back)
