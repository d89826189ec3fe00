"""Derived events: what the matches of some patterns are to others (SEMANTICS 13).

Every match that stands is an event. It enters when the match is told, whatever its time, leaves when that is
taken back, and changes with it. Nobody judges it: that was done with what caused it.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, ClassVar

from limecep.detection.stated import identity_of
from limecep.model.contents import assignment, match_id
from limecep.model.derivation import levels
from limecep.model.event import DerivedEvent, sort_key
from limecep.model.time import FOREVER
from limecep.patterns.below import Below

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from limecep.detection.in_order import InOrderPath
    from limecep.detection.revisions import Revisions
    from limecep.detection.router import Router
    from limecep.detection.stated import Stated
    from limecep.model.derivation import Derivation
    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.model.update import Update
    from limecep.patterns.detector import Detector
    from limecep.patterns.event_manager import EventManager
    from limecep.statistics import Statistics
    from limecep.store.store import Store

    Deliver = Callable[[Update], None]


class Derived:
    """Takes the updates of patterns that derive, and has their events enter and leave.

    What is told while an event is taken in waits until all patterns have looked at that.

    Args:
        detectors: The patterns.
        kept: Whether the events that enter are to be written down.

    Attributes:
        types: The types of all that is derived.
        levels: The patterns by name, each with how many levels stand below it.
        told: Whether anything was derived since this was set to False.
        entered: Those that entered, and are to be written down.
    """

    #: It follows from the patterns, or is of one batch.
    transient: ClassVar[frozenset[str]] = frozenset(
        {"types", "levels", "told", "entered", "kept", "deriving", "waiting", "busy", "by_type", "named"}
    )

    def __init__(self, detectors: Sequence[Detector], *, kept: bool) -> None:
        self.told = False
        self.entered: list[Event] = []
        self._kept = kept
        self._deriving = {d.plan.name: d.derives for d in detectors if d.derives is not None}
        self._by_type: dict[str, list[str]] = {}
        for name, derivation in self._deriving.items():
            self._by_type.setdefault(derivation.type, []).append(name)
        self._named = frozenset(t for d in detectors for t in d.plan.types)
        self.types = frozenset(self._by_type)
        self.levels = levels({d.plan.name: self.read_by(d) for d in detectors})
        self._waiting: deque[tuple[Update, Derivation]] = deque()
        self._busy = False

    def read_by(self, detector: Detector) -> list[str]:
        """The patterns whose events a pattern reads."""
        return [name for t in sorted(detector.plan.types) for name in self._by_type.get(t, ())]

    def below(self, detector: Detector, managers: Mapping[str, EventManager]) -> Below | None:
        """What a pattern waits for; None if it reads nothing that is derived.

        Args:
            detector: The pattern.
            managers: The event managers of those on lower levels, by name.
        """
        read = self.read_by(detector)
        deriving = [(managers[name], self._deriving[name]) for name in read]
        return Below(deriving, self._upcoming) if deriving else None

    def deliver(self, name: str, deliver: Deliver | None) -> Deliver | None:
        """What takes the updates of a pattern, `deliver` being what takes those of all."""
        derivation = self._deriving.get(name)
        if derivation is None:
            return deliver
        waiting = self._waiting

        def derive(update: Update) -> None:
            if deliver is not None:
                deliver(update)
            if update.op != "final":
                waiting.append((update, derivation))

        return derive

    def begin(
        self,
        store: Store,
        router: Router,
        in_order: InOrderPath,
        revisions: Revisions,
        stated: Stated,
        statistics: Statistics,
    ) -> None:
        """These take in what it derives."""
        self._store = store
        self._router = router
        self._in_time = in_order
        self._revisions = revisions
        self._stated = stated
        self._statistics = statistics

    @property
    def waits(self) -> bool:
        """Whether something was told, and has not entered yet."""
        return bool(self._waiting)

    def _upcoming(self) -> int:
        """The least `t_gen` of what waits to enter, or to leave."""
        return min(
            [d.t_gen(m) for u, d in self._waiting for m in (u.match, u.before) if m is not None],
            default=FOREVER,
        )

    def enter(self, beside: Event | None = None) -> None:
        """Takes in what was derived, and what is derived of that.

        Args:
            beside: The event of the batch that is being taken in; None if there is none.
        """
        if self._busy:
            # What patterns on higher levels wait for is done when those below are.
            return
        self._busy = True
        waiting = self._waiting
        try:
            while waiting:
                # What waits counts as such for as long as it has not entered.
                told = list(waiting)
                readers = self._readers(told) if len(told) > 1 else []
                for manager in readers:
                    manager.gather()
                if all(update.op == "emit" for update, _ in told):
                    # In order, most come after what is there.
                    for event in sorted(self._all_told(told), key=sort_key):
                        self._come(event, None, beside)
                else:
                    for update, derivation in told:
                        self._take(update, derivation, beside)
                for manager in readers:
                    manager.gathered()
                for _ in told:
                    waiting.popleft()
        finally:
            self._busy = False

    def _readers(self, told: Sequence[tuple[Update, Derivation]]) -> list[EventManager]:
        """The patterns that read what was told, from the lowest level on."""
        types = sorted({d.type for _, d in told} & self._named)
        readers = dict.fromkeys([m for t in types for m in self._router.minding(t)])
        return sorted(readers, key=lambda m: self.levels[m.plan.name])

    def _all_told(self, told: Sequence[tuple[Update, Derivation]]) -> list[DerivedEvent]:
        """The events of all matches that are to enter."""
        self.told = True
        return [self._event(u.match, u, d) for u, d in told if d.type in self._named]

    def _take(self, update: Update, derivation: Derivation, beside: Event | None) -> None:
        self.told = True
        if derivation.type not in self._named:
            # Nobody reads it.
            return
        if update.op == "retract":
            left = self._event(update.match, update, derivation)
            left.withdrawn, left.payload = True, {}
            self._revisions.derived(None, left, beside)
            return
        before = update.before
        gone = None if before is None else self._event(before, update, derivation)
        self._come(self._event(update.match, update, derivation), gone, beside)

    def _come(self, event: DerivedEvent, gone: DerivedEvent | None, beside: Event | None) -> None:
        """Takes in an event, in the place of another or of none."""
        if gone is not None or self._stated.known(identity_of(event)) or not self._in_order(event):
            self._revisions.derived(event, gone, beside)
        else:
            type_set = self._store.type_set(event.type)
            assert type_set is not None
            self._store.add(event, type_set)
            self._in_time.reach(event)
            self._stated.first(event, None)
            for ender in self._router.enders.get(event.type, ()):
                ender.came(event)
        if self._kept:
            self.entered.append(event)

    def _in_order(self, event: DerivedEvent) -> bool:
        """Whether an event has the latest time, and comes after all of that time that those read who read
        it."""
        if event.t_gen != self._statistics.lta:
            return False
        key = sort_key(event)
        latest = self._in_time.latest
        if latest is None or sort_key(latest) <= key:
            return True
        readers = self._router.minding(event.type)
        types = {t for m in readers for t in m.plan.types}
        return all(m.plan.select != "sc" for m in readers) and not any(
            sort_key(e) > key for t in types for e in self._store.at(t, event.t_gen)
        )

    def _event(self, match: Match, update: Update, derivation: Derivation) -> DerivedEvent:
        """The event of a match."""
        cause = update.cause_event
        return DerivedEvent(
            derivation.type,
            match_id(update.pattern, update.key, assignment(match.events())),
            derivation.t_gen(match),
            update.detected if cause is None else cause.t_arr,
            update.pattern,
            _payload(match, update),
        )


def _payload(match: Match, update: Update) -> dict[str, object]:
    """What the event of a match says: the values of RETURN, and its partition key."""
    returned = match.alternative.returned
    values = {} if returned is None else returned(match.events(), match.end)
    return values | (update.key or {})
