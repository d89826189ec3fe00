"""The description of a pipeline: of each pattern the plan, the components, and what they lead to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from limecep.config.explosions import explosions, finds_alone
from limecep.contracts.engine import Explaining, Ruling
from limecep.contracts.shown import shown
from limecep.errors import ContractBreach, said
from limecep.explanation.needs import Buffered, Kept, buffered, kept
from limecep.explanation.plans import PlanDescription, describe_plan
from limecep.model.expression import Parameter
from limecep.plan.expressions import leaves
from limecep.plan.growth import Growth, growth

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.config.model import ComponentConfig, PatternConfig, PipelineConfig
    from limecep.intake.tables import TableConfig
    from limecep.patterns.detector import Detector
    from limecep.plan.plan import Plan
    from limecep.problems import Problem
    from limecep.spec import ComponentSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternDescription:
    """What will be done for one pattern.

    Attributes:
        config: What was configured.
        params: The values of the parameters that its query names.
        tables: The tables that it looks into.
        values: What its matches return, by name.
        plan: Its plan.
        results: Which matches its engine gives.
        rule: What of all matches it gives, in words, where it has a rule of its own; else "".
        picked: Which of those is a result, in words, and whether it is found without the others; "" for all.
        growth: How many those may be.
        kept: How long it needs events.
        buffered: How many events of each type that may be.
        warnings: What `limecep check` says of how many results it has.
    """

    config: PatternConfig
    params: dict[str, Any]
    tables: tuple[TableConfig, ...]
    values: dict[str, str]
    plan: PlanDescription
    results: Literal["all", "maximal", "rule"]
    rule: str
    picked: str
    growth: Growth
    kept: Kept
    buffered: tuple[Buffered, ...]
    warnings: tuple[Problem, ...]

    @property
    def components(self) -> dict[str, ComponentConfig]:
        """Its policies, by kind."""
        c = self.config
        return {"lateness": c.lateness, "slack": c.slack, "recompute": c.recompute, "results": c.results}


def describe(
    config: PipelineConfig, detectors: Sequence[Detector], engines: Sequence[ComponentSpec]
) -> list[PatternDescription]:
    """The description of each pattern.

    Args:
        config: The pipeline.
        detectors: The components of its patterns, in their order. They are asked for what they say of
            themselves, and given no event.
        engines: The engines that there are.
    """
    return [_described(p, d, config, engines) for p, d in zip(config.patterns, detectors, strict=True)]


def _described(
    pattern: PatternConfig, detector: Detector, config: PipelineConfig, engines: Sequence[ComponentSpec]
) -> PatternDescription:
    plan, engine = detector.plan, detector.engine
    named = [pattern.pattern.window] if pattern.pattern.window else []
    named += [n.name for e in pattern.pattern.expressions for n in leaves(e) if isinstance(n, Parameter)]
    needed = kept(detector)
    span = needed.span
    if config.retention_time is not None:
        span = config.retention_time if span is None else min(span, config.retention_time)
    return PatternDescription(
        config=pattern,
        params={name: config.params[name] for name in named},
        tables=tuple(t for t in config.tables if t.name in pattern.tables),
        values={r.name: str(r.expression) for r in pattern.pattern.returns},
        plan=describe_plan(plan, _evaluation(engine, plan)),
        results=engine.results,
        rule=_rule(engine),
        picked=_picked(pattern, plan),
        growth=growth(plan, everything=engine.results != "maximal"),
        kept=needed,
        buffered=buffered(detector, config.sources, span),
        warnings=tuple(problem for _, problem in explosions(pattern, plan, engines)),
    )


def _picked(pattern: PatternConfig, plan: Plan) -> str:
    if plan.pick is None:
        return ""
    alone = finds_alone(pattern.engine.spec, plan)
    how = "found without the others" if alone else "the others are looked at, too"
    return f"{_PICKED[plan.pick]}, {how}"


_PICKED = {
    "first": "the one that starts first",
    "last": "the one that starts last",
    "longest": "the one with the most events",
    "shortest": "the one with the fewest events",
}


def _evaluation(engine: Any, plan: Plan) -> tuple[str, ...]:
    """How an engine says that it evaluates each alternative; empty if it does not say."""
    if not isinstance(engine, Explaining):
        return ()
    told: Any = engine.explain()
    due = len(plan.alternatives)
    try:
        lines = [*told] if isinstance(told, (list, tuple)) else None
    except Exception as error:
        # By then none of the engine's own methods runs.
        raise ContractBreach(engine, f"explains itself with a list that raised {said(error)}") from error
    if lines is None or len(lines) != due or not all(isinstance(line, str) for line in lines):
        what = f"explains itself with {shown(told)}, where a text is due for each of {due} alternatives"
        raise ContractBreach(engine, what)
    # Text of a kind of its own may show itself by code of the engine's, and where nobody asks it any more.
    return tuple(map(str.__str__, lines))


def _rule(engine: Any) -> str:
    """The rule of an engine in words; "" if it has none."""
    if not isinstance(engine, Ruling):
        return ""
    told: Any = engine.rule
    if not isinstance(told, str):
        raise ContractBreach(engine, f"gave {shown(told)} as its rule, no text")
    return str.__str__(told)
