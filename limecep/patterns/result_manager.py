"""The result manager of a pattern: what was emitted, and what to say when it changes.

For every end event, what was emitted is what the engine gives on the view. Whatever changes the view, the
manager asks for the end events it touches before and after, and says the difference: that gives corrections.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar

from limecep.contracts.results import EVERYTHING
from limecep.errors import ContractBreach
from limecep.model.update import Update
from limecep.patterns.evaluation import Evaluation
from limecep.patterns.keys import by_end, by_place, by_size, key_within_alternative, one_each
from limecep.patterns.ledger import Ledger, Line
from limecep.patterns.why import InOrder
from limecep.plan.partition import compile_partition, shown_key
from limecep.statistics import Spread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from limecep.clock import Clock
    from limecep.contracts.context import Context
    from limecep.contracts.engine import Engine
    from limecep.contracts.results import ResultPolicy
    from limecep.contracts.tables import Tables
    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.model.update import CauseKind, Op
    from limecep.patterns.causes import Causes
    from limecep.patterns.decisions import Decisions
    from limecep.patterns.evaluation import Decided
    from limecep.patterns.ledger import Key
    from limecep.patterns.match_codec import MatchCodec
    from limecep.patterns.multiplicity import Counting
    from limecep.patterns.net import Net
    from limecep.patterns.pairing import Pair, Remainders
    from limecep.patterns.pending import Pending
    from limecep.patterns.picking import Picking
    from limecep.patterns.skipping import Skipping
    from limecep.patterns.why import Cause, Why
    from limecep.plan.plan import Plan
    from limecep.statistics import Statistics
    from limecep.store.view import View

    #: Matches, each with what tells it from others.
    Keyed = dict[Key, Match]


class ResultManager:
    """The results of one pattern.

    Args:
        plan: The pattern's plan.
        engine: Its engine.
        policy: Decides what goes out.
        context: Clock and counters: `emitted`, `corrected`, `retracted`, and those of `Evaluation`.
        deliver: Takes updates; None where matches are counted only.
        tables: Makes the tables of this pattern.
        matches: Writes its matches in them.
        statistics: Know how far time has come.

    Attributes:
        evaluation: Asks the engine.
        own_key: The key of a match, that keeps equal ones of two alternatives apart where these are counted.
        latency: From the arrival of a match's first event to the emission of the match, corrections included,
            in microseconds; nothing where matches are counted only.
    """

    #: They follow from the plan, the engine and the policy.
    transient: ClassVar[frozenset[str]] = frozenset({
        "archives", "at_once", "by_match", "clock", "contains", "counts", "evaluation", "key", "own_key",
        "several",
    })  # fmt: skip

    def __init__(
        self,
        plan: Plan,
        engine: Engine,
        policy: ResultPolicy,
        context: Context,
        deliver: Callable[[Update], None] | None,
        tables: Tables,
        matches: MatchCodec,
        statistics: Statistics,
    ) -> None:
        self.plan = plan
        self.deliver = deliver
        self.latency = Spread()
        self._clock: Clock = context.clock
        self._context, self._counters, self._truncations = context, context.counters, context.truncations
        self._truncations.begin(tables)
        self._ledger = Ledger(tables, matches)
        self._several = len(plan.alternatives) > 1
        live: tuple[list[Net], Counting | None, Picking | None] = [], None, None
        if any(a.growing or (self._several and a.negations) for a in plan.alternatives):
            # Of most patterns the matches of an end event follow from that event alone.
            from limecep.patterns.live import live_of

            live = live_of(plan, engine, tables, matches)
        self._nets, self._counting, self.picking = live
        joins = self._counting is not None or self.picking is not None
        self.evaluation = Evaluation(plan, engine, context, unique=self._several and not joins)
        if picks := plan.pick is not None and not self._nets:
            from limecep.patterns.picked_evaluation import PickedEvaluation

            self.evaluation = PickedEvaluation(plan, engine, context)
        self._key = matches.key
        self._contains = not one_each(plan)
        self.own_key = key_within_alternative if self._several and joins else self._key
        self._skipping: Skipping | None = None
        if policy.skip is not None:
            from limecep.patterns.skipping import Skipping

            self._skipping = Skipping(policy.skip, compile_partition(plan.partition), tables, matches)
        self._decisions: Decisions | None = None
        if policy.passes != EVERYTHING:
            from limecep.patterns.decisions import Decisions

            self._decisions = Decisions(plan, policy, context.clock, statistics, tables, matches)
        #: What is put aside as memory lets go of events.
        decided = [] if self._decisions is None else [self._decisions]
        self._archives: list[Ledger | Decisions] = [self._ledger, *decided]
        #: Whether what is no match any more, and what is one now, is all there is to say.
        self.by_match = not self._nets and not joins and not picks
        #: Whether what is found for an end event in order goes out as it is.
        self._at_once = (self.by_match or picks) and self._skipping is None and "emit" in policy.passes
        #: Whether of the matches of an end event in order no more is asked than how many there are.
        self.counts = deliver is None and self._at_once

    def silence(self) -> None:
        """Says and counts nothing from now on: what is found then is not right."""
        self._counters = Counter()
        self.evaluation.silence()
        if self.deliver is not None:
            self.deliver = lambda update: None

    # -- in order ------------------------------------------------------------------------------------------

    def add(self, count: int) -> None:
        """So many matches are emitted that nobody takes."""
        self._counters["emitted"] += count

    def ended(self, end: Event, view: View) -> None:
        """An end event has come in order: everything found for it is new."""
        if self.counts:
            self.add(self.evaluation.count(end, view))
        else:
            self.settle(self.evaluation.matches(end, view), "in_order", end)

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
        if self._at_once:
            for match in matches:
                self._say("emit", match, self._ledger.decided(match), (kind, cause), final=final)
            return
        self._difference(*self._joined(list(matches)), InOrder(kind, cause), final=final)

    def _joined(self, found: list[Match]) -> tuple[Keyed, Keyed]:
        """What these matches make live; what they make live no more."""
        key = self.own_key
        if not self._nets:
            return self._counted({key(m): m for m in found}, {})
        come: Keyed = {}
        gone: Keyed = {}
        for net, alternative in zip(self._nets, self.plan.alternatives, strict=True):
            # The longest first, so that nothing is emitted that is corrected in the same breath.
            mine = sorted((m for m in found if m.alternative is alternative), key=by_size)
            new, old = net.join(mine)
            come |= {key(m): m for m in new}
            gone |= {key(m): m for m in old}
        return self._counted(come, gone)

    def pick(self, ends: Sequence[Event], *, final: bool = False) -> None:
        """Time has come to tell what is picked for end events."""
        if self.picking is not None:
            self._difference(*self.picking.look(ends), InOrder("time", None), final=final)

    # -- late ----------------------------------------------------------------------------------------------

    def emitted(self, ends: Sequence[Event], view: View, decided: Decided) -> Keyed:
        """What has been emitted for these end events, before the view changes. (What tells matches apart is
        found out now, while it costs least: late events move what their groups are ranges of.)"""
        if self._nets:
            # They remember.
            return {}
        key = self.own_key
        return {key(m): m for m in self.evaluation.emitted(ends, view, decided)}

    def revise(self, ends: Sequence[Event], pending: Pending, decided: Decided) -> None:
        """Says how the results of these end events differ from what they were, the view having changed.

        Args:
            ends: Those of what has waited that are still there, by sort key.
            pending: What has waited; no late events where end events have only waited.
            decided: Whether time has decided a match; None where none waits for time.
        """
        before = pending.before
        found = self.evaluation.again(ends, pending.view, decided) if ends else []
        key = self.own_key
        if self._nets:
            changes = [
                net.replace([*ends, *pending.gone], [m for m in found if m.alternative is alternative])
                for net, alternative in zip(self._nets, self.plan.alternatives, strict=True)
            ]
            come = {key(m): m for new, _ in changes for m in new}
            gone = {key(m): m for _, old in changes for m in old}
        else:
            now = {key(m): m for m in found}
            if len(now) < len(found) and not self._several:
                raise ContractBreach(self.evaluation.engine, "gave a match of an end event twice")
            come = {k: m for k, m in now.items() if k not in before}
            gone = {k: m for k, m in before.items() if k not in now}
        if come or gone:
            why = self._causes(pending) if pending.late else InOrder("in_order", None)
            self._difference(*self._counted(come, gone), why, pending)

    def change(self, pending: Pending) -> None:
        """Says what late events have changed, it being known match by match. What comes is in the order of
        end events and starts, whatever the order of arrival."""
        come = pending.found.items()
        found = dict(come if self.deliver is None else sorted(come, key=by_place))
        self._difference(found, dict(pending.before), self._causes(pending), pending)

    def _causes(self, pending: Pending) -> Causes:
        from limecep.patterns.causes import Causes  # Most streams are mostly in order.

        late, plan = pending.late, self.plan
        return Causes(late, pending.waiting, plan.forbidding, plan.within, pending.left, pending.revised)

    def _known(self, ends: Sequence[Event], view: View, decided: Decided) -> list[Match]:
        """What has been emitted for end events, the view being as it was then."""
        if self._nets:
            known = self._nets if self.picking is None else [self.picking]
            return [m for live in known for end in ends for m in live.ending(end)]
        return self.evaluation.emitted(ends, view, decided)

    def release(self, before: int) -> None:
        """Emits the final matches that no other drops any more: all are known that end before a `t_gen`."""
        if self._skipping is not None:
            released = {self._key(m): m for m in self._skipping.release(before)}
            if self._decisions is not None:
                released, _ = self._decisions.decide(released, {}, None, final=True)
            for match in released.values():
                self._say("emit", match, Line(match, 0), ("time", None), final=True)

    def finish(self, end: Event, view: View) -> None:
        """Says of what has been emitted for an end event that nothing can change it any more."""
        for key, match in {self._key(m): m for m in self._known([end], view, None)}.items():
            kept = self._skipping is None or self._skipping.keeps(match)
            if kept and (self._decisions is None or self._decisions.announced(key, match)):
                self._say("final", match, self._ledger.line(key, match), ("time", None))

    # -- what memory lets go -------------------------------------------------------------------------------

    @property
    def lost_until(self) -> int:
        """The `t_gen` up to which it is not known any more how the matches that ended were named, or whether
        they were emitted."""
        return max([known.lost_until for known in self._archives])

    @property
    def remembered(self) -> int:
        """How many matches are kept in mind."""
        known = (*self._nets, *self._archives, self._counting, self.picking, self._skipping)
        return sum(len(k) for k in known if k is not None)

    def forget(self, before: int) -> None:
        """Lets go of the matches that start before a `t_gen`, in microseconds: nothing can change them."""
        self._drop(before)
        for known in self._archives:
            known.forget(before)

    def archive(self, before: int) -> None:
        """Memory lets go of the events before a `t_gen`, in microseconds, which may come again: puts aside
        what is known of matches that start there, and cannot be found in memory."""
        self._drop(before)
        for known in self._archives:
            known.archive(before)

    def _drop(self, before: int) -> None:
        self._truncations.forget(before)
        for known in (*self._nets, self._counting, self.picking, self._skipping):
            if known is not None:
                known.forget(before)

    def rebuild(self, ends: Sequence[Event], view: View, decided: Decided, before: int) -> None:
        """Learns again which matches that start before a `t_gen` had been emitted. Says nothing."""
        if self._nets or self._counting is not None:
            for end in ends:
                found = self.evaluation.again([end], view, decided)
                self._joined([m for m in found if m.start.t_gen < before])

    def _counted(self, come: Keyed, gone: Keyed) -> tuple[Keyed, Keyed]:
        """Leaves out what another alternative has live as well, and what is not picked."""
        if self.picking is not None:
            return self.picking.change(come.values(), gone.values())
        return (come, gone) if self._counting is None else self._counting.change(come.values(), gone.values())

    def _difference(
        self, come: Keyed, gone: Keyed, why: Why, pending: Pending | None = None, *, final: bool = False
    ) -> None:
        """Says what came and what went, by `_key`."""
        if self._skipping is not None:
            kept, dropped = self._skipping.change(come.values(), gone.values())
            if final:
                # Others that end earlier may still be found, and drop these: `release` emits them.
                return
            come, gone = {self._key(m): m for m in kept}, {self._key(m): m for m in dropped}
        late: Remainders | None = None
        contains = self._contains or (pending is not None and pending.renews)
        if come and gone and contains and pending is not None and pending.late:
            from limecep.patterns.pairing import Remainders  # Most streams are mostly in order.

            of = pending.late, pending.view.ordering, pending.left, pending.renews
            late = Remainders(*of, assignments=self._several)
        if self._decisions is not None:
            come, gone = self._decisions.decide(come, gone, late, final=final)
        pairs: list[Pair] = []
        if come and gone and contains:
            from limecep.patterns.pairing import pair

            pairs = pair(come, gone, late)
        if self.deliver is None:
            self._counters.update(emitted=len(come), corrected=len(pairs), retracted=len(gone))
            return
        for key, match in sorted(gone.items(), key=by_end):
            self._say("retract", match, self._ledger.retract(key, match), why.lost(match))
        for was, old, key, new in pairs:
            self._say("correct", new, self._ledger.correct(was, old, key, new), why.found(new), before=old)
        for key, match in come.items():
            self._say("emit", match, self._ledger.emit(key, match), why.found(match), final=final)

    def _say(
        self, op: Op, match: Match, line: Line, why: Cause, final: bool = False, before: Match | None = None
    ) -> None:
        kind, cause = why
        self._counters[_COUNTED[op]] += 1
        if self.deliver is None:
            return
        now = self._clock.now()
        if op in ("emit", "correct"):
            self.latency.add(float(max(0, now - match.start.t_arr)))
        self.deliver(
            Update(
                op=op,
                pattern=self.plan.name,
                key=shown_key(self.plan.partition, match.start),
                match=match,
                first=line.first,
                generation=line.generation,
                revision=line.revision,
                cause=kind,
                cause_event=cause,
                detected=now,
                latency=max(0, now - cause.t_arr) if cause is not None else 0,
                final=final,
                before=before,
            )
        )

    # -- what survives a crash -----------------------------------------------------------------------------

    def snapshot(self) -> dict[str, Any]:
        """What must survive, the tables aside."""
        return {
            "latency": self.latency.snapshot(),
            "counters": self._context.counters,
            "truncations": self._truncations.snapshot(),
            "ledger": self._ledger.snapshot(),
            "decisions": None if self._decisions is None else self._decisions.snapshot(),
        }

    def restore(self, known: Mapping[str, Any]) -> None:
        """It is as it was in a snapshot: the tables are filled, the store has its events."""
        self.latency.restore(known["latency"])
        self._counters.update(known["counters"])
        self._truncations.restore(known["truncations"])
        self._ledger.restore(known["ledger"])
        if self._decisions is not None:
            self._decisions.restore(known["decisions"])
        for net in self._nets:
            net.restore()
        if self._skipping is not None:
            self._skipping.restore()


_COUNTED = {"emit": "emitted", "correct": "corrected", "retract": "retracted", "final": "final"}
