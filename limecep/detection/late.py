"""The late path: events that are not later than all before them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from limecep.model.event import sort_key
from limecep.store.ignored_ids import Ignored

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from limecep.contracts.lateness import Verdict
    from limecep.detection.repair import Repair
    from limecep.detection.router import Router
    from limecep.detection.side_output import SideOutput
    from limecep.detection.ties import Ties
    from limecep.model.event import Event
    from limecep.patterns.event_manager import EventManager
    from limecep.statistics import Statistics
    from limecep.store.store import Store
    from limecep.store.type_set import TypeSet


class LatePath:
    """Has patterns judge late events, and correct what those change that they accept.

    Args:
        store: Where events go.
        router: Which patterns they concern.
        repair: Makes memory whole before a late event enters.
        ties: Told of events that came before others of their time.
        side: Takes what patterns refuse.
        statistics: Where events are counted.

    Attributes:
        correcting: The patterns that the last event may have made a difference to.
        partly: The groups that refused an event which others took, of the batch, by its ordinal.
    """

    #: It is that of one batch.
    transient: ClassVar[frozenset[str]] = frozenset({"partly", "correcting"})

    def __init__(
        self,
        store: Store,
        router: Router,
        repair: Repair,
        ties: Ties,
        side: SideOutput,
        statistics: Statistics,
    ) -> None:
        self.correcting: Sequence[EventManager] = ()
        self.partly: dict[int, frozenset[Hashable]] = {}
        self._store = store
        self._router = router
        self._repair = repair
        self._ties = ties
        self._side = side
        self._statistics = statistics
        # The last events that no pattern took.
        self._ignored = Ignored(store)

    def begin(self, batch: Sequence[Event]) -> None:
        """These events are about to be taken in."""
        self.partly = {}
        self._repair.begin(batch)

    def take(self, event: Event, latest: Event | None, outcomes: dict[str, int]) -> Event | None:
        """Takes in an event that is not later than all before it.

        Args:
            event: The event.
            latest: The latest one that was stored.
            outcomes: Those of its source.

        Returns:
            The latest event that is stored now.
        """
        self.correcting = ()
        type_set = self._store.type_set(event.type)
        if type_set is None:
            outcomes["irrelevant"] += 1
        elif event.id in type_set.ids(event.source):
            outcomes["duplicate"] += 1
        elif event.t_gen < self._statistics.lta:
            self._late(event, type_set)
        else:
            # Ties decide too: it counts as in order, but may correct.
            outcomes["in_order"] += 1
            if latest is None or sort_key(event) > sort_key(latest):
                self._store.add(event, type_set)
                for manager in self._router.enders.get(event.type, ()):
                    manager.came(event)
                return event
            self._ties.met()
            minding = self._router.minding(event.type)
            self._correct(event, type_set, minding, minding)
        return latest

    def _late(self, event: Event, type_set: TypeSet) -> None:
        statistics = self._statistics
        statistics.came_late(event)
        accepting: list[EventManager] = []
        refusing: list[str] = []
        first: Verdict | None = None
        minding = self._router.minding(event.type)
        for manager in minding:
            verdict = manager.assess(event)
            if verdict.extremely_late:
                refusing.append(manager.plan.name)
                first = first or verdict
            else:
                accepting.append(manager)
        if first is not None:
            self._side.extremely_late(event, refusing, first)
        if not accepting:
            statistics.refused(event)
            self._repair.refused(event, None)
            self._ignored.add(event.type, event.source, event.id)
            return
        self._repair.prepare(event, accepting)
        if event.id in type_set.ids(event.source):
            # Its like had left memory, and is there again.
            statistics.was_copy(event)
            return
        self._correct(event, type_set, accepting, minding)

    def _correct(
        self,
        event: Event,
        type_set: TypeSet,
        managers: Sequence[EventManager],
        minding: Sequence[EventManager],
    ) -> None:
        """Puts an event before others, and says what that changed.

        Args:
            event: The event.
            type_set: That of its type.
            managers: The patterns that accepted it.
            minding: Those that it may make a difference to.
        """
        self.correcting = managers
        refused: frozenset[Hashable] = frozenset()
        if len(managers) < len(minding):
            refused = frozenset(m.group for m in minding) - frozenset(m.group for m in managers)
        self._repair.refused(event, refused)
        prepared = [(m, m.prepare(event)) for m in managers]
        self._store.add(event, type_set, refused)
        if refused:
            self.partly[event.ordinal] = refused
        for manager, pending in prepared:
            if pending is not None:
                pending.view.memo.clear()
                manager.entered(event, pending)

    def snapshot(self) -> dict[str, Any]:
        """What must survive a crash."""
        return {"ignored": self._ignored.snapshot()}

    def restore(self, known: Mapping[str, Any]) -> None:
        """It is as it was in a snapshot."""
        self._ignored.restore(known["ignored"])
