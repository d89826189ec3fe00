"""The result manager of a pattern: what was emitted, and what to say when it changes.

For every end event, what was emitted is what the engine gives on the view. Whatever changes the view, the
manager asks for the end events it touches before and after, and says the difference: that one mechanism gives
corrections, retractions and late emissions.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from limecep.management.causes import Causes
from limecep.management.containment import Net
from limecep.management.counting import Counting
from limecep.management.ledger import Ledger, Line
from limecep.management.pairing import pair
from limecep.management.skipping import Skipping
from limecep.management.standing import Standing
from limecep.model.event import sort_key
from limecep.model.match import Match
from limecep.model.update import Update
from limecep.plan.partition import compile_partition
from limecep.statistics import Spread

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Sequence

    from limecep.clock import Clock
    from limecep.contracts.context import Context
    from limecep.contracts.engine import Engine
    from limecep.contracts.results import ResultPolicy
    from limecep.management.ledger import Key
    from limecep.model.event import Event
    from limecep.model.update import CauseKind, Op
    from limecep.plan.plan import Plan
    from limecep.store.view import View

    #: Whether time has decided a match.
    Decided = Callable[[Match], bool] | None


class ResultManager:
    """The results of one pattern.

    Args:
        plan: The pattern's plan.
        engine: Its engine.
        policy: Says whether what was emitted is corrected.
        context: Clock and counters: `emitted`, `corrected`, `retracted`, `truncated`; `engine_runs`, of which
            `on_demand_runs` for late events, and the `events_handed` to them.
        deliver: Takes updates; None where matches are counted only.

    Attributes:
        latency: From the arrival of a match's first event to the emission of the match, corrections included,
            in microseconds; nothing where matches are counted only.
    """

    def __init__(
        self,
        plan: Plan,
        engine: Engine,
        policy: ResultPolicy,
        context: Context,
        deliver: Callable[[Update], None] | None,
    ) -> None:
        self.plan = plan
        self.deliver = deliver
        self.latency = Spread()
        self._engine = engine
        #: The end events that an event may touch which is about to enter; None if the engine cannot tell.
        self.touched: Callable[[Event, View], Sequence[Event] | None] = getattr(
            engine, "touched", lambda event, view: None
        )
        self._corrects = policy.corrects
        self._clock: Clock = context.clock
        self._counters = context.counters
        self._limit = plan.max_per_end
        self._ledger = Ledger()
        self._several = len(plan.alternatives) > 1
        growing = any(a.growing for a in plan.alternatives)
        waiting = any(n.after > a.ends[0] for a in plan.alternatives for n in a.negations)
        #: By alternative, where a match can grow at its end, and the longer one stands for those it contains.
        self._nets = [Net(a) for a in plan.alternatives] if growing and engine.results == "maximal" else []
        # Equal assignments of several alternatives count once. Where all matches of an end event are known at
        # once that is a matter of leaving repeats out; else how many have an assignment live is counted.
        self._counting = Counting() if self._several and (growing or waiting) else None
        #: What tells a match from others of the pattern; and what does, equal ones of two alternatives apart
        #: where these are counted.
        self._key: Callable[[Match], Key] = Match.assignment if self._several else Match.key
        self._own_key = _within_alternative if self._counting is not None else self._key
        self._skipping: Skipping | None = None
        if policy.skip is not None:
            self._skipping = Skipping(policy.skip, compile_partition(plan.partition), self._key)
        self._standing = Standing()

    # -- in order ------------------------------------------------------------------------------------------

    def ended(self, end: Event, view: View) -> None:
        """An end event has come in order: everything found for it is new."""
        if self.deliver is None and not self._nets and self._counting is None and self._skipping is None:
            count = self._engine.count(end, view)
            self._ran(end, view)
            if count is None:
                count = sum(1 for _ in self._unique(self._found(end, view)))
            elif count > self._limit:
                self._counters["truncated"] += 1
                count = self._limit
            self._counters["emitted"] += count
            return
        self.settle(self._results(end, view), "in_order", end)

    def settle(
        self, matches: Iterable[Match], kind: CauseKind, cause: Event | None, *, final: bool = False
    ) -> None:
        """Emits matches that time, or the arrival of their end event, has decided.

        Args:
            matches: The matches, found now.
            kind: Why they go out.
            cause: The event that caused it, if one did.
            final: Whether nothing can change them any more.
        """
        if not self._nets and self._counting is None and self._skipping is None:
            for match in matches:
                self._say("emit", match, Line(match, 0), kind, cause, final=final)
            return
        self._difference(*self._joined(list(matches)), kind, cause, final=final)

    def _joined(self, found: list[Match]) -> tuple[list[Match], list[Match]]:
        """What these matches make live; what they make live no more."""
        if not self._nets:
            return self._counted(found, [])
        come: list[Match] = []
        gone: list[Match] = []
        for net, alternative in zip(self._nets, self.plan.alternatives, strict=True):
            # The longest first, so that nothing is emitted that is corrected in the same breath.
            mine = sorted((m for m in found if m.alternative is alternative), key=_size)
            new, old = net.join(mine)
            come += new
            gone += old
        return self._counted(come, gone)

    # -- late ----------------------------------------------------------------------------------------------

    def snapshot(self, ends: Sequence[Event], view: View, decided: Decided) -> dict[Key, Match]:
        """What has been emitted for these end events, before the view changes. (What tells matches apart is
        found out now, while it costs least: late events move what their groups are ranges of.)"""
        if self._nets:
            # They remember.
            return {}
        key = self._own_key
        return {key(m): m for m in self._evaluated(ends, view, decided)}

    def revise(
        self,
        ends: Sequence[Event],
        view: View,
        before: dict[Key, Match],
        decided: Decided,
        late: Sequence[Event],
        negated: Container[str],
    ) -> None:
        """Says how the results of these end events differ from what they were, the view having changed.

        Args:
            ends: The end events.
            view: The view as it is now.
            before: What had been emitted for them.
            decided: Whether time has decided a match; None where none waits for time.
            late: The events that changed the view, in the order of their arrival; none where end events have
                only waited.
            negated: The event types that only forbid.
        """
        come: list[Match] = []
        gone: list[Match] = []
        found = self._evaluated(ends, view, decided)
        if self._nets:
            for net, alternative in zip(self._nets, self.plan.alternatives, strict=True):
                new, old = net.replace(ends, [m for m in found if m.alternative is alternative])
                come += new
                gone += old
        else:
            key = self._own_key
            now = {key(m): m for m in found}
            come = [m for k, m in now.items() if k not in before]
            gone = [m for k, m in before.items() if k not in now]
        causes = Causes(late, negated, self.plan.within) if late else None
        self._difference(*self._counted(come, gone), "in_order", None, causes, late)

    def _known(self, ends: Sequence[Event], view: View, decided: Decided) -> list[Match]:
        if self._nets:
            return [m for net in self._nets for end in ends for m in net.ending(end)]
        return self._evaluated(ends, view, decided)

    def _evaluated(self, ends: Sequence[Event], view: View, decided: Decided) -> list[Match]:
        self._counters["on_demand_runs"] += len(ends)
        if decided is None:
            return [m for end in ends for m in self._results(end, view)]
        return [m for end in ends for m in self._results(end, view) if decided(m)]

    # -- both ----------------------------------------------------------------------------------------------

    def results(self, end: Event, view: View) -> list[Match]:
        """What the engine gives for an end event."""
        return list(self._results(end, view))

    def release(self, ready: Callable[[Event], bool]) -> None:
        """Emits the final matches that no other drops any more.

        Args:
            ready: Whether all matches are known that end no later than an end event.
        """
        if self._skipping is not None:
            for match in self._skipping.release(ready):
                self._say("emit", match, Line(match, 0), "time", None, final=True)

    def finish(self, end: Event, view: View) -> None:
        """Says of what has been emitted for an end event that nothing can change it any more."""
        for key, match in {self._key(m): m for m in self._known([end], view, None)}.items():
            if self._skipping is None or self._skipping.keeps(match):
                self._say("final", match, self._ledger.line(key, match), "time", None)

    # -- what memory lets go -------------------------------------------------------------------------------

    @property
    def lost_until(self) -> int:
        """The `t_gen` up to which it is not known any more how the matches that ended were named, or whether
        they were emitted."""
        return max(self._ledger.lost_until, self._standing.lost_until)

    @property
    def remembered(self) -> int:
        """How many matches are kept in mind."""
        known = (*self._nets, self._ledger, self._counting, self._skipping, self._standing)
        return sum(len(k) for k in known if k is not None)

    def forget(self, before: int) -> None:
        """Lets go of what nothing can change any more: matches that end before a `t_gen`, in microseconds,
        and some that start there and end later."""
        self._drop(before)
        self._ledger.forget(before)
        self._standing.forget(before)

    def archive(self, before: int) -> None:
        """Memory lets go of the events before a `t_gen`, in microseconds, which may come again: puts aside
        what is known of matches that start there, and cannot be found in memory."""
        self._drop(before)
        self._ledger.archive(before)
        self._standing.archive(before)

    def _drop(self, before: int) -> None:
        for known in (*self._nets, self._counting, self._skipping):
            if known is not None:
                known.forget(before)

    def rebuild(self, ends: Sequence[Event], view: View, decided: Decided, before: int) -> None:
        """Learns again what had been emitted for end events, of matches that start before a `t_gen`: memory
        has their events again. Says nothing."""
        if self._nets or self._counting is not None:
            for end in ends:
                self._joined([m for m in self._evaluated([end], view, decided) if m.start.t_gen < before])

    def _ran(self, end: Event, view: View) -> None:
        counters = self._counters
        counters["engine_runs"] += 1
        counters["events_handed"] += view.within(end)

    def _results(self, end: Event, view: View) -> Iterable[Match]:
        self._ran(end, view)
        return self._unique(self._found(end, view))

    def _found(self, end: Event, view: View) -> Iterable[Match]:
        matches = self._engine.matches(end, view)
        # What is a sequence already needs no looking after.
        if isinstance(matches, (list, tuple)) and len(matches) <= self._limit:
            return matches
        return self._limited(iter(matches))

    def _limited(self, matches: Iterator[Match]) -> Iterator[Match]:
        yield from islice(matches, self._limit)
        if next(matches, None) is not None:
            self._counters["truncated"] += 1

    def _unique(self, matches: Iterable[Match]) -> Iterable[Match]:
        if not self._several or self._counting is not None:
            return matches
        return {m.assignment(): m for m in matches}.values()

    def _counted(self, come: list[Match], gone: list[Match]) -> tuple[list[Match], list[Match]]:
        """Leaves out what another alternative has live as well."""
        return (come, gone) if self._counting is None else self._counting.change(come, gone)

    def _difference(
        self,
        come: list[Match],
        gone: list[Match],
        kind: CauseKind,
        cause: Event | None,
        causes: Causes | None = None,
        late: Sequence[Event] = (),
        *,
        final: bool = False,
    ) -> None:
        if self._skipping is not None:
            come, gone = self._skipping.change(come, gone)
            if final:
                # Others that end earlier may still be found, and drop these: `release` emits them.
                return
        if not self._corrects:
            come = self._never_emitted(come, gone)
            gone = []
        pairs: list[tuple[Match, Match]] = []
        retracted: list[Match] = []
        if gone:
            pairs, come, retracted = pair(come, gone, late)
        for match in sorted(retracted, key=_by_end):
            line = self._ledger.retract(self._key(match), match)
            self._say("retract", match, line, *self._lost(match, kind, cause, causes))
        for old, new in pairs:
            line = self._ledger.correct(self._key(old), old, self._key(new), new)
            self._say("correct", new, line, *self._found_by(new, kind, cause, causes))
        for match in come:
            line = self._ledger.emit(self._key(match), match)
            self._say("emit", match, line, *self._found_by(match, kind, cause, causes), final=final)

    def _found_by(
        self, match: Match, kind: CauseKind, cause: Event | None, causes: Causes | None
    ) -> tuple[CauseKind, Event | None]:
        """Why a match goes out, or is corrected."""
        if causes is None:
            return kind, match.end if cause is None and kind == "in_order" else cause
        event = causes.of(match)
        return "negation" if causes.forbids(event) else "late_event", event

    def _lost(
        self, match: Match, kind: CauseKind, cause: Event | None, causes: Causes | None
    ) -> tuple[CauseKind, Event | None]:
        """Why a match is taken back."""
        if causes is None:
            return kind, cause
        event = causes.of_lost(match)
        return "negation" if causes.forbids(event) else "next_match", event

    def _never_emitted(self, come: list[Match], gone: list[Match]) -> list[Match]:
        """Without correction what was emitted stays: what is no result any more is kept in mind, so that it
        is not emitted again when it becomes one."""
        new = [m for m in come if not self._standing.take(self._key(m), m)]
        for match in gone:
            self._standing.add(self._key(match), match)
        return new

    def _say(
        self, op: Op, match: Match, line: Line, kind: CauseKind, cause: Event | None, *, final: bool = False
    ) -> None:
        self._counters[_COUNTED[op]] += 1
        if self.deliver is None:
            return
        now = self._clock.now()
        if op in ("emit", "correct"):
            self.latency.add(max(0, now - match.start.t_arr))
        self.deliver(
            Update(
                op=op,
                pattern=self.plan.name,
                key=self._partition(match),
                match=match,
                first=line.first,
                generation=line.generation,
                revision=line.revision,
                cause=kind,
                cause_event=cause,
                detected=now,
                latency=max(0, now - cause.t_arr) if cause is not None else 0,
                final=final,
            )
        )

    def _partition(self, match: Match) -> dict[str, object] | None:
        if not self.plan.partition:
            return None
        start = match.start
        key = {}
        for path in self.plan.partition:
            value: Any = start.payload
            for name in path:
                value = value.get(name) if isinstance(value, dict) else None
            key[".".join(path)] = value
        return key


_COUNTED: dict[Op, str] = {
    "emit": "emitted",
    "correct": "corrected",
    "retract": "retracted",
    "final": "final",
}


def _within_alternative(match: Match) -> Key:
    return (id(match.alternative), match.key())


def _size(match: Match) -> int:
    return -sum(map(len, match.groups))


def _by_end(match: Match) -> tuple[int, int, str, str, str]:
    return sort_key(match.end)
