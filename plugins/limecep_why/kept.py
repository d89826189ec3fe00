"""The state of a pipeline, looked at: its journal is run through the pipeline again, on a clock of its own.

Nothing is written, and nobody is kept out: the pipeline may run meanwhile.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec

from limecep.clock import ManualClock
from limecep.embedding.pipelines import FOREVER, Assembly, differences, fingerprint, look, rfc3339
from limecep.errors import RunFailure
from limecep.model.event import DerivedEvent
from limecep_why.following import Following
from limecep_why.subject import subjects

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from limecep.embedding.pipelines import Detection, Looked, PipelineConfig, Registry
    from limecep.model.event import Event
    from limecep.model.update import Update
    from limecep_why.arrivals import Arrivals
    from limecep_why.finding import Wanted
    from limecep_why.subject import Subject

#: How often a live run looks at the clock while nothing comes, in microseconds, and how often at most here
#: from one arrival to the next.
LOOK_US, MOST_LOOKS = 100_000, 20

#: What makes time pass while nothing comes that the journal has.
SILENCE, OTHERS = "the silence of the sources", "events of types that no pattern names"
_ELSEWHERE = "ask a recording, with --data [SOURCE=]FILE, or what a sink wrote, with --records FILE"
#: What a run counts of a pattern, by what it does to matches.
_COUNTED = {"emit": "emitted", "correct": "corrected", "retract": "retracted"}


class Kept:
    """The state of a pipeline (`limecep_why.asking.Origin`), as of the moment at which this is made.

    Args:
        config: The pipeline, which has a state.
        registry: The components there are.
        logger: The logger.

    Attributes:
        where, hint, derived, refused, timed, notes: As of `Origin`.

    Raises:
        RunFailure: There is no state, it is damaged, or that of another pipeline.
    """

    timed = True

    def __init__(self, config: PipelineConfig, registry: Registry, logger: Any) -> None:
        self._made_of = config, registry, logger
        assembly = self._assembly()
        store = assembly.state()
        assert store is not None
        self.where = f"the state {store.figures().get('path', config.name)}"
        try:
            self._looked: Looked = look(store)
        except RunFailure as failure:
            raise RunFailure(f"{failure}; {_ELSEWHERE}") from None
        except KeyboardInterrupt:
            raise
        except Exception as error:
            assembly.blame(error)
        said = self._other()
        if said:
            raise RunFailure(f"{self.where} is that of another pipeline: {'; '.join(said)}")
        self.hint = (
            "It knows no matches of events that have left it; a sink's file may have them: --records FILE."
        )
        self.derived: Mapping[str, str] = {}
        self.refused: Mapping[tuple[str, str, str], Collection[str]] = {}
        self.notes = tuple(self._notes())

    def follow(self, wanted: Wanted) -> Mapping[str, Subject]:
        """Run what the journal has through the pipeline, and write down what becomes of matches."""
        config = self._made_of[0]
        assembly = self._assembly()
        following = Following(wanted, {p.name for p in config.patterns if p.derives is not None})
        told: Counter[tuple[str, str]] = Counter()

        def take(update: Update) -> None:
            told[update.pattern, update.op] += 1
            following.take(update)

        detection = assembly.detection(take, sources=assembly.traits(), awaits_sources=True)
        following.place = lambda: detection.place
        self._run(detection, following)
        if self._differing(told):
            # Events of other types moved time, too; and a run that has ended has done what waited for slack,
            # or for sources that end.
            following.moment = OTHERS
            detection.advance(self._looked.lta)
            following.moment = "the end of the run"
            for source in config.sources:
                if not source.live:
                    detection.ended(source.name)
            detection.settle()
        self.derived = following.derived
        self.notes = (*self._notes(), *self._differing(told))
        return subjects(config, detection.detectors)

    def go_through(self, arrivals: Arrivals) -> None:
        """Note how some events came."""
        arrivals.go_through(e for e in self._looked.events if not isinstance(e, DerivedEvent))
        arrivals.go_through(self._withdrawals())

    def _run(self, detection: Detection, following: Following) -> None:
        config, looked = self._made_of[0], self._looked
        live = any(s.live for s in config.sources)
        clock = self._clock
        events = [
            msgspec.structs.replace(e, ordinal=0) for e in looked.events if not isinstance(e, DerivedEvent)
        ]
        if events:
            clock.advance(events[0].t_arr)
        for event in events:
            if live:
                following.moment = SILENCE
                _pass(detection, clock, event.t_arr)
                following.moment = ""
            detection.feed([event])
        for withdrawal in self._withdrawals():
            detection.feed([withdrawal])
        if live:
            following.moment = SILENCE
            _pass(detection, clock, looked.until)

    def _withdrawals(self) -> Iterator[Event]:
        for withdrawal in self._looked.withdrawn:
            yield msgspec.structs.replace(withdrawal, t_arr=self._looked.until)

    def _assembly(self) -> Assembly:
        config, registry, logger = self._made_of
        self._clock = ManualClock()
        return Assembly(config, registry, self._clock, logger)

    def _other(self) -> list[str]:
        """In what the pipeline differs from the one whose state it is."""
        config = self._made_of[0]
        now = {
            **fingerprint(config, self._assembly().detectors()),
            "workers": self._looked.head.get("workers", 1),
        }
        return differences(self._looked.head, now)

    def _notes(self) -> list[str]:
        looked = self._looked
        notes = [
            "arrivals are numbered among the events that the state has: no copies, only types that patterns "
            "name, though others move time too"
        ]
        if looked.begins > -FOREVER:
            since = rfc3339(looked.begins)
            notes.append(
                f"the events before {since} have left the state, if there were any, and what they did is not "
                "told: keep the file of a sink, and ask with --records FILE"
            )
        if looked.withdrawn:
            notes.append("a state does not say when events were withdrawn: here that comes after all others")
        return notes

    def _differing(self, told: Mapping[tuple[str, str], int]) -> list[str]:
        """Where the run has told other numbers of updates than come of its journal."""
        if self._looked.begins > -FOREVER:
            return []
        said = [
            f"{word} {counted.get(word, 0):,} of '{name}' where its events give {told.get((name, op), 0):,}"
            for name, counted in self._looked.counted.items()
            for op, word in _COUNTED.items()
            if counted.get(word, 0) != told.get((name, op), 0)
        ]
        why = "a state has not the time that passed between arrivals, nor when events were withdrawn"
        return [f"the run has {', '.join(said)}: {why}"] if said else []


def _pass(detection: Detection, clock: ManualClock, to: int) -> None:
    """Nothing comes up to a time, which detection looks at again and again, as a run does."""
    now = clock.now()
    step = max(LOOK_US, (to - now) // MOST_LOOKS)
    while now < to:
        now = min(now + step, to)
        clock.advance(now)
        detection.idle()
