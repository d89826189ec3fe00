"""What was said: which statement about an event counts, for which patterns (SEMANTICS 11)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple

from limecep.contracts.tables import Form
from limecep.model.event import Event, Statement
from limecep.model.time import FOREVER

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from limecep.contracts.tables import Tables
    from limecep.detection.retention import Retention
    from limecep.statistics import Statistics
    from limecep.store.store import Store

    Identity = tuple[str, str, str]
    Groups = frozenset[Hashable]

#: The tables of what was revised or withdrawn, and of what has left.
STATED, GONE = "revisions", "revisions.gone"

#: How many withdrawals and revised events are remembered whose time is past keeping, or not known to be.
ROOM_STATED = 100_000

#: From how many on it is looked what of them is past keeping.
LEAST_STATED = 10_000


class Held(NamedTuple):
    """The statement that counts for some patterns.

    Attributes:
        version: Its version; or that of one which only repeats it.
        t_gen: The time of the event, in microseconds; of a withdrawal, the time until which it may have
            something to withdraw.
        withdrawn: Whether there is no such event.
        stored: The version of the event, or of the one that was withdrawn; None if there has been none.
        groups: The groups of these patterns; None for all.
    """

    version: int | float
    t_gen: int
    withdrawn: bool
    stored: int | float | None
    groups: "Groups | None" = None


class Gone(NamedTuple):
    """An event that has left: its time, and the groups it has left; None for all."""

    t_gen: int
    groups: "Groups | None"


def identity_of(event: Event) -> Identity:
    """What makes statements be about one event."""
    return (event.type, event.source, event.id)


class Stated:
    """Remembers, of each identity, the statements that count.

    Args:
        store: Where events are.
        retention: Knows what memory holds.
        statistics: Know how far time has come.
        groups: The groups of the patterns, each once.
        tables: Makes the tables.

    Attributes:
        groups: The groups of the patterns.
        gone: The events that have left the store, by ordinal.
    """

    #: What was said once is in memory with its version.
    transient: ClassVar[frozenset[str]] = frozenset({"once", "look_at", "groups"})

    def __init__(
        self,
        store: Store,
        retention: Retention,
        statistics: Statistics,
        groups: Sequence[Hashable],
        tables: Tables,
    ) -> None:
        self._store = store
        self._retention = retention
        self._statistics = statistics
        self.groups = frozenset(groups)
        numbers = {group: number for number, group in enumerate(groups)}

        def numbered(found: Groups | None) -> list[int] | None:
            return None if found is None else sorted(numbers[g] for g in found)

        def named(found: Sequence[int] | None) -> Groups | None:
            return None if found is None else frozenset(groups[n] for n in found)

        stated: Form[Identity, tuple[Held, ...]] = Form(
            lambda identity, held: [identity, [[*h[:4], numbered(h.groups)] for h in held]],
            lambda value, events: (
                tuple(value[0]), tuple(Held(v, t, w, s, named(found)) for v, t, w, s, found in value[1])
            ),
        )  # fmt: skip
        gone: Form[int, Gone] = Form(
            lambda ordinal, left: [ordinal, left.t_gen, numbered(left.groups)],
            lambda value, events: (value[0], Gone(value[1], named(value[2]))),
        )
        #: What was revised or withdrawn, the oldest first; and what of that has left the store, by ordinal.
        self._stated: dict[Identity, tuple[Held, ...]] = tables.table(STATED, stated)
        self.gone: dict[int, Gone] = tables.table(GONE, gone)
        #: The version and `t_gen` of what was said once, and is there, by its identity.
        self._once: dict[Identity, Held] = {}
        self._look_at = LEAST_STATED

    def known(self, identity: Identity) -> tuple[Held, ...]:
        """What counts of an identity: for each group of patterns one statement at most."""
        once = self._once.get(identity)
        return self._stated.get(identity, ()) if once is None else (once,)

    @property
    def awaited_until(self) -> int:
        """The latest `t_gen` at which something may come that was withdrawn before, as far as can be told:
        -FOREVER where nothing was."""
        gone = [h.t_gen for held in self._stated.values() for h in held if h.withdrawn]
        if not gone:
            return -FOREVER
        horizon = self._retention.horizon
        return max(gone) + (0 if horizon == -FOREVER else self._statistics.lta - horizon)

    def first(self, event: Statement, refused: Groups | None) -> None:
        """An event has entered that nothing was known of. Some groups may have refused it."""
        held = Held(event.version, event.t_gen, False, event.version)
        if refused is None:
            self._once[identity_of(event)] = held
        else:
            self._stated[identity_of(event)] = (held._replace(groups=self.groups - refused),)

    def repeated(self, statement: Statement, held: Held) -> None:
        """What counts for all has been said again: what is older than this is to change nothing either."""
        self._once.pop(identity_of(statement), None)
        self._stated[identity_of(statement)] = (held._replace(version=statement.version),)

    def counts(self, statement: Statement, held: Sequence[Held], groups: Groups) -> None:
        """A statement counts now for some groups, in place of others."""
        identity, version, t_gen = identity_of(statement), statement.version, statement.t_gen
        if statement.withdrawn:
            t_gen = max(t_gen, self._statistics.lta, *[h.t_gen for h in held])
        every = groups >= self.groups
        stored: int | float | None = version
        if statement.withdrawn:
            stored = next((h.stored for h in held if h.stored is not None), None)
            self._unmet(statement, int(stored is None) - int(any(h.stored is None for h in held)))
        counts = [Held(version, t_gen, statement.withdrawn, stored, None if every else groups)]
        for other in () if every else held:
            left = (self.groups if other.groups is None else other.groups) - groups
            if left:
                counts.append(other._replace(groups=left))
        self._once.pop(identity, None)
        # The oldest go first.
        self._stated.pop(identity, None)
        self._stated[identity] = tuple(counts)

    def met(self, statement: Statement, held: Sequence[Held]) -> None:
        """Something older has been said of an event: a withdrawal that came first has met what it withdraws,
        if that is an event."""
        if not statement.withdrawn and any(h.stored is None for h in held):
            self._unmet(statement, -1)
            self._stated[identity_of(statement)] = tuple(h._replace(stored=statement.version) for h in held)

    def _unmet(self, statement: Statement, more: int) -> None:
        if more:
            self._statistics.source(statement.source).unmet += more

    def left(self, event: Event, groups: Groups | None) -> None:
        """An event has left the store for some groups; None: for all."""
        known = self.gone.get(event.ordinal)
        if known is not None and groups is not None:
            groups |= known.groups or groups
        self.gone[event.ordinal] = Gone(event.t_gen, groups)

    def gone_for(self, event: Event) -> Groups | None:
        """The groups of patterns for which an event that comes again was revised or taken back; None: for
        all."""
        held = self._stated.get((event.type, event.source, event.id))
        if held is None or not isinstance(event, Statement):
            return frozenset()
        for told in held:
            if told.stored == event.version and not told.withdrawn:
                return frozenset() if told.groups is None else self.groups - told.groups
        return None

    def tidy(self) -> None:
        """Lets go of what is past keeping, where there is enough of it."""
        if len(self._once) + len(self._stated) + len(self.gone) < self._look_at:
            return
        store, retention = self._store, self._retention
        horizon, begins = retention.horizon, retention.begins
        kept_from = horizon if retention.returnable else FOREVER
        accepted = self._statistics.lta - horizon
        for identity, held in [*self._once.items()]:
            if held.t_gen < min(begins, kept_from):
                del self._once[identity]
        for identity, told in [*self._stated.items()]:
            # A withdrawal may be ahead of what it withdraws by as much as events may be late.
            if all(
                h.t_gen + accepted < horizon if h.withdrawn else h.t_gen < min(begins, kept_from)
                for h in told
            ):
                del self._stated[identity]
        for identity in [*self._stated][: max(0, len(self._stated) - ROOM_STATED)]:
            del self._stated[identity]
        retention.pass_over()
        before, arrivals = store.left
        for ordinal, left in [*self.gone.items()]:
            if left.t_gen < before and ordinal <= arrivals:
                del self.gone[ordinal]
        self._look_at = max(LEAST_STATED, 2 * (len(self._once) + len(self._stated) + len(self.gone)))

    # -- what survives a crash -----------------------------------------------------------------------------

    def restore(self) -> None:
        """The tables are filled, the store has its events: finds those that were said once, and counts the
        withdrawals that have met nothing."""
        for (_, source, _), held in self._stated.items():
            if any(h.stored is None for h in held):
                self._statistics.source(source).unmet += 1
        for type_set in self._store.types.values():
            for event in type_set.events.content.events:
                identity = identity_of(event)
                if isinstance(event, Statement) and identity not in self._stated:
                    self._once[identity] = Held(event.version, event.t_gen, False, event.version)
