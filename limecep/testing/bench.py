"""A bench: drives one engine on one plan, without a pipeline."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.contracts.engine import Batching, Changing, Exposing, Picking, Sharing, Starting, Touching
from limecep.errors import Stopped
from limecep.model.event import Event, sort_key
from limecep.store.store import Store
from limecep.testing.oracle import Assignment, Identity, assignment, identity
from limecep.testing.oracle.maximal import contained_in_no_other

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from limecep.contracts.engine import Engine, Together
    from limecep.model.match import Match
    from limecep.plan.plan import Alternative, Plan, StepFilter
    from limecep.store.view import View

    MakeEngine = Callable[[Plan, Context], Engine]


class SilentLogger:
    """Takes what a component logs, and keeps it for whoever asks.

    Attributes:
        entries: The level, the text and the values of each entry.
    """

    def __init__(self) -> None:
        self.entries: list[tuple[str, str, Mapping[str, Any]]] = []

    def debug(self, text: str, **values: Any) -> None:
        self.entries.append(("debug", text, values))

    def info(self, text: str, **values: Any) -> None:
        self.entries.append(("info", text, values))

    def warning(self, text: str, **values: Any) -> None:
        self.entries.append(("warning", text, values))

    def error(self, text: str, **values: Any) -> None:
        self.entries.append(("error", text, values))


class Bench:
    """An engine with views for it, one a key, fed event by event.

    It does for the engine what the kernel does: drops duplicates, keeps the lanes, empties `view.memo` when
    an event enters the past, reduces matches that can grow at their end to the maximal ones. It keeps every
    event.

    Attributes:
        engine: The engine.
        counters: What the engine counts.
        looks: How often the engine has looked whether the run has to end.
        stopped: Whether it has to: what looks then is cut off.
        ends: The end events so far, in the order they came.
    """

    def __init__(self, plan: Plan, make_engine: MakeEngine, *, sequenced: bool = False) -> None:
        self.counters: Counter[str] = Counter()
        self.ends: list[Event] = []
        self.looks = 0
        self.stopped = False
        self._plan = plan
        context = Context(
            label=f"patterns.{plan.name}.engine",
            clock=ManualClock(),
            counters=self.counters,
            logger=SilentLogger(),
            raise_if_stopped=self._look,
        )
        self.engine = make_engine(plan, context)
        self._store = Store(sequenced=sequenced)
        self._store.watched = True
        self._views = self._store.subscribe(plan)
        self._together = self._shared()
        self._latest: dict[int, Event] = {}
        self._seen: set[Identity] = set()
        self._last: Event | None = None

    def _look(self, undone: str = "") -> None:
        self.looks += 1
        if self.stopped:
            raise Stopped(undone)

    @property
    def waits(self) -> bool:
        """Whether a negation may stand after the end of a match: it is known only when time has passed."""
        return any(n.after > a.ends[0] for a in self._plan.alternatives for n in a.negations)

    def feed(self, event: Event) -> Event | None:
        """Stores a copy of an event.

        Returns:
            The copy, if it may end a match.
        """
        if identity(event) in self._seen:
            return None
        self._seen.add(identity(event))
        event = msgspec.structs.replace(event)
        type_set = self._store.type_set(event.type)
        view = self._views.of(event)
        if type_set is None or view is None:
            return None
        self._store.add(event, type_set)
        self._last = event
        latest = self._latest.setdefault(id(view), event)
        if sort_key(event) < sort_key(latest):
            view.memo.clear()
        else:
            self._latest[id(view)] = event
        ends = any(
            _accepts(alternative.steps[step].filter, event)
            for alternative in self._plan.alternatives
            for step in alternative.ends
        )
        if not ends:
            return None
        self.ends.append(event)
        return event

    def matches(self, end: Event) -> list[Match]:
        """What the engine gives for an end event, at most `max_per_end`.

        Raises:
            AssertionError: It gave a match twice, or one that does not end with `end`.
        """
        found = list(islice(self.engine.matches(end, self.view(end)), self._plan.max_per_end))
        seen = set()
        for match in found:
            what = (id(match.alternative), assignment(match.events()))
            assert what not in seen, f"given twice for one end event: {what[1]}"
            assert match.end is end, f"asked for matches that end with {identity(end)}, got {what[1]}"
            seen.add(what)
        return found

    def count(self, end: Event) -> int | None:
        """What the engine counts for an end event, if it does."""
        return self.engine.count(end, self.view(end))

    def matches_of(self, ends: Sequence[Event]) -> list[list[Match]] | None:
        """What the engine gives for several end events of one key at once; None if it does not."""
        if not ends or not isinstance(self.engine, Batching):
            return None
        given = self.engine.matches_of(ends, self.view(ends[0]))
        return None if given is None else [list(islice(g, self._plan.max_per_end)) for g in given]

    def matches_from(self, end: Event, t_gen: int) -> list[Match] | None:
        """What the engine gives for an end event of the matches that start at a time; None if it does not."""
        if not isinstance(self.engine, Starting):
            return None
        given = self.engine.matches_from(end, self.view(end), t_gen)
        return None if given is None else list(islice(given, self._plan.max_per_end))

    def picked(self, end: Event) -> Sequence[Match] | None:
        """What the engine picks for an end event; None if it does not."""
        return self.engine.picked(end, self.view(end)) if isinstance(self.engine, Picking) else None

    def exposed(self) -> Sequence[Event] | None:
        """The end events of which the engine says that the last event it could use brings matches to light;
        None if it does not say."""
        if self._last is None or not isinstance(self.engine, Exposing):
            return None
        return self.engine.exposed(self._last, self.view(self._last))

    def _shared(self) -> Together | None:
        """The engine's pattern, twice, to be evaluated at once; None if the engine or the pattern does not
        share."""
        view, alternatives, kind = self._views.only, self._plan.alternatives, type(self.engine)
        if view is None or len(alternatives) != 1 or len(alternatives[0].ends) != 1:
            return None
        if not issubclass(kind, Sharing):
            return None
        return kind.together([(self.engine, view)] * 2, self._store.recent)

    def together(self, end: Event) -> tuple[dict[int, int | None], dict[int, list[Match]]] | None:
        """How many matches the engine counts, and which it gives, for an end event that has just been fed and
        the pattern twice, at once; None if it does not, or the event is not the last of its lane."""
        if self._together is None:
            return None
        [alternative] = self._plan.alternatives
        if self.view(end).steps[0][alternative.ends[0]].content.events[-1] is not end:
            return None
        counts, matches = self._together.counts(end), self._together.matches(end)
        return dict(counts), {n: list(islice(given, self._plan.max_per_end)) for n, given in matches}

    def touched(self, event: Event) -> Sequence[Event] | None:
        """The end events whose matches the engine says an event may change that was not fed yet; None if it
        does not say."""
        view = self._views.of(event)
        if view is None or not isinstance(self.engine, Touching):
            return None
        return self.engine.touched(event, view)

    def going(self, event: Event) -> tuple[Sequence[Match], Any] | None:
        """The matches that the engine says an event may change that was not fed yet, and what it is to be
        told again; None if it does not say."""
        view = self._views.of(event)
        if view is None or not isinstance(self.engine, Changing):
            return None
        return self.engine.going(event, view)

    def coming(self, event: Event, changed: Any) -> Sequence[Match]:
        """The matches it finds in their place, the event having been fed."""
        assert isinstance(self.engine, Changing)
        return self.engine.coming(self.view(event), changed)

    def view(self, event: Event) -> View:
        """The view of the key of an event that was fed."""
        view = self._views.of(event)
        assert view is not None
        return view

    def forget(self) -> None:
        """Empties `view.memo` of every view, which must change nothing."""
        for view in self._views.all():
            view.memo.clear()

    def run(
        self, events: Iterable[Event], *, after_each: Callable[[], None] | None = None
    ) -> set[Assignment]:
        """The net results on a stream in order: each end event is asked about when it has come, or at the end
        of the stream where a trailing negation waits for time to pass.

        Args:
            events: In the order of the sort key.
            after_each: Called after each event.
        """
        found: list[Match] = []
        for event in events:
            end = self.feed(event)
            if end is not None and not self.waits:
                found += self.matches(end)
            if after_each is not None:
                after_each()
        if self.waits:
            return self.ask(self.ends)
        return self.net(found)

    def ask(self, ends: Iterable[Event]) -> set[Assignment]:
        """The net results over end events, asked about in this order with all that has come in the views."""
        return self.net(match for end in ends for match in self.matches(end))

    def net(self, found: Iterable[Match]) -> set[Assignment]:
        """The assignments of matches, of maximal engines those contained in no other of their alternative and
        key."""
        if self.engine.results != "maximal":
            return {assignment(m.events()) for m in found}
        by_line: dict[tuple[int, int], tuple[Alternative, list[tuple[tuple[Event, ...], ...]]]] = {}
        for m in found:
            _, line = by_line.setdefault((id(m.alternative), id(self.view(m.end))), (m.alternative, []))
            line.append(tuple(tuple(group) for group in m.groups))
        return {
            assignment({s.variable: g for s, g in zip(alternative.steps, groups, strict=True)})
            for alternative, line in by_line.values()
            for groups in (contained_in_no_other(line) if alternative.growing else line)
        }


def _accepts(step: StepFilter, event: Event) -> bool:
    return event.type in step.types and (step.accepts is None or step.accepts(event))
