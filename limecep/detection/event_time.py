"""Event time: how far it has come, over several sources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, cast

from limecep.clock import MovableClock
from limecep.model.time import FOREVER

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from limecep.clock import Clock
    from limecep.detection.silence import Silence
    from limecep.statistics import Statistics


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceTraits:
    """What detection has to know about a source.

    Attributes:
        max_future_skew: Microseconds an event may be ahead of its arrival; None for any.
        idle_after: Microseconds of silence after which it holds time back no more; None for never.
        types: The event types it can bring; None for any.
        every: The period it is expected to keep, in microseconds; None for any.
        revises: Whether it may take back what it told: its events are `Statement`s.
    """

    max_future_skew: int | None = None
    idle_after: int | None = None
    types: frozenset[str] | None = None
    every: int | None = None
    revises: bool = False


#: What is known of a source that nobody declared.
ANY = SourceTraits()


class EventTime:
    """What has passed, for whom.

    Args:
        statistics: The times of each source.
        clock: The arrival clock.
        traits: The sources that are known beforehand, by name.
        awaits_sources: Whether those hold time back that have brought nothing yet.

    Attributes:
        over: The input is over: time has passed for everything.
        advance: Moves the arrival clock, in microseconds. Only that of a replay is moved by the events.
        silence: Lets time go on where nothing comes; None where it never does.
    """

    #: The run says when the input is over, and which sources have ended.
    transient: ClassVar[frozenset[str]] = frozenset({"over", "moved", "advance", "ended"})

    def __init__(
        self, statistics: Statistics, clock: Clock, traits: dict[str, SourceTraits], *, awaits_sources: bool
    ) -> None:
        self.over = False
        self._statistics = statistics
        self._clock = clock
        # Its class is asked in a tenth of the time: a host may make one of these for every key.
        self._moved = issubclass(type(clock), MovableClock)
        self.advance: Callable[[int], object] = cast("MovableClock", clock).advance if self._moved else bool
        self._traits = traits
        self._awaits_sources = awaits_sources
        self._ended: set[str] = set()
        self._heard: dict[str, int] = {}
        self._told = -FOREVER
        self.silence: Silence | None = None
        if not self._moved or any(known.idle_after is not None for known in traits.values()):
            from limecep.detection.silence import Silence

            self.silence = Silence(
                statistics, clock, moved=self._moved, traits=traits, heard=self._heard, ended=self._ended
            )
        for name, known in traits.items():
            statistics.source(name).every = known.every

    def traits(self, source: str) -> SourceTraits:
        """What is known of a source."""
        return self._traits.get(source, ANY)

    def hear(self, source: str, t_arr: int) -> None:
        """A source has brought something, which arrived then."""
        self.advance(t_arr)
        self._heard[source] = self._clock.now()

    def end(self, source: str) -> None:
        """A source will bring nothing any more, and holds time back no longer."""
        self._ended.add(source)

    def tell(self, to: int) -> None:
        """Event time has come to `to`, in microseconds, although no event says so."""
        self._told = max(self._told, to)

    def progress_for(self, types: frozenset[str] | None) -> Callable[[], int]:
        """How far time has come for a pattern over these types, or all: the least over the sources that feed
        it and are neither idle nor ended. What is before it has passed."""
        if self.silence is not None:
            self.silence.feeds([name for name, traits in self._traits.items() if _feeds(traits, types)])

        def progress() -> int:
            if self.over:
                return FOREVER
            now = self._clock.now()
            least = self._statistics.lta
            for name, figures in self._statistics.sources.items():
                traits = self.traits(name)
                if name in self._ended or not _feeds(traits, types):
                    continue
                if figures.latest is None and not self._awaits_sources:
                    continue
                silent = now - self._heard.get(name, now)
                if traits.idle_after is not None and silent > traits.idle_after:
                    continue
                least = min(least, -FOREVER if figures.latest is None else figures.latest)
            return max(least, self._told)

        return progress

    # -- what survives a crash -----------------------------------------------------------------------------

    def snapshot(self) -> dict[str, Any]:
        """What must survive; the time of a clock that events move, too."""
        now = self._clock.now() if self._moved else 0
        silence = None if self.silence is None else self.silence.snapshot()
        return {"heard": self._heard, "told": self._told, "now": now, "silence": silence}

    def restore(self, known: Mapping[str, Any]) -> None:
        """It is as it was in a snapshot."""
        self.advance(known["now"])
        self._heard.update(known["heard"])
        self._told = known["told"]
        if self.silence is not None:
            self.silence.restore(known["silence"])


def _feeds(traits: SourceTraits, types: frozenset[str] | None) -> bool:
    return traits.types is None or types is None or not traits.types.isdisjoint(types)
