"""What observers are told of a run: its figures at one moment."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import limecep
from limecep.clock import Stopwatch
from limecep.contracts.observer import (
    Durations,
    Figures,
    PatternFigures,
    SinkFigures,
    SourceFigures,
    StateFigures,
)
from limecep.model.time import FOREVER
from limecep.statistics import OUTCOMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from limecep.config.model import SourceConfig
    from limecep.contracts.observer import Phase
    from limecep.runtime.assembly import Assembly
    from limecep.runtime.detecting import Detecting
    from limecep.runtime.feeds import Feed
    from limecep.runtime.report import Account
    from limecep.statistics import Spread

#: Figures of a pattern that `PatternFigures` has a name for.
_NAMED = frozenset({"emitted", "corrected", "retracted", "live", "pending"})


class Observed:
    """Makes figures of a run.

    Args:
        assembly: Made its components.
        account: Its account.
        detection: Gives what detects, once there is such.
        fed: Whether a program feeds the pipeline.

    Attributes:
        committed: Runs since what was found was last made durable; None before there was anything to find.
    """

    def __init__(
        self,
        assembly: Assembly,
        account: Account,
        detection: Callable[[], Detecting | None],
        *,
        fed: bool,
    ) -> None:
        self._account = account
        self._fed = fed
        self._clock = assembly.clock
        self._counters = assembly.counters
        self._disabled = assembly.components.disabled
        self._detection = detection
        self._running = Stopwatch()
        self.committed: Stopwatch | None = None
        #: How many records of each source were seen last, and since when it is that many.
        self._heard: dict[str, tuple[int, Stopwatch]] = {}

    def figures(self, phase: Phase, failure: str = "") -> Figures:
        """The figures now."""
        account, config = self._account, self._account.config
        detection = self._detection()
        late: Counter[str] = Counter()
        for known in account.late.summary():
            late[known["reason"]] += known["count"]
        lta = -FOREVER if detection is None else detection.lta
        return Figures(
            pipeline=config.name,
            version=limecep.__version__,
            phase=phase,
            failure=failure,
            seconds=self._running.seconds,
            fed=self._fed,
            since_commit=None if self.committed is None else self.committed.seconds,
            now=self._clock.now(),
            event_time=lta if lta > -FOREVER else None,
            lateness=Durations() if detection is None else _durations(detection.statistics.lateness),
            held=0 if detection is None else detection.size,
            evicted=0 if detection is None else detection.evicted,
            late=dict(late),
            sources=tuple(_given(detection) if self._fed else self._sources(detection)),
            patterns=tuple(self._patterns(detection)),
            sinks=tuple(self._sinks()),
            state=self._state(),
            disabled={
                o.name: self._disabled[label]
                for o in config.observers
                if (label := f"observers.{o.name}") in self._disabled
            },
        )

    def _sources(self, detection: Detecting | None) -> Iterator[SourceFigures]:
        feeds = {feed.name: feed for feed in self._account.feeds}
        told = self._account.of_sources()
        for source in self._account.config.sources:
            feed = feeds.get(source.name)
            known = None if detection is None else detection.statistics.sources.get(source.name)
            outcomes = dict.fromkeys(OUTCOMES, 0) if known is None else dict(known.outcomes)
            is_open = feed is not None and bool(feed.parts)
            yield SourceFigures(
                name=source.name,
                live=source.live,
                connected=feed is not None and is_open and feed.connected,
                ended=feed is not None and is_open and feed.ended,
                outcomes=outcomes,
                latest=None if known is None else known.latest,
                silent=self._silent(source, feed, sum(outcomes.values())) if is_open else None,
                every=_seconds(source.every),
                idle_after=_seconds(source.idle_after),
                behind=feed is not None and any(part.behind for part in feed.parts),
                waiting=0 if feed is None else len(feed.waiting),
                counters=_numbers(told.get(source.name, {})),
            )

    def _silent(self, source: SourceConfig, feed: Feed | None, read: int) -> float | None:
        """How long a source has brought nothing, in seconds."""
        if feed is None or not source.live or feed.ended:
            return None
        seen, since = self._heard.get(source.name, (-1, None))
        if since is None or seen != read:
            since = Stopwatch()
            self._heard[source.name] = read, since
        return since.seconds

    def _patterns(self, detection: Detecting | None) -> Iterator[PatternFigures]:
        told = {} if detection is None else detection.patterns()
        for pattern in self._account.config.patterns:
            figures = told.get(pattern.name, {})
            known = None if detection is None else detection.statistics.patterns.get(pattern.name)
            yield PatternFigures(
                name=pattern.name,
                latency=Durations() if known is None else _durations(known.latency),
                disabled=str(figures.get("disabled", "")),
                counters={n: v for n, v in _numbers(figures).items() if n not in _NAMED},
                **{name: figures[name] for name in _NAMED if name in figures},
            )

    def _sinks(self) -> Iterator[SinkFigures]:
        keeper = self._account.keeper
        for outlet in self._account.delivery.outlets:
            label = f"sinks.{outlet.name}"
            kept = {} if keeper is None else keeper.of_sink(outlet.name).get("waiting", {})
            yield SinkFigures(
                name=outlet.name,
                records=outlet.sent,
                waiting=outlet.waiting if keeper is None else kept.get("records", 0),
                disabled=self._disabled.get(label, ""),
                counters=dict(self._counters.get(label, {})),
            )

    def _state(self) -> StateFigures | None:
        keeper = self._account.keeper
        if keeper is None:
            return None
        told = keeper.report()
        return StateFigures(commits=told["batches"], unsent=told["unsent"], bytes=told.get("bytes"))


def _given(detection: Detecting | None) -> Iterator[SourceFigures]:
    """The sources of what a program feeds."""
    for name, known in {} if detection is None else detection.statistics.sources.items():
        outcomes = dict(known.outcomes)
        yield SourceFigures(name=name, connected=True, outcomes=outcomes, latest=known.latest)


def _numbers(figures: Mapping[str, Any]) -> dict[str, int]:
    """What was counted, of figures that say more."""
    return {name: value for name, value in figures.items() if type(value) is int}


def _seconds(microseconds: int | None) -> float | None:
    return None if microseconds is None else microseconds / 1e6


def _durations(spread: Spread) -> Durations:
    """Figures in microseconds, as seconds."""
    return Durations(
        count=spread.count,
        total=spread.total / 1e6,
        minimum=spread.minimum / 1e6,
        maximum=spread.maximum / 1e6,
    )
