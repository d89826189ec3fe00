"""So many matches of a key go out, and no more, until some time has passed."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any, ClassVar

from limecep.contracts.changes import Change
from limecep.encoding import frozen
from limecep_results.config import ThrottleOptions

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from limecep.contracts.changes import Moment
    from limecep.contracts.context import Context
    from limecep.contracts.results import Emit, Promise, Step
    from limecep.model.match import Match
    from limecep.plan.plan import Plan
    from limecep_results.config import CooldownOptions


class Throttle:
    """Of one key, in the order of end event and start, a match goes out unless as many as there may be have
    ended within `per` before it. A late event may change which: they are put right."""

    promise: ClassVar[Promise] = "equal"
    passes: ClassVar[frozenset[Step]] = frozenset()
    across_keys: ClassVar[bool] = False
    announces: ClassVar[bool] = False
    horizon: ClassVar[None] = None
    skip: ClassVar[None] = None

    def __init__(self, plan: Plan, options: ThrottleOptions, context: Context) -> None:
        self.emit: Emit = options.emit
        self.lasts = options.per
        self._most = options.matches
        self._per = options.per
        #: When those ended that are out, in order, by key: also those that memory has let go.
        self._ends: dict[Hashable, list[int]] = {}
        self._swept = 0

    def selects(self, matches: Sequence[Match]) -> Iterator[Match]:
        ends: list[int] = []
        for match in matches:
            if self._may(match, ends):
                yield match

    def decide(self, changes: Sequence[Change], moment: Moment) -> Iterable[Change]:
        told = [change for change in changes if change.op == "retract"]
        # What ends before is out, or not, as it was.
        since = min(change.match.end.t_gen for change in changes)
        ends = self._ends.setdefault(moment.key, [])
        del ends[bisect_left(ends, since) :]
        for match, valid, out in moment.matches(since):
            if valid and self._may(match, ends) != out:
                told.append(Change("retract" if out else "emit", match))
        self._sweep(moment.settled - self._per)
        return told

    def _may(self, match: Match, ends: list[int]) -> bool:
        """Whether a match goes out, given when those before it ended; then it is one of them."""
        end = match.end.t_gen
        if len(ends) >= self._most and ends[-self._most] > end - self._per:
            return False
        ends.append(end)
        return True

    def _sweep(self, before: int) -> None:
        """Forgets what ended before a time: nothing is decided by it any more."""
        if before < self._swept + self._per:
            return
        self._swept = before
        kept = {key: ends[bisect_left(ends, before) :] for key, ends in self._ends.items()}
        self._ends = {key: ends for key, ends in kept.items() if ends}

    def remembered(self) -> Any:
        return [self._swept, list(self._ends.items())]

    def recall(self, known: Any) -> None:
        self._swept, ends = known
        self._ends = {frozen(key): ended for key, ended in ends}


class Cooldown(Throttle):
    """After a match goes out, no other of its key does for some time."""

    def __init__(self, plan: Plan, options: CooldownOptions, context: Context) -> None:
        super().__init__(plan, ThrottleOptions(matches=1, per=options.for_, emit=options.emit), context)
