"""Silence: event time goes on by itself where no source brings anything (SEMANTICS 10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, cast

from limecep.clock import SettableClock
from limecep.model.time import FOREVER

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from limecep.clock import Clock
    from limecep.detection.event_time import SourceTraits
    from limecep.statistics import Statistics

#: A live run looks at its sources more often than that. What lies farther apart is no silence: the run had to
#: wait for a sink, the machine slept, or its clock was set.
LISTENING_US = 5_000_000
#: Clocks are slewed, too, and read one after the other: by less than that none is set.
_SET_US = 1_000_000


class Silence:
    """How long each source has been silent, and what that tells.

    Args:
        statistics: The times of each source.
        clock: The arrival clock.
        moved: Whether events move it: then nothing is missed.
        traits: The sources that are known beforehand, by name.
        heard: When each was heard last, or listened to first. Another writes there, too.
        ended: Those that will bring nothing any more.
    """

    #: They belong to another, follow from the patterns, or begin anew with a run.
    transient: ClassVar[frozenset[str]] = frozenset(
        {"moved", "traits", "heard", "ended", "away", "feeding", "passing", "passed"}
    )

    def __init__(
        self,
        statistics: Statistics,
        clock: Clock,
        *,
        moved: bool,
        traits: Mapping[str, SourceTraits],
        heard: dict[str, int],
        ended: set[str],
    ) -> None:
        self._statistics = statistics
        self._clock = clock
        self._moved = moved
        self._traits = traits
        self._heard = heard
        self._ended = ended
        #: When those were last seen away that lost their broker.
        self._away: dict[str, int] = {}
        #: The sources that feed some pattern, for all patterns.
        self._feeding: set[frozenset[str]] = set()
        self._listened = 0
        # Its class is asked, as that of a movable clock is.
        settable = issubclass(type(clock), SettableClock)
        self._passing = cast("SettableClock", clock).passed if settable else None
        self._passed: int | None = None

    @property
    def settable(self) -> bool:
        """Whether it would notice that the arrival clock was set forward."""
        return self._passing is not None

    def feeds(self, names: Iterable[str]) -> None:
        """These are the sources that feed some pattern."""
        self._feeding.add(frozenset(names))

    def listen(self, away: Iterable[str]) -> int:
        """Nothing came for a while.

        Args:
            away: The sources that are not connected: it is no silence of theirs that nothing comes.

        Returns:
            By how much the arrival clock was set since then, in microseconds; below 0 where it was set back.
        """
        now, at = self._read()
        passed = now - self._listened
        set_by = min(passed, 0)
        if set_by == 0 and self._passed is not None:
            more = passed - (at - self._passed)
            set_by = more if abs(more) >= _SET_US else 0
        if self.settable:
            self._passed = at
        if not (self._moved or 0 <= passed <= LISTENING_US):
            self._miss(passed)
        self._listened = now
        for name in self._traits:
            self._heard.setdefault(name, now)
        for name in away:
            self._away[name] = now
        return set_by

    def _read(self) -> tuple[int, int]:
        """The arrival clock, and what has passed by then."""
        if self._passing is None:
            return self._clock.now(), 0
        while True:
            at, now = self._passing(), self._clock.now()
            # Else the machine had other things to do between the two.
            if self._passing() - at < _SET_US // 2:
                return now, at

    def _miss(self, passed: int) -> None:
        """Nobody listened for so long, or the arrival clock was set: that is no silence of the sources."""
        now = self._clock.now()
        for times in (self._heard, self._away):
            for name, at in times.items():
                if passed > 0 or at > now:
                    times[name] = min(at + passed, now)

    def reached(self) -> int:
        """How far event time has come by itself.

        Where every source that feeds a pattern is idle, it goes on at the pace of the arrival clock from the
        latest event time of these sources. -FOREVER where it has not.
        """
        return max([self._reached(names) for names in self._feeding], default=-FOREVER)

    def _reached(self, names: frozenset[str]) -> int:
        now = self._clock.now()
        latest, beyond = -FOREVER, FOREVER
        for name in names - self._ended:
            idle_after = self._traits[name].idle_after
            if idle_after is None or name not in self._heard:
                return -FOREVER
            spoken = self._statistics.source(name).latest
            if spoken is not None and spoken > latest:
                latest = spoken
            since = max(self._heard[name], self._away.get(name, -FOREVER))
            beyond = min(beyond, now - since - idle_after)
        return latest + beyond if latest > -FOREVER and 0 < beyond < FOREVER else -FOREVER

    # -- what survives a crash -----------------------------------------------------------------------------

    def snapshot(self) -> dict[str, Any]:
        """What must survive."""
        return {"listened": self._listened}

    def restore(self, known: Mapping[str, Any]) -> None:
        """It is as it was in a snapshot; where wall time has gone on, no source was silent meanwhile."""
        self._listened = known["listened"]
        if not self._moved:
            now = self._clock.now()
            self._miss(now - self._listened)
            # Where the clock was set back meanwhile, `listen` has yet to say so.
            self._listened = max(self._listened, now)
