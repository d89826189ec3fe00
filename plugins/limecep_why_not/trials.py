"""What a pattern finds in a few events: by its own engine and policies."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from limecep.clock import ManualClock
from limecep.embedding.pipelines import Assembly, ComponentConfig, PatternConfig
from limecep_why_not.changes import identity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from limecep.embedding.pipelines import PipelineConfig, Registry
    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.model.update import Update
    from limecep_why_not.changes import Identity, Rule

#: The groups of a match: the identities of the events of each variable that took some.
Assignment = frozenset[tuple[str, tuple["Identity", ...]]]


class Found(NamedTuple):
    """A match: the events of each variable that took some, and the times of the first and the last."""

    events: Mapping[str, Sequence[Event]]
    start: int
    end: int

    @property
    def assignment(self) -> Assignment:
        """Which events it takes."""
        return frozenset((v, tuple(map(identity, g))) for v, g in self.events.items())

    @property
    def taken(self) -> set[tuple[str, Identity]]:
        """Its variables, each with an event that it took."""
        return {(v, identity(e)) for v, g in self.events.items() for e in g}


class Trials:
    """Evaluates a pattern on events, in order of time.

    Args:
        config: The pipeline.
        registry: The components there are.
        pattern: The pattern.
        logger: The logger.
        look: Called at every match; what it raises ends a trial.
    """

    def __init__(
        self,
        config: PipelineConfig,
        registry: Registry,
        pattern: PatternConfig,
        logger: Any,
        look: Callable[[], None] = lambda: None,
    ) -> None:
        self._config = replace(config, sinks=(), observers=(), state=None, runner=None)
        self._registry = registry
        self._pattern = replace(pattern, derives=None)
        self._logger = logger
        self._known: dict[tuple[int, frozenset[Rule]], Assembly] = {}
        self.look = look

    @property
    def rules(self) -> dict[Rule, str]:
        """The rules that choose among matches, as the pipeline has them."""
        pattern, plain = self._pattern, self._plain_results()
        found: dict[Rule, str] = {}
        if pattern.select != "stam":
            found["select"] = pattern.select
        if (pattern.results.spec.name, pattern.results.options) != (plain.spec.name, plain.options):
            skip = getattr(pattern.results.options, "skip", "none")
            if skip != "none":
                found["results"] = f"skip: {skip}"
            elif pattern.results.spec.name not in ("corrected", "uncorrected"):
                found["results"] = pattern.results.spec.name
        if pattern.pick is not None:
            found["pick"] = pattern.pick
        return found

    def found(
        self, events: Iterable[Event], within: int, lifted: frozenset[Rule] = frozenset()
    ) -> list[Found]:
        """The matches that stand in the end.

        Args:
            events: The events, by sort key.
            within: The window, in microseconds.
            lifted: Rules that do not hold.
        """
        standing: dict[Assignment, Found] = {}

        def deliver(update: Update) -> None:
            self.look()
            if update.before is not None:
                standing.pop(found_of(update.before).assignment, None)
            made = found_of(update.match)
            if update.op == "retract":
                standing.pop(made.assignment, None)
            else:
                standing[made.assignment] = made

        detection = self._assembly(within, lifted).detection(deliver)
        # Detection keeps its own notes in an event.
        detection.feed([msgspec.structs.replace(e) for e in events])
        detection.finish()
        return list(standing.values())

    def _assembly(self, within: int, lifted: frozenset[Rule]) -> Assembly:
        key = within, lifted
        if key not in self._known:
            pattern = self._pattern
            made = replace(
                pattern,
                pattern=replace(pattern.pattern, within=within),
                select="stam" if "select" in lifted else pattern.select,
                results=self._plain_results() if "results" in lifted else pattern.results,
                pick=None if "pick" in lifted else pattern.pick,
            )
            config = replace(self._config, patterns=(made,))
            self._known[key] = Assembly(config, self._registry, ManualClock(), self._logger)
        return self._known[key]

    def _plain_results(self) -> ComponentConfig:
        spec = self._registry.default("results")
        assert spec is not None
        return ComponentConfig(spec=spec, options=spec.options())


def found_of(match: Match) -> Found:
    """A match that an engine found."""
    events = {v: g for v, g in match.events().items() if g}
    return Found(events, match.start.t_gen, match.end.t_gen)
