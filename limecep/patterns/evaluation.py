"""Evaluation: what the engine finds for end events, within bounds, and counted."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any

from limecep.contracts.engine import Batching, Changing, Exposing, Sharing, Starting, Touching
from limecep.errors import ContractBreach
from limecep.model.match import Match

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from limecep.contracts.context import Context
    from limecep.contracts.engine import Engine
    from limecep.model.event import Event
    from limecep.plan.plan import Plan
    from limecep.store.view import View

    #: Whether time has decided a match; None where none waits for time.
    Decided = Callable[[Match], bool] | None

#: How many end events in order are evaluated until it is looked whether the run has to end.
LOOK_EVERY_RUNS = 64


class Evaluation:
    """Asks the engine of one pattern.

    Args:
        plan: The pattern's plan.
        engine: Its engine.
        context: Counts `engine_runs`, of which `on_demand_runs` for end events that late ones may have
            touched (once each, although what had been emitted for them is found out too), and the
            `events_handed` to them. Where the engine finds the matches that a late event has changed, that is
            one run, and their end events are handed.
        unique: Whether equal assignments of several alternatives are left out.

    Attributes:
        engine: The engine.
        sharing: Its class, where that evaluates several patterns at once; else None.
        touched: The end events that an event may touch which is about to enter; None if the engine cannot
            tell.
        exposed: The end events of which an event that has just come brings matches to light; None if the
            engine cannot tell.
        going: The matches that it may change, and what `coming` is to be given; None if the engine cannot
            tell.
        coming: The matches it has changed, once it is there, uncounted.
    """

    def __init__(self, plan: Plan, engine: Engine, context: Context, *, unique: bool) -> None:
        able: Any = engine
        # An instance is asked in microseconds, its class in a tenth of that: a host may make this for every
        # key of a batch.
        kind = type(engine)
        self.touched: Callable[[Event, View], Sequence[Event] | None] = (
            able.touched if issubclass(kind, Touching) else _unknown
        )
        changes = issubclass(kind, Changing)
        self.going: Callable[[Event, View], tuple[Sequence[Match], Any] | None] = (
            able.going if changes else _unknown
        )
        self.coming: Callable[[View, Any], Sequence[Match]] = able.coming if changes else _none
        self._matches_of: Callable[[Sequence[Event], View], Sequence[Iterable[Match]] | None] = (
            able.matches_of if issubclass(kind, Batching) else _unknown
        )
        self._matches_from: Callable[[Event, View, int], Iterable[Match] | None] = (
            able.matches_from if issubclass(kind, Starting) else _unknown
        )
        self.exposed: Callable[[Event, View], Sequence[Event] | None] = (
            able.exposed if issubclass(kind, Exposing) else _unknown
        )
        self.engine = engine
        self.sharing: type[Sharing] | None = kind if issubclass(kind, Sharing) else None
        self._context = context
        self._counters = context.counters
        self._unique = unique
        self._limit = plan.max_per_end
        self._changes = self._changed = 0

    def silence(self) -> None:
        """Counts nothing from now on."""
        self._counters = Counter()

    def count(self, end: Event, view: View) -> int:
        """How many matches an end event has."""
        count = self.engine.count(end, view)
        self._ran(end, view)
        return self.bounded(end, view, count)

    def bounded(self, end: Event, view: View, count: int | None) -> int:
        """How many matches an end event has, the engine having told, within the limit."""
        if count is None:
            return sum(1 for _ in self._found(end, view))
        if count < 0:
            raise ContractBreach(self.engine, f"counts {count} matches of an end event")
        if count > self._limit:
            self._context.truncated(end)
        return min(count, self._limit)

    def matches(self, end: Event, view: View) -> Iterable[Match]:
        """The matches of an end event."""
        self._ran(end, view)
        return self._found(end, view)

    def started(self, end: Event, view: View, t_gen: int) -> Iterable[Match] | None:
        """The matches of an end event that start at a time; None where all have to be found for that: also
        where all are more than it may have, so that what it has depends on the others."""
        if end.ordinal in self._context.truncations.known:
            return None
        found = self._matches_from(end, view, t_gen)
        if found is None or found == ():
            return found
        self._ran(end, view)
        found = self.within_limit(end, found)
        return _distinct(found) if self._unique else found

    def again(self, ends: Sequence[Event], view: View, decided: Decided) -> list[Match]:
        """The matches of end events that are evaluated again, as far as time has decided them."""
        self._counters["engine_runs"] += len(ends)
        self._counters["on_demand_runs"] += len(ends)
        self._counters["events_handed"] += view.within_any(ends)
        return self.emitted(ends, view, decided)

    def emitted(self, ends: Sequence[Event], view: View, decided: Decided) -> list[Match]:
        """The same, uncounted: what has been emitted for end events is what is found for them."""
        found: list[Match] = []
        self._context.raise_if_stopped()
        given = self._matches_of(ends, view) or self._one_by_one(ends, view)
        for end, matches in zip(ends, given, strict=True):
            matches = self.within_limit(end, matches)
            found += _distinct(matches) if self._unique else matches
        return found if decided is None else [m for m in found if decided(m)]

    def _one_by_one(self, ends: Sequence[Event], view: View) -> Iterator[Iterable[Match]]:
        for end in ends:
            yield self.engine.matches(end, view)

    def counted(self, runs: int, events: int) -> None:
        """The engine has been asked for so many end events in order, with so many events in their windows."""
        self._counters["engine_runs"] += runs
        self._counters["events_handed"] += events

    def counted_change(self, matches: int) -> None:
        """The engine has found so many matches that a late event has changed."""
        self._changes += 1
        self._changed += matches

    def tell(self) -> None:
        """Adds what late events changed to the counters: to keep a count here costs a tenth."""
        if self._changes:
            counters = self._counters
            counters["engine_runs"] += self._changes
            counters["on_demand_runs"] += self._changes
            counters["events_handed"] += self._changed
            self._changes = self._changed = 0

    def look(self) -> None:
        """Raises `Stopped` where the run has to end."""
        self._context.raise_if_stopped()

    def _ran(self, end: Event, view: View) -> None:
        counters = self._counters
        runs = counters["engine_runs"] = counters["engine_runs"] + 1
        if not runs % LOOK_EVERY_RUNS:
            self._context.raise_if_stopped()
        counters["events_handed"] += view.within(end)

    def _found(self, end: Event, view: View) -> Iterable[Match]:
        found = self.within_limit(end, self.engine.matches(end, view))
        return _distinct(found) if self._unique else found

    def within_limit(self, end: Event, matches: Iterable[Match]) -> Iterable[Match]:
        """As many of the matches of an end event as there may be."""
        # What is a sequence already needs no looking after.
        if isinstance(matches, (list, tuple)) and len(matches) <= self._limit:
            return self._sound(matches[0], matches) if matches else matches
        try:
            each = iter(matches)
        except TypeError:
            what = f"gave {matches!r} for an end event where matches are due"
            raise ContractBreach(self.engine, what) from None
        return self._limited(end, each)

    def _sound(self, first: Any, matches: Any) -> Any:
        """The matches, if the first of them is one."""
        if not isinstance(first, Match):
            raise ContractBreach(self.engine, f"gave {first!r:.200} where a match is due")
        return matches

    def _limited(self, end: Event, matches: Iterator[Match]) -> Iterator[Match]:
        found: Any = islice(matches, self._limit)
        for first in found:
            yield self._sound(first, first)
            break
        yield from found
        if next(matches, None) is not None:
            self._context.truncated(end)


def _unknown(*of: object) -> None:
    """What an engine says that cannot tell."""


def _none(*of: object) -> Sequence[Match]:
    """What is never asked of an engine that cannot tell."""
    return ()


def _distinct(matches: Iterable[Match]) -> Iterable[Match]:
    return {m.assignment(): m for m in matches}.values()
