"""The conformance suite for observers: subclass it in a test module, and pytest runs it.

from limecep.testing.observer import ObserverConformance

class TestMyObserver(ObserverConformance):
    def make_observer(self, context):
        return MyObserver(MyOptions(), context)
"""

from __future__ import annotations

import copy
import threading
from collections import Counter
from typing import TYPE_CHECKING, Any

import limecep
from limecep.clock import ManualClock, Stopwatch, pause
from limecep.contracts.context import Context
from limecep.contracts.observer import (
    OPTIONAL,
    Durations,
    Figures,
    Observer,
    PatternFigures,
    SinkFigures,
    SourceFigures,
    StateFigures,
)
from limecep.statistics import OUTCOMES
from limecep.testing.bench import SilentLogger
from limecep.testing.bounded import Bounded
from limecep.testing.spelling import check_spelling

if TYPE_CHECKING:
    from pathlib import Path

#: How long a call may take, in seconds. What waits for a network takes longer.
AT_ONCE_SECONDS = 1.0
#: How long what an observer has begun may take to end once it is closed.
_PARTING_SECONDS = 5.0

_NOW = 1_767_607_200_000_000


def figures(**changed: Any) -> Figures:
    """Figures of a live pipeline with a state, of which something may be otherwise."""
    sources = (
        SourceFigures(
            name="gas",
            live=True,
            connected=True,
            outcomes={**dict.fromkeys(OUTCOMES, 0), "in_order": 40, "out_of_order": 2},
            latest=_NOW - 1_000_000,
            silent=0.4,
            every=5.0,
            idle_after=30.0,
            behind=True,
            counters={"reconnects": 1},
        ),
        SourceFigures(name="rooms", connected=True, ended=True, outcomes={"in_order": 3}, waiting=2),
    )
    patterns = (
        PatternFigures(
            name="fire",
            emitted=3,
            corrected=1,
            retracted=1,
            live=2,
            pending=1,
            latency=Durations(count=4, total=2.0, minimum=0.1, maximum=1.2),
            counters={"engine_runs": 9},
        ),
        PatternFigures(name="door", disabled="patterns.door: engine 'mine' raised ValueError: no"),
    )
    known: dict[str, Any] = {
        "pipeline": "kitchen",
        "version": limecep.__version__,
        "phase": "running",
        "seconds": 61.5,
        "since_commit": 0.1,
        "now": _NOW,
        "event_time": _NOW - 1_000_000,
        "lateness": Durations(count=2, total=3.5, minimum=1.0, maximum=2.5),
        "held": 42,
        "evicted": 1,
        "late": {"extremely_late": 1, "invalid": 2},
        "sources": sources,
        "patterns": patterns,
        "sinks": (
            SinkFigures(name="alerts", records=5, waiting=1, counters={"dropped": 1}),
            SinkFigures(name="screen", disabled="sinks.screen: sink 'mine' raised OSError: gone"),
        ),
        "state": StateFigures(commits=7, unsent=1, bytes=4096),
        "disabled": {"other": "observers.other: observer 'other' raised OSError: gone"},
    }
    return Figures(**{**known, **changed})


class ObserverConformance(Bounded):
    """What every observer must do. A test class: subclass it and say how the observer is made."""

    def make_observer(self, context: Context) -> Any:
        """A new observer."""
        raise NotImplementedError("say how the observer is made")

    def course(self) -> list[Figures]:
        """Figures of a run from its beginning to its end: override it to try others, too."""
        nothing = Figures(pipeline="kitchen", version=limecep.__version__, phase="starting")
        bare = figures(state=None, event_time=None, since_commit=None, sources=(), late={}, disabled={})
        return [nothing, bare, figures(), figures(seconds=62.5), figures(phase="ended")]

    def test_it_takes_the_figures_of_a_run_at_once(self, tmp_path: Path) -> None:
        """The pipeline does nothing else meanwhile."""
        observer = self._made(tmp_path)
        slow = []
        watch = Stopwatch()
        observer.open()
        slow.append(("open", watch.seconds))
        try:
            for known in self.course():
                watch = Stopwatch()
                observer.observe(known)
                slow.append((f"observe ({known.phase})", watch.seconds))
        finally:
            watch = Stopwatch()
            observer.close()
        slow.append(("close", watch.seconds))
        taken = {name: seconds for name, seconds in slow if seconds > AT_ONCE_SECONDS}
        assert taken == {}, f"seconds that the pipeline had to wait: {taken}; use a thread of your own"

    def test_it_takes_a_run_that_fails_at_any_moment(self, tmp_path: Path) -> None:
        """With nothing known, or in the middle of it."""
        course = self.course()
        for known in (course[:1], course[:3]):
            observer = self._made(tmp_path)
            observer.open()
            for one in known:
                observer.observe(one)
            observer.observe(figures(phase="failed", failure="sink 'alerts' raised OSError:\n  gone"))
            observer.close()

    def test_it_leaves_figures_as_they_are(self, tmp_path: Path) -> None:
        """Other observers have the same."""
        observer = self._made(tmp_path)
        observer.open()
        for known in self.course():
            before = copy.deepcopy(known)
            observer.observe(known)
            assert known == before, "the figures that were given were changed"
        observer.close()

    def test_it_may_be_closed_twice_and_without_open(self, tmp_path: Path) -> None:
        """What fails while a run begins closes all there is."""
        self._made(tmp_path).close()
        observer = self._made(tmp_path)
        observer.open()
        observer.close()
        observer.close()

    def test_it_leaves_nothing_behind(self, tmp_path: Path) -> None:
        """No thread goes on, and another run can begin at once."""
        before = {*threading.enumerate()}
        for _ in range(2):
            observer = self._made(tmp_path)
            observer.open()
            for known in self.course():
                observer.observe(known)
            observer.close()
        watch = Stopwatch()
        while (left := {*threading.enumerate()} - before) and watch.seconds < _PARTING_SECONDS:
            pause(0.01)
        assert left == set(), "threads go on after close"

    def test_a_sign_of_life_may_come_at_any_moment(self, tmp_path: Path) -> None:
        """Between any two calls, from `open` on."""
        observer = self._made(tmp_path)
        if not hasattr(observer, "pulse"):
            return
        observer.open()
        observer.pulse()
        for known in self.course():
            observer.observe(known)
            observer.pulse()
        observer.close()

    def test_no_method_is_misspelt(self, tmp_path: Path) -> None:
        """The kernel would not call it."""
        check_spelling(type(self._made(tmp_path)), Observer, OPTIONAL)

    def _made(self, root: Path) -> Any:
        return self.make_observer(
            Context(
                label="observers.o",
                clock=ManualClock(_NOW),
                counters=Counter(),
                logger=SilentLogger(),
                root=root,
                pipeline="kitchen",
            )
        )
