"""The event manager of a pattern: decides which end events are evaluated, and when."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from limecep.contracts.lateness import Verdict
from limecep.contracts.slack import LONGEST_WAIT
from limecep.errors import ContractBreach, RunFailure
from limecep.model.time import FOREVER
from limecep.patterns.ends import EndEvents
from limecep.patterns.takers import takers_of, takes

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping
    from typing import ClassVar

    from limecep.clock import Clock
    from limecep.contracts.tables import Tables
    from limecep.model.event import Event
    from limecep.patterns.below import Below
    from limecep.patterns.emission.leaving import Leaving
    from limecep.patterns.evaluation import Decided
    from limecep.patterns.match_codec import MatchCodec
    from limecep.patterns.pending import Pending
    from limecep.patterns.policies import Policies
    from limecep.patterns.result_manager import ResultManager
    from limecep.patterns.stopping import Stopping
    from limecep.patterns.timing import Timing
    from limecep.plan.plan import Plan
    from limecep.statistics import Statistics
    from limecep.store.views import Views


class EventManager(ABC):
    """Evaluation of one pattern. When its matches go out is what the classes of `limecep.patterns.emission`
    say.

    Args:
        plan: The pattern's plan.
        views: Its views of the store.
        results: Its result manager.
        policies: Its policies.
        timing: What its matches wait for.
        clock: The arrival clock.
        statistics: What the policies decide on.
        progress: How far time has come for this pattern, in microseconds: what is before it has passed.
        tables: Makes the tables of this pattern.
        matches: Writes its matches in them.
        group: Patterns of one group refuse the same events.
        below: The patterns whose derived events it reads; None if it reads none.

    Attributes:
        gathers: Whether matches wait for slack.
        refused: How many events it refused as extremely late.
        latest_accepted: How late the latest event was that it accepted, in microseconds.
        slack_waits: How many late events waited for others.
        sound_from: The `t_gen` from which on it is known what was emitted for end events: those before are
            left as they are.
    """

    #: They follow from the plan, or are the statistics'. (Why it has stopped is in the snapshot.)
    transient: ClassVar[frozenset[str]] = frozenset({
        "below", "ends", "evaluation", "view", "taken", "figures", "gathering", "asked", "asked_at",
        "touched", "stopping",
    })  # fmt: skip

    gathers: ClassVar[bool] = False

    def __init__(
        self,
        plan: Plan,
        views: Views,
        results: ResultManager,
        policies: Policies,
        timing: Timing,
        clock: Clock,
        statistics: Statistics,
        progress: Callable[[], int],
        tables: Tables,
        matches: MatchCodec,
        group: Hashable = None,
        below: Below | None = None,
    ) -> None:
        self.group = group
        self._below = below
        self.refused = 0
        self.slack_waits = 0
        self.latest_accepted = 0
        self.sound_from = -FOREVER
        self.plan = plan
        self.views = views
        self.results = results
        self._evaluation = results.evaluation
        self._policies = policies
        self._timing = timing
        self._clock = clock
        self._statistics = statistics
        self._figures = statistics.pattern(plan.name)
        self._progress = progress if below is None else below.progress(progress)
        self._gathering = False
        # No event before this is accepted: something may have been said to be final.
        self._closed = -FOREVER
        self._ends = EndEvents(plan)
        self._view = views.only
        self._taken = takers_of([f for a in plan.alternatives for f in a.filters])
        # What `touches` was asked last, and said: it is asked several times about a late event.
        self._asked: Event | None = None
        self._asked_at = 0
        self._touched = (0, 0)
        self._stopping: Stopping | None = None
        self._begin(tables, matches)

    @abstractmethod
    def _begin(self, tables: Tables, matches: MatchCodec) -> None:
        """Makes what this way to emit keeps."""

    def stop_with(self, stopping: Stopping) -> None:
        """Says nothing more once a component of the pattern has failed."""
        self._stopping = stopping
        stopping.act = self.results.silence

    @property
    def stopped(self) -> str:
        """Why the pattern has stopped; "" if it has not."""
        return "" if self._stopping is None else self._stopping.reason

    def stop(self, reason: str) -> None:
        """It has stopped in another process, which has told why."""
        if self._stopping is not None and not self._stopping.reason:
            self._stopping.stop(reason)

    @property
    def awaited_types(self) -> frozenset[str]:
        """The event types that `came` is to be told of."""
        return self._ends.types

    @property
    def shares(self) -> bool:
        """Whether all it does for an end event in order, which is the last of one lane, is to emit what is
        found for it: that may be found for several patterns at once."""
        return False

    @property
    def waits(self) -> bool:
        """Whether there is something to do as event time passes."""
        return False

    @property
    def pending(self) -> int:
        """How many evaluations wait for event time."""
        return 0

    @property
    def slack_due(self) -> int:
        """The arrival time at which what waits for slack is to be looked at; FOREVER if nothing does."""
        return FOREVER

    @property
    def next_deadline(self) -> int:
        """The latest event time, once strictly passed, from which on there is something to do."""
        return FOREVER

    @property
    def awaited_from(self) -> int:
        """No end event that waits for anything, nor a late event that waits with it, is earlier than this
        `t_gen`; FOREVER if none waits."""
        return FOREVER

    @property
    def decided(self) -> Decided:
        """Whether time has decided a match; None where none waits for time."""
        return None

    # -- events --------------------------------------------------------------------------------------------

    @abstractmethod
    def came(self, event: Event) -> None:
        """An event of one of the `awaited_types` has come in order."""

    def assess(self, event: Event) -> Verdict:
        """Whether a late event is still used."""
        statistics = self._statistics
        # Compiled code would not get as far as to look at what is no Verdict.
        policy: Any = self._policies.lateness
        told = policy.assess(event, statistics)
        if not isinstance(told, Verdict) or not isinstance(told.score, (int, float)):
            raise ContractBreach(policy, f"gave {told!r} where a Verdict is due, its score a number")
        verdict: Verdict = told
        if self._stopping is not None and self.stopped:
            return verdict
        self._figures.note_score(event.type, verdict.score)
        if not verdict.extremely_late and event.t_gen < (closed := self._closed_now()):
            verdict = Verdict(
                extremely_late=True,
                score=(statistics.lta - event.t_gen) / 1e6,
                threshold=(statistics.lta - closed) / 1e6,
                reason="older than what is final",
            )
        if verdict.extremely_late:
            self.refused += 1
        elif statistics.lta - event.t_gen > self.latest_accepted:
            self.latest_accepted = statistics.lta - event.t_gen
        return verdict

    @abstractmethod
    def prepare(self, event: Event, after: Pending | None = None) -> Pending | None:
        """An event that is not the latest is about to enter the store: notes what it may change. None if it
        makes no difference.

        Args:
            event: The event.
            after: What the leaving of one changed in whose place it comes: to be looked at together.
        """

    @abstractmethod
    def entered(self, event: Event, pending: Pending) -> None:
        """The event is in the store, and was prepared."""

    @property
    @abstractmethod
    def leaving(self) -> Leaving:
        """What it does about events that leave the store."""

    def gather(self) -> None:
        """Several events are about to come late, or to leave, for one reason: what they change is looked at
        together, when `gathered` is called."""
        self._gathering = True

    def gathered(self) -> None:
        """All of them have."""
        self._gathering = False
        self.run_slack(self._clock.now())

    def takes(self, event: Event) -> bool:
        """Whether an event may make a difference: under strict contiguity any does."""
        return self.plan.select == "sc" or takes(self._taken, event)

    def touches(self, event: Event) -> tuple[int, int]:
        """The range of end events, by `t_gen` and both ends included, that an event may change."""
        lta = self._statistics.lta
        if event is not self._asked or lta != self._asked_at:
            policy: Any = self._policies.recompute
            told = policy.reach(event, max(lta, event.t_gen))
            kinds = [type(t) for t in told] if isinstance(told, (tuple, list)) else []
            if kinds != [int, int] or told[0] > told[1]:
                what = f"gave {told!r} where two times in whole microseconds are due, the earlier one first"
                raise ContractBreach(policy, what)
            self._touched = told[0], told[1]
            self._asked, self._asked_at = event, lta
        return self._touched

    def _slack(self) -> int:
        """How long late events wait now, in microseconds."""
        policy: Any = self._policies.slack
        told = policy.wait(self._statistics)
        if type(told) is not int or not 0 <= told <= LONGEST_WAIT:
            what = f"says to wait {told!r}: that is not a whole number of microseconds from 0 to a year"
            raise ContractBreach(policy, what)
        return told

    def _is_sound_end(self, event: Event) -> bool:
        """Whether a late event is an end event for which it is known what was emitted. What comes at the
        latest time is in order, and evaluated like that."""
        return event.t_gen >= min(self.sound_from, self._statistics.lta) and event in self._ends

    # -- time ----------------------------------------------------------------------------------------------

    @abstractmethod
    def run_slack(self, now: int) -> None:
        """Looks at what has waited long enough, `now` being the arrival time."""

    @abstractmethod
    def run_due(self) -> None:
        """Does what event time has come for."""

    def progress(self) -> int:
        """How far time has come for it, in microseconds: what is before it has passed."""
        return self._progress()

    def _final_before(self) -> int:
        """The time before which no event is accepted any more, as far as it has passed."""
        progress = self._progress()
        return FOREVER if progress == FOREVER else min(progress, self._accepted_from())

    def _accepted_from(self) -> int:
        """The `t_gen` before which no event is accepted any more, nor derived, whatever may still come."""
        own = self._policies.horizon(self._statistics)
        if self._below is None:
            return own
        below = self._below.accepted_from
        return -FOREVER if below is None else min(own, below)

    def _closed_now(self) -> int:
        """The `t_gen` before which an event is too late for what is final."""
        return -FOREVER

    def _reached(self, first: int) -> int:
        """The event time at which nothing before a `t_gen` is accepted any more. What is accepted reaches
        back as far as it did; if that changes, some is said a little later."""
        if first == FOREVER:
            return FOREVER
        return first + max(0, self._statistics.lta - self._accepted_from())

    # -- memory --------------------------------------------------------------------------------------------

    @property
    def horizon(self) -> int | None:
        """The `t_gen` before which no event is accepted any more, nor one derived that it reads, in
        microseconds; None if there is none."""
        known = self.own_horizon
        if self._below is None or known is None:
            return known
        below = self._below.accepted_from
        return None if below is None else min(known, below)

    @property
    def own_horizon(self) -> int | None:
        """The `t_gen` before which no event is accepted any more, what is derived aside; None if there is
        none."""
        known = self._policies.accepted_from(self._statistics)
        if self._closed > -FOREVER:
            known = self._closed if known is None else max(known, self._closed)
        return known

    def settle(self, before: int) -> None:
        """Does what time has come for, and looks at once at what waits for slack and has to do with events
        before a `t_gen`."""
        self.run_due()

    def give_up(self, before: int) -> list[Event]:
        """Lets end events before a `t_gen` wait for time no longer; gives those whose matches so are never
        told, or never called final."""
        return []

    def rebuild(self, low: int, high: int, before: int) -> None:
        """Learns again what was emitted for the end events of a range of `t_gen`, both ends included, of
        matches that start before a `t_gen`."""
        for view in self.views.stored():
            self.results.rebuild(self._ends.between(view, low, high), view, self.decided, before)

    # -- what survives a crash -----------------------------------------------------------------------------

    def snapshot(self) -> dict[str, Any]:
        """What must survive, the tables aside."""
        return {
            "refused": self.refused,
            "slack_waits": self.slack_waits,
            "latest_accepted": self.latest_accepted,
            "sound_from": self.sound_from,
            "closed": self._closed,
            "stopped": self.stopped,
            "policies": self._policies.snapshot(),
            "results": self.results.snapshot(),
        }

    def restore(self, known: Mapping[str, Any]) -> None:
        """It is as it was in a snapshot: the tables are filled, the store has its events."""
        self.refused = known["refused"]
        self.slack_waits = known["slack_waits"]
        self.latest_accepted = known["latest_accepted"]
        self.sound_from = known["sound_from"]
        self._closed = known["closed"]
        self.results.restore(known["results"])
        if not (stopped := known.get("stopped", "")):
            self._policies.restore(known["policies"])
        elif self._stopping is None:
            raise RunFailure(
                f"the state says that pattern '{self.plan.name}' was disabled ({stopped}): write on_error: "
                "disable for it, as before, or begin anew with 'limecep state reset'"
            )
        else:
            self._stopping.recall(stopped)
