"""Detection of one pattern under chosen policies, without a pipeline: what the suites for policies drive."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from copy import deepcopy
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.contracts.lateness import Verdict
from limecep.contracts.results import EVERYTHING
from limecep.contracts.tables import PLAIN
from limecep.detection.detection import Detection
from limecep.host import Host
from limecep.patterns.detector import Detector, Refusal
from limecep.plan.compiler import compile_plan
from limecep.state.book import Book, Numbers
from limecep.state.checkpoint import Checkpoint
from limecep.state.json_values import decode, encode
from limecep.testing.bench import SilentLogger
from limecep.testing.streams import SECOND, disorder, shuffled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from limecep.contracts.changes import Change, Moment
    from limecep.contracts.engine import Engine
    from limecep.contracts.lateness import LatenessPolicy
    from limecep.contracts.recompute import RecomputePolicy
    from limecep.contracts.results import Emit, Promise, ResultPolicy, Skip
    from limecep.contracts.slack import SlackPolicy
    from limecep.contracts.state import Row
    from limecep.model.event import Event
    from limecep.model.pattern import Pattern, Select
    from limecep.model.update import Update
    from limecep.plan.plan import Plan
    from limecep.statistics import Statistics
    from limecep.store.share import Share


@contextmanager
def only_reading(statistics: Statistics) -> Iterator[None]:
    """Inside it a policy is asked, which is not to change the statistics: all others decide by them.

    Raises:
        AssertionError: It has changed them.
    """
    before = deepcopy(statistics.snapshot())
    yield
    changed = _changed(before, statistics.snapshot())
    assert not changed, f"the policy changes the statistics: {changed}"


def _changed(before: Any, after: Any, name: str = "") -> str:
    """What of some figures is not as it was, in words; those that are asked for the first time are new."""
    if isinstance(before, dict):
        parts = (_changed(value, after.get(key), f"{name}.{key}") for key, value in before.items())
        return next(filter(None, parts), "")
    return "" if before == after else f"{name[1:]} was {before} and is {after}"


class Accepting:
    """Uses every late event, or those up to `within` microseconds behind."""

    learns: ClassVar[bool] = False
    by_window: ClassVar[bool] = False

    def __init__(self, within: int | None = None) -> None:
        self._within = within

    def assess(self, event: Event, statistics: Statistics) -> Verdict:
        behind = statistics.lta - event.t_gen
        if self._within is None or behind <= self._within:
            return Verdict(extremely_late=False)
        return Verdict(extremely_late=True, score=behind, threshold=self._within, reason="too late")

    def horizon(self, statistics: Statistics) -> int | None:
        return None if self._within is None else statistics.lta - self._within


class Waiting:
    """Waits the same time always, in microseconds; by default not at all."""

    def __init__(self, wait: int = 0) -> None:
        self._wait = wait

    def wait(self, statistics: Any) -> int:
        return self._wait


class Reaching:
    """Reaches every end event that an event can change under any pattern with this window."""

    def __init__(self, plan: Plan) -> None:
        self._within = plan.within

    def reach(self, event: Event, lta: int) -> tuple[int, int]:
        return event.t_gen - self._within, event.t_gen + 2 * self._within


class Correcting:
    """Emits at once, and lets everything through."""

    promise: Promise = "equal"
    passes = EVERYTHING
    across_keys = False
    announces = False
    emit: Emit = "eager"
    horizon = None

    def __init__(self, skip: Skip | None = None) -> None:
        self.skip = skip

    def decide(self, changes: Sequence[Change], moment: Moment) -> Iterable[Change]:
        return changes


class Kept:
    """What a state would keep of a detection, in memory."""

    def __init__(self) -> None:
        self._rows: dict[int, Row] = {}
        self._segments: list[tuple[int, bytes]] = []

    def tables(self) -> Book:
        """Makes the tables of the next detection."""
        numbers = Numbers()
        for number in self._rows:
            numbers.seen(number)
        self._book = Book(numbers)
        return self._book

    def begin(self, detection: Detection) -> None:
        """That is the next detection, to which nothing has happened yet."""
        self._checkpoint = Checkpoint(detection, self._book)

    def entered(self, events: Sequence[Event]) -> None:
        """These events were fed to it."""
        self._segments += [(last, text) for _, last, text in self._checkpoint.segments(events)]

    def written(self) -> bytes:
        """Writes down what there is, all but rows and segments in what is returned."""
        put, deleted = self._book.changes()
        for number in deleted:
            self._rows.pop(number, None)
        self._rows.update((row.number, row) for row in put)
        return encode(self._checkpoint.snapshot())

    def restore(self, known: bytes) -> None:
        """The detection that began last goes on from what was `written`."""
        figures = decode(known)
        segments = [text for last, text in self._segments if last >= figures["needed_from"]]
        self._checkpoint.restore(figures, [self._rows[n] for n in sorted(self._rows)], segments)


class PolicyBench:
    """One pattern under the policies given, with the default engine or another. Policies that are not given
    are the plainest there are: every event is used, at once, and results are exact.

    Args:
        pattern: The pattern.
        select: The selection policy.
        lateness, slack, recompute, results: Each makes a policy.
        batch: How many events are fed at a time.
        share: The keys that it detects for; None for all.
        keeps: Whether it can `restart`.
        engine: Makes the engine.

    Attributes:
        plan: The pattern's plan.
        engine: Its engine.
        updates: The change log so far.
        refused: The events that were extremely late.
        detection: What does it.
    """

    def __init__(
        self,
        pattern: Pattern,
        select: Select = "stnm",
        *,
        lateness: Callable[[Plan, Context], LatenessPolicy] = lambda plan, context: Accepting(),
        slack: Callable[[Plan, Context], SlackPolicy] = lambda plan, context: Waiting(),
        recompute: Callable[[Plan, Context], RecomputePolicy] = lambda plan, context: Reaching(plan),
        results: Callable[[Plan, Context], ResultPolicy] = lambda plan, context: Correcting(),
        batch: int = 1,
        share: Share | None = None,
        keeps: bool = False,
        engine: Callable[[Plan, Context], Engine] | None = None,
    ) -> None:
        self.plan = plan = compile_plan(pattern, name="p", select=select)
        self.updates: list[Update] = []
        self.refused: list[Event] = []
        self._clock = ManualClock()
        self._batch = batch
        self._share = share
        self._kept = Kept() if keeps else None
        context = Context(label="patterns.p", clock=self._clock, counters=Counter(), logger=SilentLogger())
        self.engine = (engine or _engine)(plan, context)

        def detector() -> Detector:
            return Detector(
                plan=plan,
                engine=self.engine,
                lateness=lateness(plan, context),
                slack=slack(plan, context),
                recompute=recompute(plan, context),
                results=results(plan, context),
                context=context,
                group=plan.name,
            )

        self._detector = detector
        self.detection = self._begun()

    def _begun(self) -> Detection:
        tables = PLAIN if self._kept is None else self._kept.tables()
        detection = Detection(
            [self._detector()],
            self._clock,
            deliver=self.updates.append,
            refuse=self._refuse,
            tables=tables,
            share=self._share,
        )
        if self._kept is not None:
            self._kept.begin(detection)
        return detection

    def run(self, events: Iterable[Event], cut: int | None = None) -> list[Update]:
        """Takes in a whole stream in the order of its arrival, an event a second, and its end.

        Args:
            events: The stream.
            cut: After how many events it restarts; None for never.
        """
        events = [*events]
        if cut is not None:
            self.feed(events[:cut])
            self.restart()
            events = events[cut:]
        self.feed(events)
        self.detection.finish()
        return self.updates

    def restart(self) -> None:
        """Goes on with other components, as after a crash: they know what was written down of the first."""
        assert self._kept is not None, "it keeps nothing: keeps=True"
        known = self._kept.written()
        self.detection = self._begun()
        self._kept.restore(known)

    def feed(self, events: Iterable[Event]) -> None:
        """Takes in events in the order of their arrival, each a second after the one before. They are copied:
        streams may be used again."""
        now = self.detection.clock.now()
        arriving = [
            msgspec.structs.replace(event, t_arr=now + n * SECOND) for n, event in enumerate(events, start=1)
        ]
        for begin in range(0, len(arriving), self._batch):
            batch = arriving[begin : begin + self._batch]
            self.detection.feed(batch)
            if self._kept is not None:
                self._kept.entered(batch)

    def stepwise(self, events: Iterable[Event]) -> Iterator[tuple[list[Event], list[Update]]]:
        """As `run`, event by event, and at the end: the events that have come by then and were not refused,
        and what was said since the step before."""
        known: list[Event] = []
        told = 0
        for event in events:
            self.feed([event])
            if event.id not in {e.id for e in self.refused}:
                known.append(event)
            yield known, self.updates[told:]
            told = len(self.updates)
        self.detection.finish()
        yield known, self.updates[told:]

    def _refuse(self, refusal: Refusal) -> None:
        if refusal.reason == "extremely_late":
            self.refused.append(refusal.event)


def arriving(events: Iterable[Event], seed: int) -> list[Event]:
    """Some order of arrival, from a few late events to any order at all."""
    random = Random(seed)
    if random.random() < 0.4:
        return shuffled(events, seed)
    return disorder(events, seed, 0.4, random.randint(1, 8) * SECOND)


def _engine(plan: Plan, context: Context) -> Engine:
    registry = _host().registry
    spec = registry.default("engine")
    assert spec is not None, registry.no_default("engine")
    made: Engine = registry.make(spec, plan, spec.options(), context)
    return made


@cache
def _host() -> Host:
    return Host.load()
