"""What waits for slack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from msgspec.structs import replace

from limecep.contracts.tables import Form
from limecep.model.time import FOREVER

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from limecep.contracts.tables import Tables
    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.patterns.ledger import Key
    from limecep.patterns.match_codec import MatchCodec
    from limecep.store.view import View
    from limecep.store.views import Views


class Pending:
    """What is to be looked at together in one view: the end events that late events may have touched, with
    what had been emitted for these before, and those that have waited since they came. Where the matches are
    known that a late event changes, it is these instead of end events.

    Attributes:
        ends: The end events, by ordinal.
        waiting: The ordinals of end events that have waited since they came: nothing was said of them.
        before: By key, what had been emitted for the end events; where there are none, what is no match any
            more.
        found: By key, what is a match now and was not said to be; nothing where there are end events.
        late: The late events, in the order of their arrival.
        due: The arrival time at which it is looked at.
        low, high: All end events of this range of `t_gen`, both ends included, are here.
        changing: Whether it is known which matches the event changes that is about to enter, or to leave.
        changed: What the engine said of them; None if there are none.
        back: Of an event that is about to leave: the matches that may come back, each with its key.
        touched: Of such an event, the end events that it touches; None if that is not known.
        left: When those of the late events, and of the end events, that have left the store were taken back,
            by ordinal: an arrival time.
        revised: The ordinals of the late events that took the place of another, and of those that did not.
    """

    __slots__ = (
        "back", "before", "changed", "changing", "due", "ends", "found", "high", "late", "left", "low",
        "revised", "touched", "view", "waiting",
    )  # fmt: skip

    def __init__(self, view: View) -> None:
        self.view = view
        self.low = FOREVER
        self.high = -FOREVER
        self.due = FOREVER
        self.ends: dict[int, Event] = {}
        self.waiting: set[int] = set()
        self.before: dict[Key, Match] = {}
        self.found: dict[Key, Match] = {}
        self.late: list[Event] = []
        self.changing = False
        self.changed: Any = None
        self.back: Sequence[tuple[Key, Match]] = ()
        self.touched: Sequence[Event] | None = None
        self.left: dict[int, int] = {}
        self.revised: set[int] = set()

    @property
    def changes(self) -> bool:
        """Whether there is anything to look at."""
        return bool(self.ends or self.before or self.found)

    @property
    def renews(self) -> bool:
        """Whether something else may be said now of the events of a match: one has left, and another of its
        identity, or in its place, has come."""
        if not self.left or len(self.late) < 2:
            return False
        if any(e.ordinal in self.revised and e.ordinal not in self.left for e in self.late):
            return True
        left = {(e.type, e.source, e.id) for e in self.late if e.ordinal in self.left}
        return any(e.ordinal not in self.left and (e.type, e.source, e.id) in left for e in self.late)

    @property
    def gone(self) -> list[Event]:
        """The end events that have left the store."""
        return [e for e in self.ends.values() if e.ordinal in self.left] if self.left else []

    @property
    def first(self) -> int:
        """The `t_gen` of the earliest end event that something is to be said of; FOREVER if there is none."""
        ends = [*self.ends.values(), *[m.end for m in (*self.before.values(), *self.found.values())]]
        return min((end.t_gen for end in ends), default=FOREVER)

    def go(self, key: Key, match: Match) -> None:
        """A match is none any more."""
        if self.found.pop(key, None) is None:
            self.before[key] = match

    def come(self, key: Key, match: Match) -> None:
        """Something is a match now."""
        if self.before.pop(key, None) is None:
            self.found[key] = match

    def waits(self, end: Event) -> None:
        """An end event waits since it comes."""
        self.ends[end.ordinal] = end
        self.waiting.add(end.ordinal)

    def widen(self, low: int, high: int, known: int) -> list[tuple[int, int]]:
        """A range of `t_gen`, both ends included, is looked at.

        Args:
            low, high: The range.
            known: All end events of it up to here are put here then.

        Returns:
            The parts of it of which not all end events are here, in order.
        """
        if low > self.high + 1 or known < self.low - 1:
            if self.low > self.high:
                self.low, self.high = low, known
            return [(low, high)]
        lacking = [(low, self.low - 1)] if low < self.low else []
        lacking.append((self.high + 1, high))
        self.low, self.high = min(low, self.low), max(known, self.high)
        return lacking

    def concerns(self, before: int) -> bool:
        """Whether it has to do with an event before a `t_gen`."""
        return any(e.t_gen < before for e in (*self.ends.values(), *self.late))


class Held:
    """What waits for slack in the views of a pattern.

    Args:
        tables: Makes its tables.
        views: The views.
        matches: Writes the matches in the tables.
        key: What tells matches apart that were emitted before.

    Attributes:
        by_view: What waits in each view, by the identity of that.
        due: The arrival time at which something is to be looked at; FOREVER if nothing waits.
    """

    #: It follows from what waits, or has nothing yet.
    transient: ClassVar[frozenset[str]] = frozenset({"due", "fresh"})

    def __init__(
        self, tables: Tables, views: Views, matches: MatchCodec, key: Callable[[Match], Key]
    ) -> None:
        self.due = FOREVER
        self._tables = tables
        self._views = views
        self._matches = matches
        self._key = key
        self._fresh: Pending | None = None
        self.by_view: dict[int, Pending] = tables.table("pending", Form(_write, self._read))

    def of(self, view: View) -> Pending:
        """What waits in a view; new if nothing does."""
        pending = self.by_view.get(id(view))
        if pending is None:
            pending = self._fresh
            # Most late events change nothing, and leave it as it was.
            if pending is None or pending.view is not view or pending.late or pending.ends:
                pending = self._fresh = Pending(view)
        return pending

    def hold(self, pending: Pending, until: int) -> None:
        """Something waits, until an arrival time at most."""
        if until < pending.due:
            pending.due = until
            self.due = min(self.due, until)
        if id(pending.view) not in self.by_view:
            self._keep(pending)
        self.note(pending)

    def note(self, pending: Pending) -> None:
        """Something that waits has changed."""
        self.by_view[id(pending.view)] = pending

    def take(self, pending: Pending) -> None:
        """Something waits no longer."""
        del self.by_view[id(pending.view)]
        self._tables.drop(pending.ends)
        self._tables.drop(pending.before)
        self._tables.drop(pending.found)
        self._find_due()

    def restore(self) -> None:
        """The tables are filled: finds when something is to be looked at."""
        self._find_due()

    def _find_due(self) -> None:
        self.due = min((p.due for p in self.by_view.values()), default=FOREVER)

    def _keep(self, pending: Pending) -> None:
        waiting = pending.waiting
        ends: Form[int, Event] = Form(
            lambda ordinal, _: [ordinal, ordinal in waiting],
            self._read_end,
            lambda _, end: self.of(self._view(end)).ends,
        )
        before: Form[Key, Match] = Form(
            lambda _, match: self._matches.out(match),
            self._read_match,
            lambda _, match: self.of(self._view(match.end)).before,
        )
        found: Form[Key, Match] = Form(
            before.write, self._read_match, lambda _, match: self.of(self._view(match.end)).found
        )
        pending.ends = self._tables.table("pending.ends", ends, pending.ends)
        pending.before = self._tables.table("pending.before", before, pending.before)
        pending.found = self._tables.table("pending.found", found, pending.found)

    def _view(self, event: Event) -> View:
        view = self._views.of(event)
        assert view is not None
        return view

    def _read(self, value: Any, events: Mapping[int, Event]) -> tuple[int, Pending]:
        some, due, low, high, late, *changed = value
        view = self._view(events[some])
        pending = Pending(view)
        pending.due, pending.low, pending.high = due, low, high
        pending.late = [events[n] for n in late]
        if changed:
            pending.left, pending.revised = dict(changed[0]), set(changed[1])
            told = [pending.left.get(e.ordinal, e.t_arr) for e in pending.late]
            pending.late = [replace(e, t_arr=t) for e, t in zip(pending.late, told, strict=True)]
        self._keep(pending)
        return id(view), pending

    def _read_end(self, value: Any, events: Mapping[int, Event]) -> tuple[int, Event]:
        ordinal, waits = value
        end = events[ordinal]
        if waits:
            self.of(self._view(end)).waiting.add(ordinal)
        return ordinal, end

    def _read_match(self, value: Any, events: Mapping[int, Event]) -> tuple[Key, Match]:
        match = self._matches.back(value, events)
        return self._key(match), match


def _write(view: int, pending: Pending) -> Any:
    late = [e.ordinal for e in pending.late]
    changed = [[*pending.left.items()], [*pending.revised]] if pending.left else []
    return [next(iter((*pending.ends, *late))), pending.due, pending.low, pending.high, late, *changed]
