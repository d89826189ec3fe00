"""Steps against the events that came: types that never came, conditions that no event fulfilled."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import inf
from typing import TYPE_CHECKING, NamedTuple, cast

from limecep.diagnosis.attributes import listed, shown
from limecep.diagnosis.origins import silent
from limecep.diagnosis.reason import reason
from limecep.model.expression import Attribute, Between, Binary, Constant
from limecep.model.words import find
from limecep.plan.filters import step_filter
from limecep.plan.values import COMPARISONS, NUMBERS, attribute
from limecep.problems import suggestion

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from limecep.diagnosis.evidence import Evidence
    from limecep.language.problems import QueryProblem
    from limecep.model.event import Event
    from limecep.model.expression import Expression, Span
    from limecep.plan.plan import Plan, PlanStep

#: What a comparison is with its sides exchanged.
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
#: How many texts are shown that an attribute was instead.
_FEW = 5


def absent_types(plan: Plan, evidence: Evidence, *, negated: bool = False) -> Iterator[QueryProblem]:
    """Types of steps that must take something, none of which came.

    Args:
        plan: The plan.
        evidence: What came.
        negated: Whether negated and optional steps are looked at, too.
    """
    steps = [(s.variable, s.filter.types, s.quantifier.minimum) for a in plan.alternatives for s in a.steps]
    steps += [(n.variable, n.filter.types, 0) for a in plan.alternatives for n in a.negations]
    for types in dict.fromkeys(types for _, types, least in steps if least or negated):
        if evidence.of(types).total:
            continue
        because = silent(types, evidence)
        text = plan.pattern.text
        yield reason(
            "absent-type",
            f"no {' or '.join(types)} came{' in the sample' if evidence.sampled else ''}"
            + (f": {because}" if because else _instead(plan, evidence)),
            "" if because else _near(types, evidence),
            find(types[0], text, (0, len(text))),
        )


def _instead(plan: Plan, evidence: Evidence) -> str:
    """What came of types that no pattern names, else of those that others do, else of its own."""
    came = {t: s.total for t, s in evidence.seen.items() if s.total}
    others = {t: n for t, n in came.items() if t not in plan.types}
    names = {**evidence.strangers} or others or came
    counts = Counter(names).most_common(_FEW)
    if not counts:
        return ""
    exact = evidence.all_strangers or not evidence.strangers
    shown_ = ", ".join(f"'{name}' ({n:,})" if exact else f"'{name}'" for name, n in counts)
    return f"; there came {shown_}{', ...' if len(names) > _FEW else ''}"


def _near(types: Sequence[str], evidence: Evidence) -> str:
    near = suggestion(
        types[0], {*evidence.strangers, *(t for t, s in evidence.seen.items() if s.total)} - {*types}
    )
    return near if near.startswith("did") else ""


def never_held(plan: Plan, evidence: Evidence, explained: Sequence[Span]) -> Iterator[QueryProblem]:
    """Conditions on one event that none of its type fulfilled.

    Args:
        plan: The plan.
        evidence: What came.
        explained: Parts of the query of which it has been said already why they did not hold.
    """
    done: set[tuple[str, tuple[str, ...]]] = set()
    for step in (s for a in plan.alternatives for s in a.steps if s.quantifier.minimum > 0):
        events = evidence.of(step.filter.types).events
        if (step.variable, step.filter.types) in done or not step.filter.accepts or not events:
            continue
        done.add((step.variable, step.filter.types))
        if any(map(step.filter.accepts, events)):
            continue
        amount = evidence.amount(step.filter.types, every=False)
        found = [c for c in step.decided if not _holds_for_any(step, c, events)]
        for condition in found:
            low, high = condition.span
            if any(low <= begin and end <= high for begin, end in explained):
                continue
            yield reason(
                "never-held",
                f"{_text(plan, condition)} held for none of {amount}",
                _was(condition, events),
                condition.span,
            )
        if not found:
            together = " AND ".join(_text(plan, c) for c in step.decided)
            yield reason(
                "never-held",
                f"{together} held together for none of {amount}",
                span=step.decided[0].span,
            )


def contradictions(plan: Plan) -> Iterator[QueryProblem]:
    """Conditions of one step that no event can fulfil together, going by the numbers they compare with."""
    found: dict[QueryProblem, None] = {}
    for step in (s for a in plan.alternatives for s in a.steps):
        bounds = [(c, bound) for c in step.decided for bound in _bounds(c)]
        for (one, first), (other, second) in combinations(bounds, 2):
            if first.attribute == second.attribute and not first.meets(second):
                together = (
                    _text(plan, one) if one is other else f"{_text(plan, one)} AND {_text(plan, other)}"
                )
                found[reason("never-held", f"{together} holds for no value", span=one.span)] = None
    yield from found


class _Bound(NamedTuple):
    """The values that a comparison with a number lets an attribute have."""

    attribute: Attribute
    low: float
    low_is_in: bool
    high: float
    high_is_in: bool

    def meets(self, other: _Bound) -> bool:
        """Whether a value is in both."""
        low = max((self.low, not self.low_is_in), (other.low, not other.low_is_in))
        high = min((self.high, self.high_is_in), (other.high, other.high_is_in))
        return low[0] < high[0] or (low[0] == high[0] and not low[1] and high[1])


def _bounds(condition: Expression) -> Iterator[_Bound]:
    if isinstance(condition, Between):
        yield from _bounds(Binary(">=", condition.operand, condition.low))
        yield from _bounds(Binary("<=", condition.operand, condition.high))
    if not isinstance(condition, Binary) or condition.operator not in COMPARISONS:
        return
    one, other, operator = condition.left, condition.right, str(condition.operator)
    if isinstance(one, Constant):
        one, other, operator = other, one, _TURNED.get(operator, operator)
    if not isinstance(one, Attribute) or not isinstance(other, Constant) or type(other.value) not in NUMBERS:
        return
    value = cast("float", other.value)
    above, is_in = operator.startswith(">"), operator.endswith("=")
    if operator == "==":
        yield _Bound(one, value, True, value, True)
    elif operator != "!=":
        yield _Bound(one, value, is_in, inf, True) if above else _Bound(one, -inf, True, value, is_in)


def _holds_for_any(step: PlanStep, condition: Expression, events: Iterable[Event]) -> bool:
    alone = step_filter(step.filter.types, step.variable, [condition], Counter())
    return alone.accepts is None or any(map(alone.accepts, events))


def _was(condition: Expression, events: Sequence[Event]) -> str:
    """What an attribute was that is compared with a constant."""
    if not isinstance(condition, Binary) or condition.operator not in COMPARISONS:
        return ""
    for one, other in ((condition.left, condition.right), (condition.right, condition.left)):
        if not isinstance(one, Attribute) or not isinstance(other, Constant):
            continue
        name = ".".join(one.path)
        values = [v for e in events if (v := attribute(e, one.path)) is not None]
        if values and all(type(v) in NUMBERS for v in values):
            low, high = min(values), max(values)
            return f"{name} was {shown(low)}" + (f" to {shown(high)}" if low != high else "")
        texts = Counter(v for v in values if isinstance(v, str))
        if texts and isinstance(other.value, str):
            near = suggestion(other.value, texts)
            most = [text for text, _ in texts.most_common(_FEW + 1)]
            return (
                near
                if near.startswith("did")
                else f"{name} was {listed(most[:_FEW])}" + (", ..." if len(most) > _FEW else "")
            )
    return ""


def _text(plan: Plan, condition: Expression) -> str:
    return " ".join(plan.pattern.text[slice(*condition.span)].split()) or str(condition)
