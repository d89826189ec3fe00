"""What waits for slack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from limecep.contracts.tables import Form
from limecep.model.time import FOREVER

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from limecep.contracts.tables import Tables
    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.patterns.ledger import Key
    from limecep.patterns.match_codec import MatchCodec
    from limecep.store.view import View
    from limecep.store.views import Views


class Pending:
    """What is to be looked at together in one view: the end events that late events may have touched, with
    what had been emitted for these before, and those that have waited since they came.

    Attributes:
        waiting: The ordinals of end events that have waited since they came: nothing was said of them.
        due: The arrival time at which it is looked at.
        low, high: All end events of this range of `t_gen`, both ends included, are here.
    """

    __slots__ = ("before", "due", "ends", "high", "late", "low", "view", "waiting")

    def __init__(self, view: View) -> None:
        self.view = view
        self.low = FOREVER
        self.high = -FOREVER
        self.due = FOREVER
        self.ends: dict[int, Event] = {}
        self.waiting: set[int] = set()
        self.before: dict[Key, Match] = {}
        self.late: list[Event] = []

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

    #: It follows from what waits.
    transient: ClassVar[frozenset[str]] = frozenset({"due"})

    def __init__(
        self, tables: Tables, views: Views, matches: MatchCodec, key: Callable[[Match], Key]
    ) -> None:
        self.due = FOREVER
        self._tables = tables
        self._views = views
        self._matches = matches
        self._key = key
        self.by_view: dict[int, Pending] = tables.table("pending", Form(_write, self._read))

    def of(self, view: View) -> Pending:
        """What waits in a view; new if nothing does."""
        return self.by_view.get(id(view)) or Pending(view)

    def hold(self, pending: Pending, until: int) -> None:
        """Something waits, until an arrival time at most."""
        pending.due = min(pending.due, until)
        self.due = min(self.due, pending.due)
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
            self._read_before,
            lambda _, match: self.of(self._view(match.end)).before,
        )
        pending.ends = self._tables.table("pending.ends", ends, pending.ends)
        pending.before = self._tables.table("pending.before", before, pending.before)

    def _view(self, event: Event) -> View:
        view = self._views.of(event)
        assert view is not None
        return view

    def _read(self, value: Any, events: Mapping[int, Event]) -> tuple[int, Pending]:
        end, due, low, high, late = value
        view = self._view(events[end])
        pending = Pending(view)
        pending.due, pending.low, pending.high = due, low, high
        pending.late = [events[n] for n in late]
        self._keep(pending)
        return id(view), pending

    def _read_end(self, value: Any, events: Mapping[int, Event]) -> tuple[int, Event]:
        ordinal, waits = value
        end = events[ordinal]
        if waits:
            self.of(self._view(end)).waiting.add(ordinal)
        return ordinal, end

    def _read_before(self, value: Any, events: Mapping[int, Event]) -> tuple[Key, Match]:
        match = self._matches.back(value, events)
        return self._key(match), match


def _write(view: int, pending: Pending) -> Any:
    late = [e.ordinal for e in pending.late]
    return [next(iter(pending.ends)), pending.due, pending.low, pending.high, late]
