"""What is known of the pattern of a match: its plan, its conditions as written, what it waits for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from limecep.model.walk import conjuncts
from limecep_why.substitution import Conjunct

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from limecep.embedding.pipelines import Detector, PipelineConfig
    from limecep.model.pattern import Pattern
    from limecep.plan.plan import Alternative, Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A pattern of a pipeline.

    Attributes:
        plan: Its plan.
        pattern: The pattern, parameters not bound.
        params: The values of parameters.
        emit: When its matches go out, as its result policy says.
        derives: The type of the events that its matches are to other patterns; None where they are none.
        derived: All types that patterns of the pipeline derive.
        skews: How many microseconds events may be ahead of their arrival, by source, where that is bounded.
    """

    plan: Plan
    pattern: Pattern
    params: Mapping[str, Any]
    emit: str
    derives: str | None = None
    derived: frozenset[str] = frozenset()
    skews: Mapping[str, int] = field(default_factory=dict)

    def conjuncts(self, alternative: Alternative) -> list[Conjunct]:
        """Return the conditions of WHERE, as written, for one of its alternatives."""
        end, text = alternative.steps[-1].variable, self.pattern.text
        return [
            Conjunct(c, " ".join((text[slice(*c.span)] or str(c)).split()), self.params, end)
            for c in conjuncts(self.pattern.where)
        ]


def subjects(config: PipelineConfig, detectors: Iterable[Detector]) -> dict[str, Subject]:
    """Return the patterns of a pipeline by name.

    Args:
        config: The pipeline.
        detectors: Their components (`limecep.embedding.pipelines.Assembly.detectors`).
    """
    patterns = {p.name: p.pattern for p in config.patterns}
    derives = {p.name: p.derives.type for p in config.patterns if p.derives is not None}
    skews = {s.name: s.max_future_skew for s in config.sources if s.max_future_skew is not None}
    return {
        d.plan.name: Subject(
            plan=d.plan,
            pattern=patterns[d.plan.name],
            params=config.params,
            emit=d.results.emit,
            derives=derives.get(d.plan.name),
            derived=frozenset(derives.values()),
            skews=skews,
        )
        for d in detectors
    }
