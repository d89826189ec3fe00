"""Revisions: events that their source says anew, or takes back (SEMANTICS 11).

Of one identity the statement with the greatest version counts. An event that leaves is the same to the
patterns as one that comes late: what it can touch is evaluated, the store changes, it is evaluated again, and
the difference is said. One that takes the place of another is both at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from limecep.detection.stated import identity_of
from limecep.model.event import UNVERSIONED, Event, Statement
from limecep.store.absence import absence as absence_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from limecep.contracts.lateness import Verdict
    from limecep.detection.agenda import Agenda
    from limecep.detection.in_order import InOrderPath
    from limecep.detection.late import LatePath
    from limecep.detection.repair import Repair
    from limecep.detection.router import Router
    from limecep.detection.side_output import SideOutput
    from limecep.detection.stated import Groups, Held, Identity, Stated
    from limecep.patterns.emission.leaving import Leaving
    from limecep.patterns.event_manager import EventManager
    from limecep.patterns.pending import Pending
    from limecep.statistics import Statistics
    from limecep.store.store import Store


class _Left(NamedTuple):
    """What the leaving of an event changes for a pattern."""

    manager: "EventManager"
    event: "Event"
    pending: "Pending"


class Revisions:
    """Takes in what sources say that may take it back.

    Args:
        store: Where events are.
        router: Which patterns they concern.
        in_order: Takes what is said for the first time.
        late: Told which patterns do not see an event.
        repair: Makes memory whole before something changes.
        side: Takes what patterns refuse.
        agenda: Does what time has come for.
        statistics: Where events are counted.
        stated: Remembers what was said.
    """

    def __init__(
        self,
        store: Store,
        router: Router,
        in_order: InOrderPath,
        late: LatePath,
        repair: Repair,
        side: SideOutput,
        agenda: Agenda,
        statistics: Statistics,
        stated: Stated,
    ) -> None:
        self._store = store
        self._router = router
        self._in_order = in_order
        self._late = late
        self._repair = repair
        self._side = side
        self._agenda = agenda
        self._statistics = statistics
        self._stated = stated
        self._groups = stated.groups
        self._leaving: dict[EventManager, Leaving] = {}

    # -- statements ----------------------------------------------------------------------------------------

    def take(self, source: str, statements: Sequence[Event]) -> None:
        """Takes in what a source says, in the order of its arrival."""
        first: dict[Identity, Statement] = {}
        others: list[Event] = []
        for event in statements:
            type_set = self._store.type_set(event.type)
            if type_set is None and isinstance(event, Statement) and event.withdrawn:
                # It has the time at which it was said, which is no event's.
                self._begin(source, others, first)
                others, first = [], {}
                self._in_order.begun += 1
                self._statistics.source(source).outcomes["irrelevant"] += 1
                continue
            if type_set is None or not isinstance(event, Statement):
                others.append(event)
                continue
            identity = identity_of(event)
            if identity in first:
                self._begin(source, others, first)
                others, first = [], {}
            if event.withdrawn or self._stated.known(identity):
                self._begin(source, others, first)
                others, first = [], {}
                self._again(event, identity)
                continue
            # One that was refused is not what this one repeats.
            type_set.ids(source).discard(event.id)
            others.append(event)
            first[identity] = event
        self._begin(source, others, first)

    def _begin(self, source: str, events: Sequence[Event], first: Mapping[Identity, Statement]) -> None:
        """Takes in events that nothing is known of, and others in between."""
        if events:
            self._in_order.take(source, events)
        for event in first.values():
            # What was refused, or claims to be from the future, says nothing.
            if event.ordinal:
                self._stated.first(event, self._late.partly.get(event.ordinal))

    def _again(self, statement: Statement, identity: Identity) -> None:
        """Takes in a statement about an identity of which something is known, or a withdrawal."""
        figures = self._statistics.source(statement.source)
        if not self._in_order.admits(statement, figures):
            return
        held = self._stated.known(identity)
        older = [h for h in held if h.version < statement.version]
        if statement.version == UNVERSIONED:
            # What counts now is withdrawn; what is said with a greater version counts again.
            older = [h for h in held if not h.withdrawn]
            statement.version = max([h.version for h in held], default=UNVERSIONED)
        up_to_date = [h for h in held if h not in older]
        counting = {g: h for h in held for g in (self._groups if h.groups is None else h.groups)}
        concerned = self._groups - {g for g, h in counting.items() if h in up_to_date}
        if not concerned:
            figures.outcomes["duplicate"] += 1
            self._stated.met(statement, held)
            return
        if self._says_the_same(statement, older, held):
            figures.outcomes["duplicate"] += 1
            self._stated.repeated(statement, held[0])
            return
        minding = [m for m in self._router.minding(statement.type) if m.group in concerned]
        accepting = self._judged(statement, counting, minding)
        if not accepting:
            figures.outcomes["extremely_late"] += 1
            return
        figures.outcomes["withdrawn" if statement.withdrawn else "revised"] += 1
        groups = frozenset(m.group for m in accepting)
        if statement.version == UNVERSIONED:
            # Nothing is known that could be withdrawn, nor what is older.
            figures.unmet += 1
            return
        replaced = [(statement, h) for h in older if not h.withdrawn]
        self._replace(statement, replaced, accepting, groups)
        if self._agenda.timed:
            self._agenda.run(self._statistics.lta)
        self._stated.counts(statement, held, groups)

    def _says_the_same(self, statement: Statement, older: Sequence[Held], held: Sequence[Held]) -> bool:
        """Whether a statement, but for its version, repeats the one that counts."""
        if len(older) != 1 or len(held) != 1 or held[0].groups is not None or statement.withdrawn:
            return False
        return any(
            (event.t_gen, event.seq, event.payload) == (statement.t_gen, statement.seq, statement.payload)
            for _, event in self._found(statement, older)
        )

    def _judged(
        self, statement: Statement, counting: Mapping[Hashable, Held], minding: Sequence[EventManager]
    ) -> Sequence[EventManager]:
        """The patterns that accept a statement. It is judged like a late event as early as what it changes,
        and does not count as one."""
        lta = self._statistics.lta
        accepting: list[EventManager] = []
        refusing: list[str] = []
        first: Verdict | None = None
        for manager in minding:
            held = counting.get(manager.group)
            t_gen = statement.t_gen
            if held is not None and not held.withdrawn:
                t_gen = held.t_gen if statement.withdrawn else min(t_gen, held.t_gen)
            if t_gen >= lta:
                accepting.append(manager)
                continue
            verdict = self._verdict(replace(statement, t_gen=t_gen), manager)
            if verdict.extremely_late:
                refusing.append(manager.plan.name)
                first = first or verdict
            else:
                accepting.append(manager)
        if first is not None:
            self._side.extremely_late(statement, refusing, first)
            if not accepting:
                self._statistics.type(statement.type).extremely_late += 1
        return accepting

    def _verdict(self, event: Event, manager: EventManager) -> Verdict:
        """That of a pattern; statistics count the event for as long as it is judged."""
        statistics = self._statistics
        spreads = statistics.lateness, statistics.type(event.type).lateness
        before = [spread.snapshot() for spread in spreads]
        statistics.came_late(event)
        try:
            return manager.assess(event)
        finally:
            for spread, known in zip(spreads, before, strict=True):
                spread.restore(known)
            statistics.source(event.source).outcomes["out_of_order"] -= 1

    # -- what is derived -----------------------------------------------------------------------------------

    def derived(self, come: Statement | None, gone: Statement | None, beside: Event | None) -> None:
        """An event that a pattern derives is there now, is no more, or takes the place of another.

        Args:
            come: It; None if none comes.
            gone: What is no more, withdrawn; None if nothing is.
            beside: The event of the batch that is being taken in; None if there is none.
        """
        statement = come or gone
        assert statement is not None
        minding = self._router.minding(statement.type)
        known = {identity_of(s): self._stated.known(identity_of(s)) for s in (come, gone) if s is not None}
        held = known[identity_of(statement)]
        self._repair.joins(statement, beside)
        if come is not None:
            come.version = max([h.version + 1 for h in held], default=0)
        standing = [] if gone is None else [h for h in known[identity_of(gone)] if not h.withdrawn]
        found = [] if gone is None else [(gone, h) for h in standing]
        self._replace(statement, found, minding, self._groups)
        if come is not None and held:
            self._stated.counts(come, held, self._groups)
        elif come is not None:
            self._stated.first(come, None)
        if gone is not None and standing and (come is None or identity_of(come) != identity_of(gone)):
            gone.version, gone.withdrawn = standing[0].version + 1, True
            self._stated.counts(gone, standing, self._groups)

    # -- what changes --------------------------------------------------------------------------------------

    def _replace(
        self,
        statement: Statement,
        older: Sequence[tuple[Statement, Held]],
        accepting: Sequence[EventManager],
        groups: Groups,
    ) -> None:
        """Has the events leave that counted until now, and the new one enter, for the patterns that accept
        it.

        Args:
            statement: What counts now.
            older: What counted, each beside a statement about the same event.
            accepting: The patterns that accept it.
            groups: Their groups.
        """
        for about, held in older if self._repair.needed else ():
            having = [m for m in accepting if held.groups is None or m.group in held.groups]
            self._repair.prepare(replace(about, t_gen=held.t_gen), having, statement)
        if not statement.withdrawn:
            self._repair.prepare(statement, accepting, statement)
        after: dict[int, _Left] = {}
        for about, replaced in older:
            for held, event in self._found(about, [replaced]):
                for left in self._leave(event, statement.t_arr, held, accepting, groups):
                    after[id(left.manager)] = left
                    if not statement.withdrawn:
                        left.pending.revised.add(event.ordinal)
        if not statement.withdrawn:
            self._enter(statement, accepting, groups, after)
        for left in after.values():
            self._leaving[left.manager].conclude(left.pending)
        self._agenda.look_at(accepting)
        if not statement.withdrawn:
            # Not sooner: what is no more would be final.
            self._in_order.reach(statement)

    def _found(self, statement: Statement, older: Iterable[Held]) -> list[tuple[Held, Event]]:
        """The events in the store that older statements have told."""
        found = []
        for held in older:
            for event in () if held.withdrawn else self._store.at(statement.type, held.t_gen):
                known = isinstance(event, Statement) and event.version == held.stored
                if known and event.id == statement.id and event.source == statement.source:
                    found.append((held, event))
        return found

    def _leave(
        self, event: Event, now: int, held: Held, accepting: Sequence[EventManager], groups: Groups
    ) -> list[_Left]:
        """Has an event leave for the patterns of some groups, as far as these have it; gives what that
        changes. It is told now, by the arrival clock."""
        having = self._groups if held.groups is None else held.groups
        groups &= having
        accepting = [m for m in accepting if m.group in groups]
        if not accepting:
            return []
        for manager in accepting:
            if manager.waits:
                manager.run_due()
            if manager not in self._leaving:
                self._leaving[manager] = manager.leaving
        leaving = self._leaving
        stays = not having <= groups
        absence = absence_of(self._store, event, self._groups - groups if stays else ())
        absence.hide()
        self._store.changes += 1
        asked = [_Left(m, event, p) for m in accepting if (p := leaving[m].hidden(event)) is not None]
        absence.show()
        for left in asked:
            leaving[left.manager].shown(event, left.pending)
        absence.hide()
        if not stays:
            self._store.leave(event)
        self._stated.left(event, groups if stays else None)
        # What is said of it is said because of what came now.
        told = replace(event, t_arr=now)
        for left in asked:
            leaving[left.manager].left(told, left.pending)
        return asked

    def _enter(
        self,
        statement: Statement,
        accepting: Sequence[EventManager],
        groups: Groups,
        after: dict[int, _Left],
    ) -> None:
        """Has an event enter for the patterns of some groups. What is looked at together with another that
        has left is taken out of `after`."""
        type_set = self._store.type_set(statement.type)
        assert type_set is not None
        refused = self._groups - groups
        self._repair.refused(statement, refused)
        prepared: list[tuple[EventManager, Pending, _Left | None]] = []
        for manager in accepting:
            left = after.get(id(manager))
            if left is not None and manager.views.of(statement) is left.pending.view:
                pending = manager.prepare(statement, left.pending)
            else:
                left, pending = None, manager.prepare(statement)
            if pending is not None:
                prepared.append((manager, pending, left))
        self._store.add(statement, type_set, refused)
        if refused:
            self._late.partly[statement.ordinal] = refused
        for manager, pending, left in prepared:
            if left is not None:
                del after[id(manager)]
                pending.revised.add(statement.ordinal)
            pending.view.memo.clear()
            manager.entered(statement, pending)
