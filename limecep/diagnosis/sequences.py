"""Steps against each other: keys they do not share, an order they never came in, too short a window."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from limecep.diagnosis.attributes import place_of_key
from limecep.diagnosis.reason import reason
from limecep.model.alternatives import sequences
from limecep.model.pattern import Conjunction
from limecep.model.time import FOREVER
from limecep.model.words import duration_text, path_text
from limecep.plan.partition import compile_partition

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limecep.diagnosis.evidence import Evidence
    from limecep.language.problems import QueryProblem
    from limecep.model.event import Event
    from limecep.plan.plan import Alternative, Plan, PlanStep, StepFilter

#: Of more alternatives than these the others are not looked at.
_ALTERNATIVES = 24
_FEW = 3
#: How often a key comes on average in a sample that is to know all keys.
_AGAIN = 3

#: By step, the events that it can take, by key.
Takes = list[dict[Any, list["Event"]]]


class _Chain(NamedTuple):
    """The shortest way through all steps: how long it took, in microseconds; how many there were within the
    window; and, where there is none, how many steps followed each other at most."""

    span: int | None
    fitting: int
    steps: int


def never_together(plan: Plan, evidence: Evidence) -> Iterator[QueryProblem]:
    """Why events that the steps would take made no match.

    Args:
        plan: The plan; every step that must take something has events that it takes.
        evidence: What came.
    """
    reasons = []
    # Where those of one type break off, those of others would seem to come alone.
    partial = [
        s.first[-1].t_gen for t in plan.types if (s := evidence.of([t])).first and len(s.first) < s.total
    ]
    until = min(partial, default=FOREVER)
    for alternative in plan.alternatives[:_ALTERNATIVES]:
        steps = [s for s in alternative.steps if s.quantifier.minimum > 0]
        if not steps:
            return
        takes = [_taken(s.filter, plan, evidence, until) for s in steps]
        reason = _few(steps, takes) or _keys(plan, steps, takes) or _order(plan, alternative, steps, takes)
        if reason is None:
            return
        reasons.append(reason)
    # Every alternative has its own; orders of AND say much the same.
    yield from list(dict.fromkeys(reasons))[: 1 if _any_order(plan) else None]


def keys_never_shared(plan: Plan, evidence: Evidence) -> Iterator[QueryProblem]:
    """Keys of which no sample of the steps has one in common. Of part of the events that says something only
    where keys come again and again.

    Args:
        plan: The plan.
        evidence: What came.
    """
    found = []
    for alternative in plan.alternatives[:_ALTERNATIVES]:
        steps = [s for s in alternative.steps if s.quantifier.minimum > 0]
        takes = [_taken(replace(s.filter, accepts=None), plan, evidence, FOREVER) for s in steps]
        if not all(takes):
            return
        rare = any(len(keys) * _AGAIN > sum(map(len, keys.values())) for keys in takes)
        differ = None if evidence.sampled and rare else _keys(plan, steps, takes)
        if differ is None:
            return
        found.append(differ)
    yield from dict.fromkeys(found)


def _taken(which: StepFilter, plan: Plan, evidence: Evidence, until: int) -> dict[Any, list[Event]]:
    """The events that a step with this filter can take up to a `t_gen`, by key."""
    key = compile_partition(plan.partition)
    taken: dict[Any, list[Event]] = {}
    for event in evidence.of(which.types).first:
        if event.t_gen <= until and (which.accepts is None or which.accepts(event)):
            taken.setdefault(key(event), []).append(event)
    taken.pop(None, None)
    return taken


def _few(steps: Sequence[PlanStep], takes: Takes) -> QueryProblem | None:
    for step, taken in zip(steps, takes, strict=True):
        most = max(map(len, taken.values()), default=0)
        if most < step.quantifier.minimum:
            least, written = step.quantifier.minimum, str(step.quantifier)
            wanted = f"{least:,} event{'s' * (least > 1)} at least" + (f" ({written})" if written else "")
            return reason("too-few", f"{step.variable} takes {wanted}, and there were {most:,} that it takes")
    return None


def _keys(plan: Plan, steps: Sequence[PlanStep], takes: Takes) -> QueryProblem | None:
    """Nothing in common, where all events of a match must have the same key."""
    if not plan.partition or set.intersection(*(set(taken) for taken in takes)):
        return None
    names = ", ".join(map(path_text, plan.partition))
    had = {
        s.filter.types: f"{' or '.join(s.filter.types)} had {_some(taken)}"
        for s, taken in zip(steps, takes, strict=True)
    }
    return reason(
        "keys-differ",
        f"no {names}, of PARTITION BY, had events for every step: {'; '.join(had.values())}",
        "a text is another key than a number, and another text is another key",
        place_of_key(plan.pattern, plan.partition[0]),
    )


def _some(keys: dict[Any, list[Event]]) -> str:
    few = [_key(k) for k in list(keys)[:_FEW]]
    return ", ".join(few) + (", ..." if len(keys) > _FEW else "")


def _key(key: Any) -> str:
    if isinstance(key, tuple):
        return str(key[0]).lower() if len(key) == 1 else f"({', '.join(map(_key, key))})"
    return f"'{key}'" if isinstance(key, str) else str(key)


def _order(
    plan: Plan, alternative: Alternative, steps: Sequence[PlanStep], takes: Takes
) -> QueryProblem | None:
    keyed = [[taken[key] for taken in takes] for key in takes[0] if all(key in taken for taken in takes)]
    strict = not _any_order(plan)
    chains = [_chain(events, steps, plan.within, strict=strict) for events in keyed]
    where = f" with one {', '.join(map(path_text, plan.partition))}" if plan.partition else ""
    names = [s.variable for s in steps]
    spans = [c.span for c in chains if c.span is not None]
    if strict and not any(c.fitting for c in chains) and (found := _at_once(plan, steps, keyed, where)):
        return found
    if not spans:
        reached = max(c.steps for c in chains)
        after = " and ".join(names[:reached])
        return reason(
            "never-in-order",
            f"no {names[reached]} came after {after}{where}",
            "look at the order of the steps, and at the times of events from several sources",
        )
    if min(spans) > plan.within:
        took = f"{names[0]} to {names[-1]} took {duration_text(_rounded(min(spans)))} at least{where}"
        return reason(
            "short-window",
            f"WITHIN {duration_text(plan.within)} is too short: {took}",
            "look at the unit of WITHIN, and at that of 'time'",
        )
    fitting = sum(c.fitting for c in chains)
    left = [" ".join(c.text.split()) for c in alternative.conditions]
    left += [f"no {n.variable} ({' or '.join(n.filter.types)})" for n in alternative.negations]
    if plan.select == "sc":
        left.append("no other event between them (strict contiguity)")
    if not left:
        return None
    return reason(
        "never-fulfilled",
        f"{', '.join(names)} came in order and in time {fitting:,} times{where}; what is asked of them "
        f"together was not fulfilled: {'; '.join(left)}",
    )


def _at_once(
    plan: Plan, steps: Sequence[PlanStep], keyed: Sequence[Sequence[list[Event]]], where: str
) -> QueryProblem | None:
    """Steps whose events came at one time, where that is all that is amiss."""
    if not any(_chain(events, steps, plan.within, strict=False).fitting for events in keyed):
        return None
    counts: Counter[tuple[str, str]] = Counter()
    for events in keyed:
        for n, (one, other) in enumerate(pairwise(events)):
            places, same = Counter(map(_place, one)), set(map(id, one))
            at_once = sum(places[_place(e)] > (id(e) in same) for e in other)
            counts[steps[n].variable, steps[n + 1].variable] += at_once
    if not any(counts.values()):
        return None
    (first, second), count = counts.most_common(1)[0]
    times = "1 time" if count == 1 else f"{count:,} times"
    return reason(
        "same-time",
        f"{first} and {second} had the same time {times}{where}; steps of SEQ follow each other strictly",
        "'order' or 'rank' of a source says which is first; AND takes them in any order",
    )


def _place(event: Event) -> tuple[int, int]:
    """What says whether events follow each other strictly (SEMANTICS 1)."""
    return event.t_gen, event.seq


def _chain(events: Sequence[list[Event]], steps: Sequence[PlanStep], within: int, *, strict: bool) -> _Chain:
    times = [[_place(e) for e in of_step] for of_step in events]
    after = bisect_right if strict else bisect_left
    best, fitting, most = None, 0, 1
    for n, start in enumerate(times[0]):
        at, reached = n + steps[0].quantifier.minimum - 1, 1
        last = times[0][at] if at < len(times[0]) else None
        for k in range(1, len(times)):
            if last is None:
                break
            at = after(times[k], last) + steps[k].quantifier.minimum - 1
            last = times[k][at] if at < len(times[k]) else None
            reached += last is not None
        most = max(most, min(reached, len(times) - 1))
        if last is not None:
            span = last[0] - start[0]
            fitting += span <= within
            best = span if best is None else min(best, span)
    return _Chain(best, fitting, most)


def _any_order(plan: Plan) -> bool:
    return any(isinstance(p, Conjunction) for s in sequences(plan.pattern.structure) for p in s.parts)


def _rounded(microseconds: int) -> int:
    """A span in no more digits than anybody reads."""
    for unit in (86_400_000_000, 3_600_000_000, 60_000_000, 1_000_000, 1_000):
        if microseconds >= 10 * unit:
            return round(microseconds / unit) * unit
    return microseconds
