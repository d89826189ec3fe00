"""Runs a pipeline over recordings, and follows one match through what it tells."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from limecep.clock import ManualClock
from limecep.embedding.pipelines import Assembly
from limecep.embedding.recordings import recorded
from limecep.errors import ConfigurationError
from limecep_why.following import Following
from limecep_why.subject import subjects

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from limecep.embedding.pipelines import Detection, PipelineConfig, Refusal, Registry, SourceConfig
    from limecep.embedding.recordings import Came
    from limecep_why.arrivals import Arrivals
    from limecep_why.finding import Wanted
    from limecep_why.subject import Subject

_HINT = (
    "An id is a digest of the pattern's name, the key and the events of the match as it was first emitted: "
    "other data, another order of arrival or other policies may give others."
)


class Replay:
    """A pipeline over its recordings. Each run reads them anew.

    Args:
        config: The pipeline. Its live sources bring nothing; it keeps no state.
        registry: The components there are.
        logger: The logger.

    Attributes:
        where, hint, derived, refused, timed, notes: As of `limecep_why.asking.Origin`.

    Raises:
        ConfigurationError: All its sources are live.
    """

    def __init__(self, config: PipelineConfig, registry: Registry, logger: Any) -> None:
        finite = tuple(s for s in config.sources if not s.live)
        if not finite:
            names = ", ".join(s.name for s in config.sources) or "none"
            raise ConfigurationError(
                f"limecep: no source of '{config.name}' is a recording (sources: {names}), and a pipeline "
                "that runs without 'state' cannot be asked: give a recording, with --data SOURCE=FILE, the "
                "state, with --state, or what a sink wrote, with --records"
            )
        self.config = replace(config, sources=finite, state=None)
        self.where = f"what '{config.name}' finds in {', '.join(s.channel for s in finite)}"
        self.hint = _HINT
        self.timed = True
        self.notes = tuple(_notes(config.sources))
        self.derived: Mapping[str, str] = {}
        self._refused: dict[tuple[str, str, str], Collection[str]] = {}
        self.refused: Mapping[tuple[str, str, str], Collection[str]] = self._refused
        self._registry = registry
        self._logger = logger

    def follow(self, wanted: Wanted) -> dict[str, Subject]:
        """Run the pipeline, and write down what becomes of the matches that are looked for.

        Returns:
            The patterns by name.

        Raises:
            RunFailure: A recording cannot be read.
        """
        assembly = self._assembly()
        feeds = assembly.feeds()
        deriving = {p.name for p in self.config.patterns if p.derives is not None}
        following = Following(wanted, deriving)
        detection = assembly.detection(
            following.take,
            self._refuse,
            sources=assembly.traits(),
            awaits_sources=True,
            past=assembly.retrieval(feeds, None),
        )
        following.place = lambda: detection.place
        came = _Counted()
        run(detection, came.of(recorded(feeds)), following)
        self.hint = f"{_HINT} {came}."
        self.derived = following.derived
        return subjects(self.config, detection.detectors)

    def go_through(self, arrivals: Arrivals) -> None:
        """Read the recordings once more, and note how some events came."""
        for came in recorded(self._assembly().feeds()):
            arrivals.go_through(came.fed.events)

    def _assembly(self) -> Assembly:
        return Assembly(self.config, self._registry, ManualClock(), self._logger)

    def _refuse(self, refusal: Refusal) -> None:
        event = refusal.event
        self._refused[event.type, event.source, event.id] = refusal.patterns


class _Counted:
    """Counts what is read, and says so."""

    def __init__(self) -> None:
        self._events = self._invalid = 0
        self._first = ""

    def of(self, came: Iterable[Came]) -> Iterator[Came]:
        for one in came:
            self._events += len(one.fed.events)
            self._invalid += len(one.fed.invalid)
            if one.fed.invalid and not self._first:
                self._first = one.fed.invalid[0].error
            yield one

    def __str__(self) -> str:
        none = f", and {self._invalid:,} records that give none, the first: {self._first}"
        return f"It read {self._events:,} events{none if self._invalid else ''}"


def run(detection: Detection, came: Iterable[Came], following: Following) -> None:
    """Feed a detection as a run does, to the end of the input."""
    for fed, ended in came:
        detection.feed(fed.events)
        for name in ended:
            following.moment = f"the end of source {name}"
            detection.ended(name)
            following.moment = ""
    following.moment = "the end of the input"
    detection.finish()


def _notes(sources: Iterable[SourceConfig]) -> Iterator[str]:
    """What of the sources is not as in a live run."""
    silent = [s.name for s in sources if s.live]
    if silent:
        yield (
            f"nothing came of {_listed(silent)}, as it is live: where that matters, give a recording, "
            f"--data {silent[0]}=FILE"
        )
    timeless = [s.name for s in sources if not s.live and s.arrival is None]
    if timeless:
        yield (
            f"no arrival times in {_listed(timeless)}: an event counts as arrived at the latest event time "
            "before it in the file"
        )


def _listed(names: Sequence[str]) -> str:
    return f"source{'s' * (len(names) > 1)} {', '.join(names)}"
