"""What is odd about a pipeline as a whole, though each of its parts is right. Warnings only."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from limecep.config.explosions import explosions
from limecep.config.nodes import Block
from limecep.contracts.options import Emitting, MaybeFinalsOnly, TellingFinals
from limecep.model.alternatives import sequences, written
from limecep.model.expression import Parameter
from limecep.model.pattern import Step
from limecep.model.walk import conjuncts, walk
from limecep.plan.compiler import compile_plan
from limecep.plan.expressions import bound, references
from limecep.plan.source import Binding, compiled

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from limecep.config.findings import Findings
    from limecep.config.model import PatternConfig, SinkConfig, SourceConfig
    from limecep.config.nodes import Node
    from limecep.config.sources import Sources
    from limecep.model.expression import Span
    from limecep.model.pattern import Pattern
    from limecep.problems import Place
    from limecep.spec import ComponentSpec


def advise(
    patterns: Sequence[PatternConfig],
    sources: Sources,
    findings: Findings,
    *,
    pattern_block: Block,
    params: Block | None,
) -> None:
    """Warns of types that no pattern names or no source, and of parameters that no pattern uses."""
    wanted = {t: p.name for p in reversed(patterns) for t in event_types(p.pattern)}
    contiguous = any(p.select == "sc" for p in patterns)
    for event_type, (source, node) in sources.types.items():
        if event_type not in wanted and not contiguous:
            findings.warning(
                "unused-type", f"source '{source}' brings '{event_type}', which no pattern names", node
            )
    if sources.vague and not sources.open:
        for event_type, name in sorted(wanted.items()):
            if event_type not in sources.types:
                findings.warning(
                    "unmapped-type",
                    f"pattern '{name}' names '{event_type}', which is in no 'map'",
                    pattern_block.entries[name].key,
                    "values that a map does not name are types as they are",
                )
    used = {name for p in patterns for name in _parameters(p.pattern)}
    for name, entry in (params.entries if params else {}).items():
        if name not in used:
            findings.warning("unused-parameter", f"no pattern uses ${name}", entry.key)


def advise_conditions(
    patterns: Sequence[PatternConfig], params: Mapping[str, Any], findings: Findings, block: Block
) -> None:
    """Warns of conditions that are decided by constants and parameters alone, and are not true."""
    for p in patterns:
        for condition in conjuncts(p.pattern.where):
            # What a table says may be known only when a run begins.
            if references(condition) or p.tables:
                continue
            if not compiled("", [bound(condition, params)], Binding(), Counter())():
                findings.warning(
                    "never-true",
                    f"pattern '{p.name}' matches nothing: {condition} is never true",
                    _query(block, p.name, condition.span),
                    "a condition compares attributes of events, as in a.temperature > 5",
                )


def advise_explosions(
    patterns: Sequence[PatternConfig],
    params: Mapping[str, Any],
    engines: Sequence[ComponentSpec],
    findings: Findings,
    block: Block,
) -> None:
    """Warns of patterns that may have more results than anybody wants to read."""
    for p in patterns:
        plan = compile_plan(
            p.pattern, name=p.name, select=p.select, params=params, max_per_end=p.max_per_end, pick=p.pick
        )
        steps = {s.variable: s for q in sequences(p.pattern.structure) for s in written(q.parts)}
        for variable, problem in explosions(p, plan, engines):
            findings.add(problem, _query(block, p.name, steps[variable].span))
        if p.engine.spec.answers == "rule":
            # Few engines have one.
            from limecep.config.rules import unruly

            if (refused := unruly(p, plan)) is not None:
                last = [step for step in steps.values() if step.negated][-1]
                findings.add(refused, _query(block, p.name, last.span))


def advise_retention(
    patterns: Sequence[PatternConfig], time: int, findings: Findings, retention: Block
) -> None:
    """Warns of events that are gone before the window of a pattern is over."""
    longest = max(patterns, key=lambda p: p.pattern.within, default=None)
    if longest is not None and time < longest.pattern.within:
        findings.warning(
            "short-retention",
            f"events are not kept as long as the window of pattern '{longest.name}', which so misses matches",
            retention.get("time"),
            "leave 'time' out: events are then kept as long as patterns need them",
        )


def advise_sinks(
    patterns: Sequence[PatternConfig],
    sources: Sequence[SourceConfig],
    sinks: Sequence[SinkConfig],
    findings: Findings,
    block: Block,
) -> None:
    """Warns of sinks that do not do what they seem to."""
    values = any(p.pattern.returns for p in patterns) or any("{" in s.channel for s in sinks)
    if values or any(s.repeat or s.through or isinstance(s.settings, MaybeFinalsOnly) for s in sinks):
        # Most sinks just take records.
        from limecep.config import sink_advice

        sink_advice.advise_sinks(patterns, sources, sinks, findings, block)


def tells_finals(results: Any) -> bool:
    """Whether a result policy with these options says of matches that they are final."""
    if isinstance(results, TellingFinals) and results.final:
        return True
    return isinstance(results, Emitting) and results.emit == "final"


def _query(block: Block, name: str, span: Span) -> Node | Place:
    """Where a part of a query stands."""
    entry = block.entries[name]
    query = entry.value.get("query") if isinstance(entry.value, Block) else None
    return query.origin.place(*span) if query is not None else entry.key


def event_types(pattern: Pattern) -> set[str]:
    """Every event type that a pattern names."""
    parts = (part for sequence in sequences(pattern.structure) for part in sequence.parts)
    return {t for part in parts for s in ((part,) if isinstance(part, Step) else part.steps) for t in s.types}


def _parameters(pattern: Pattern) -> set[str]:
    nodes = (node for expression in pattern.expressions for node in walk(expression))
    return {pattern.window, *(node.name for node in nodes if isinstance(node, Parameter))}
