"""Observers see a pipeline from outside: they are told its figures, and change nothing."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Mapping

#: `starting`: the state is read, sources and sinks are opened. `running`: events are taken in. `ended`: the
#: run is over. `failed`: it is over because of an error.
Phase = Literal["starting", "running", "ended", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Durations:
    """Some durations, of which only these are kept, in seconds; all 0 while there is none."""

    count: int = 0
    total: float = 0.0
    minimum: float = 0.0
    maximum: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFigures:
    """The figures of a source.

    Attributes:
        name: Its name in the pipeline.
        live: Whether messages come as things happen; else it is a recording, which ends.
        connected: Whether messages published from now on will be received; a source without a broker is
            connected once it is open.
        ended: Whether nothing will come any more.
        outcomes: How many of its events had each outcome (`limecep.statistics.OUTCOMES`), in earlier runs of
            the same state, too.
        latest: The greatest event time, in microseconds; None before the first event.
        silent: Seconds since it last brought something, or since the run began, to about a second; None
            where silence means nothing: before it is open, once it has ended, and of a recording.
        every: The period that the pipeline declares for it, in seconds; None if it declares none.
        idle_after: The idle timeout, in seconds: after it the source no longer holds back event time. None
            for never.
        behind: Whether the last read brought all that was asked for, so that more is waiting.
        waiting: Events that were read and not taken in yet.
        counters: What the source and its reader counted of their own, by name.
    """

    name: str
    live: bool = False
    connected: bool = False
    ended: bool = False
    outcomes: Mapping[str, int] = field(default_factory=dict)
    latest: int | None = None
    silent: float | None = None
    every: float | None = None
    idle_after: float | None = None
    behind: bool = False
    waiting: int = 0
    counters: Mapping[str, int] = field(default_factory=dict)

    @property
    def read(self) -> int:
        """How many events were read: the sum of the outcomes."""
        return sum(self.outcomes.values())

    @property
    def idle(self) -> bool:
        """Whether it has been silent longer than `idle_after`."""
        return self.silent is not None and self.idle_after is not None and self.silent > self.idle_after


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternFigures:
    """The figures of a pattern.

    Attributes:
        name: Its name in the pipeline.
        emitted, corrected, retracted: How many updates of each kind it had.
        live: How many matches stand: emitted, and not retracted.
        pending: How many evaluations wait for event time.
        latency: Detection latency: from the arrival of a match's first event to its emission.
        disabled: Why it was disabled; "" while it is not.
        counters: What else was counted, by name: `engine_runs`, `refused`, what its components count.
    """

    name: str
    emitted: int = 0
    corrected: int = 0
    retracted: int = 0
    live: int = 0
    pending: int = 0
    latency: Durations = field(default_factory=Durations)
    disabled: str = ""
    counters: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SinkFigures:
    """The figures of a sink.

    Attributes:
        name: Its name in the pipeline.
        records: How many records it was sent in this run.
        waiting: How many records for it are not durable there yet: of those that it was sent, or with a state
            of those that are committed.
        disabled: Why it was disabled; "" while it is not.
        counters: What it counted of its own, by name.
    """

    name: str
    records: int = 0
    waiting: int = 0
    disabled: str = ""
    counters: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class StateFigures:
    """The figures of the state.

    Attributes:
        commits: How many batches it has committed, earlier runs included.
        unsent: Records that are committed, and that their sinks do not have yet.
        bytes: How large it is; None where the store does not say.
    """

    commits: int = 0
    unsent: int = 0
    bytes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What is known of a pipeline at one moment. It never changes: an observer may keep it, and hand it to
    another thread.

    Attributes:
        pipeline: The pipeline's name.
        version: That of limecep.
        phase: How far the run has come.
        failure: Why it failed, in words; "" while it has not.
        seconds: How long it has been running.
        fed: Whether a program feeds the pipeline: then it gives a sign of life with each call, and no other.
            Among its sources are those that its events name.
        since_commit: Seconds since what was found was last made durable, or since the first event could come;
            None before that. A live run does it several times a second, also while nothing comes. A run over
            recordings without `state` does it once, at its end. None where a program feeds the pipeline.
        now: The arrival clock, in microseconds. Recordings move it; of a live run it is the machine's.
        event_time: The greatest event time of all sources, in microseconds; None before the first event. A
            live pipeline lags `now - event_time` behind.
        lateness: How far events that came out of order were behind that.
        held: How many events are in memory.
        evicted: How many had to leave memory although a policy would have kept them.
        late: How many records there were for the late output, by reason. An event counts once for each
            pattern that could not use it.
        sources, patterns, sinks: The figures of each, in the order of the pipeline.
        state: Those of the state; None if the pipeline keeps none.
        disabled: Why observers were disabled, by name.
    """

    pipeline: str
    version: str
    phase: Phase
    failure: str = ""
    seconds: float = 0.0
    fed: bool = False
    since_commit: float | None = None
    now: int = 0
    event_time: int | None = None
    lateness: Durations = field(default_factory=Durations)
    held: int = 0
    evicted: int = 0
    late: Mapping[str, int] = field(default_factory=dict)
    sources: tuple[SourceFigures, ...] = ()
    patterns: tuple[PatternFigures, ...] = ()
    sinks: tuple[SinkFigures, ...] = ()
    state: StateFigures | None = None
    disabled: Mapping[str, str] = field(default_factory=dict)


class Observer(Protocol):
    """Made once a run: `Factory(options, context)`.

    Duties: what the pipeline finds does not depend on it. All methods are called in the pipeline's thread,
    which does nothing else meanwhile, so they return at once: what waits for a network does so in a thread of
    the observer's own. `close` may be called twice, and without `open`.
    """

    def open(self) -> None:
        """The run begins. Nothing else is open yet.

        Raises:
            RunFailure: It cannot work, and waiting will not help.
        """

    @abstractmethod
    def observe(self, figures: Figures) -> None:
        """Takes the figures: when the run begins (`starting`), about once a second while it goes on
        (`running`), and once when it is over (`ended` or `failed`). Between two calls more than a second may
        pass where a component takes its time."""

    def close(self) -> None:
        """Lets go of everything."""


@runtime_checkable
class Pulsed(Protocol):
    """An observer that tells whether the pipeline is alive, as for a watchdog."""

    def pulse(self) -> None:
        """The pipeline is alive. Called about once a second, also while it waits for a sink whose broker is
        away, or an engine searches; not while a component hangs. It may be called in the middle of anything,
        so it does no more than note it, or pass it on."""


OPTIONAL: tuple[type, ...] = (Pulsed,)
