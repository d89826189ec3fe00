"""The automaton of an alternative: its states, and how runs get from one to the next.

A run is a partial match. Where it stands is a state: the step that its last event was taken for, and how many
events it has for that step, as far as the quantifier tells them apart. `SEQ(A a, B+ b[], C? c, D{2} d[])` has
five states:

    begin -> a -proceed-> b -proceed-> c -proceed-> d1 -take-> d2
                          b -take-> b
                          b ---------proceed------> d1

Four things may happen to a run when an event comes:

- *begin*: there is a run from here on, and this is its first event.
- *take*: the event joins the group of the run's last event.
- *proceed*: the group has enough and is left, steps that may be empty are passed over, and the event is the
  first of a later group.
- *ignore*: the run stays as it is. It leads from every state to itself, so it is not listed; when it is
  allowed is what the selection policies differ in (`limecep_nfa.policies`).

A run that takes an event goes on as another one; what it was may still proceed, and the other way round.

Under skip-till-next-match a group that no condition on its events stands in the way of takes every event of
its lane from its first one on: it is a *range*. Where all that is asked of a range can be said of it alone,
it has one state and no *take*: `limecep_nfa.ranges` finds the ranges that end with an event.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from limecep.model.expression import Attribute, Binary, Current, Position
from limecep.plan.expressions import references
from limecep.plan.forms import counted
from limecep_nfa.lookups import lookup

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.model.event import Event
    from limecep.model.pattern import Quantifier, Select
    from limecep.plan.plan import Alternative, Condition
    from limecep_nfa.lookups import Lookup

_FIRST, _LAST = Position(1), Position(-1)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Transition:
    """A way to come to a state with an event.

    Attributes:
        kind: See the module.
        source: The number of the state it leaves; -1 where a run begins.
        near: The conditions on the event before and this one alone.
        decides: Conditions that look farther back, of which the event may decide something.
        leaves: Those that leaving the group decides, whatever the event.
        of_ranges: Whether the groups that are left are ranges that are found all at once.
        gaps: The negated steps, by their place in the alternative, that stand between these two events.
        lookup: How to find the runs that may take an event this way; None if each has to be asked.
    """

    kind: Literal["begin", "take", "proceed"]
    source: int
    near: tuple[Callable[[Event, Event], bool], ...] = ()
    decides: tuple[Condition, ...] = ()
    leaves: tuple[Condition, ...] = ()
    of_ranges: bool = False
    gaps: tuple[int, ...] = ()
    lookup: Lookup | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Demand:
    """What is asked of a group that is a range, and of it alone.

    Attributes:
        least, most: How many events it has; either may be infinite.
        conditions: What else is to be true of it.
        asked: The conditions that all this says.
    """

    least: float
    most: float
    conditions: tuple[Condition, ...]
    asked: tuple[Condition, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class State:
    """Where a run stands.

    Attributes:
        number: Its place among the states. Transitions lead to the same state or a later one.
        step: The step that the last event was taken for.
        begins: How a run begins here; None if none can.
        transitions: The other ways to come here.
        ends: Whether a run that stands here may be a match.
        closes: Conditions that a match which ends here has still to fulfil.
        splits: Whether runs that take the same event here go on apart, because some condition may tell them
            from each other by what they have of this step; if not, they are one run from here on.
        splits_before: The same by what they have of earlier steps.
        alike: The attributes in which all events of its group have to be equal; else a later step can take
            nothing.
        demand: Where the groups that end here are ranges that are found all at once, what is asked of them.
        plain: Whether the groups that end here are ranges of which nothing is asked.
    """

    number: int
    step: int
    begins: Transition | None
    transitions: tuple[Transition, ...]
    ends: bool
    closes: tuple[Condition, ...]
    splits: bool
    splits_before: bool
    alike: tuple[tuple[str, ...], ...]
    demand: Demand | None
    plain: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Automaton:
    """The states of one alternative.

    Attributes:
        alternative: The alternative.
        states: Its states, in order.
        by_step: The same, by step.
        looks_back: Whether some condition looks farther back than to the event before.
        ranges: By step, whether it takes several events, and its group has every event that the filter
            accepts from its first to its last.
    """

    alternative: Alternative
    states: tuple[State, ...]
    by_step: tuple[tuple[State, ...], ...] = field(repr=False)
    looks_back: bool
    ranges: tuple[bool, ...]


def build(alternative: Alternative, select: Select) -> Automaton:
    """The automaton of an alternative under a selection policy."""
    builder = _Builder(alternative, select)
    by_step = tuple(builder.states_of(k) for k in range(len(alternative.steps)))
    return Automaton(
        alternative=alternative,
        states=tuple(s for states in by_step for s in states),
        by_step=by_step,
        looks_back=bool(builder.history),
        ranges=builder.ranges,
    )


class _Builder:
    def __init__(self, alternative: Alternative, select: Select) -> None:
        steps = range(len(alternative.steps))
        self._steps = alternative.steps
        self._variables = [s.variable for s in alternative.steps]
        self._quantifiers = [s.quantifier for s in alternative.steps]
        self._negations = alternative.negations
        self._conditions = alternative.conditions
        #: The conditions that look farther back than to the event before.
        self.history = tuple(c for c in alternative.conditions if c.pair is None and not self._near(c))
        self.ranges = tuple(select == "stnm" and self._is_range(k) for k in steps)
        self._demands = [self._demand(k) for k in steps]
        # By step: how many states it has. In a group of any size what is more than enough is all the same.
        self._counts = [
            1 if d is not None else q.maximum or max(q.minimum, 1)
            for q, d in zip(self._quantifiers, self._demands, strict=True)
        ]
        self._first = [sum(self._counts[:k]) for k in steps]

    def _is_range(self, step: int) -> bool:
        """Whether a group that takes what comes next takes every event."""
        return not self._quantifiers[step].single and not any(
            c.steps == (step,) if c.pair is not None else self._grows_with(c, step, 1)
            for c in self._conditions
        )

    def _grows_with(self, condition: Condition, step: int, taken: int) -> bool:
        """Whether each event that joins a group of so many decides something of a condition. (What waits for
        how the group ends is not decided by what joins it.)"""
        return condition.steps[-1] == step and not condition.closes and not self._placed(condition, taken)

    def _placed(self, condition: Condition, taken: int) -> bool:
        """Whether a condition is decided, whatever joins the group, once its last step has so many events."""
        last = condition.steps[-1]
        return self._decided_with(condition, taken) and (
            self._quantifiers[last].maximum == 1
            or all(
                isinstance(r, Attribute) and isinstance(r.index, Position)
                for r in references(condition.expression)
                if r.variable == self._variables[last]
            )
        )

    def _decided_with(self, condition: Condition, taken: int) -> bool:
        """Whether a condition was decided as the group of its last step came to have so many events."""
        return not condition.closes and condition.reach <= taken

    def _demand(self, step: int) -> Demand | None:
        """What is asked of the ranges of a step, if that is to be found out of all of them at once."""
        quantifier = self._quantifiers[step]
        # What the first event decides is none of the range's business.
        open_here = [
            c
            for c in self.history
            if c.steps[0] <= step <= c.steps[-1] and not (c.steps[-1] == step and self._placed(c, 1))
        ]
        if not self.ranges[step] or quantifier.maximum == 1 or any(c.steps != (step,) for c in open_here):
            return None
        if not open_here and quantifier.minimum <= 1 and quantifier.maximum is None:
            return None
        least, most = float(max(quantifier.minimum, 1)), float(quantifier.maximum or math.inf)
        kept = []
        for condition in open_here:
            number = counted(condition.expression)
            if number is None:
                kept.append(condition)
            else:
                least, most = max(least, number[1]), min(most, number[2])
        return Demand(least=least, most=most, conditions=tuple(kept), asked=tuple(open_here))

    def states_of(self, step: int) -> tuple[State, ...]:
        """The states of a step: one for each number of events that its group may have."""
        return tuple(self._state(step, taken) for taken in range(1, self._counts[step] + 1))

    def _state(self, step: int, taken: int) -> State:
        number = self._first[step] + taken - 1
        quantifier = self._quantifiers[step]
        begins = None
        transitions = []
        demand = self._demands[step]
        if taken > 1:
            transitions.append(self._take(number - 1, step))
        else:
            for before in self._directly_before(step):
                transitions += [self._proceed(source, before, step) for source in self._left_from(before)]
            if self._optional(0, step):
                begins = Transition(kind="begin", source=-1, decides=tuple(self._decided(-1, step)))
        if demand is None and quantifier.maximum is None and taken == self._counts[step]:
            transitions.append(self._take(number, step))
        asked = () if demand is None else demand.asked
        still = [
            c
            for c in self.history
            if c.steps[-1] >= step
            and c not in asked
            and not (c.steps[-1] == step and self._decided_with(c, taken))
        ]
        open_here = [
            c
            for c in self.history
            if c.steps[0] <= step <= c.steps[-1]
            and c not in asked
            and not (c.steps[-1] == step and self._placed(c, taken))
        ]
        return State(
            number=number,
            step=step,
            begins=begins,
            transitions=tuple(transitions),
            ends=(demand is not None or taken >= quantifier.minimum)
            and self._optional(step + 1, len(self._counts)),
            closes=tuple(still),
            splits=bool(open_here),
            splits_before=any(c.steps[0] < step for c in open_here),
            alike=tuple([path for c in open_here for path in self._alike(c, step)]),
            demand=demand,
            plain=self.ranges[step] and demand is None and quantifier.maximum is None and not open_here,
        )

    def _alike(self, condition: Condition, step: int) -> list[tuple[str, ...]]:
        """The attribute in which a condition wants all events of a step to equal one of a later step, which
        is there."""
        said = condition.expression
        if isinstance(said, Binary) and said.operator == "==":
            for own, other in ((said.left, said.right), (said.right, said.left)):
                if (
                    isinstance(own, Attribute)
                    and isinstance(other, Attribute)
                    and own.variable == self._variables[step]
                    and own.index is None
                    # Another may be one that its group does not have.
                    and other.index in (None, _FIRST, _LAST, Current(0))
                    and other.variable in self._variables[step + 1 :]
                    and self._quantifiers[self._variables.index(other.variable)].minimum > 0
                ):
                    return [own.path]
        return []

    def _take(self, source: int, step: int) -> Transition:
        pairs = [c for c in self._conditions if c.pair is not None and c.steps == (step,)]
        taken = source - self._first[step] + 1
        decides = [c for c in self.history if self._grows_with(c, step, taken)]
        return Transition(
            kind="take",
            source=source,
            near=tuple(c.pair for c in pairs if c.pair is not None),
            decides=tuple(decides),
            lookup=lookup(pairs, decides, step, self._steps),
        )

    def _proceed(self, source: int, before: int, step: int) -> Transition:
        near = [c for c in self._conditions if c.steps == (before, step) and self._near(c)]
        decided = self._decided(before, step, source - self._first[before] + 1)
        decides = [c for c in decided if c.steps[-1] == step]
        between = (n for n, x in enumerate(self._negations) if x.hits is None and before < x.after <= step)
        return Transition(
            kind="proceed",
            source=source,
            near=tuple(self._tested(c, before, step) for c in near),
            decides=tuple(decides),
            leaves=tuple(c for c in decided if c.steps[-1] < step),
            of_ranges=self._demands[before] is not None,
            gaps=tuple(between),
            lookup=lookup(near, decides, step, self._steps),
        )

    def _near(self, condition: Condition) -> bool:
        """Whether it is about two events that stand next to each other in every run that has both: the last
        one of a step and the first one of the next."""
        if len(condition.steps) != 2 or condition.steps[1] != condition.steps[0] + 1:
            return False
        ends = ((condition.steps[0], _LAST), (condition.steps[1], _FIRST))
        wanted = {self._variables[k]: (self._quantifiers[k], end) for k, end in ends}
        return all(
            isinstance(r, Attribute) and _stands_at(r, *wanted[r.variable])
            for r in references(condition.expression)
            if r.variable in wanted
        )

    def _tested(self, condition: Condition, before: int, step: int) -> Callable[[Event, Event], bool]:
        size = len(self._quantifiers)

        def test(earlier: Event, later: Event) -> bool:
            groups: list[tuple[Event, ...]] = [()] * size
            groups[before], groups[step] = (earlier,), (later,)
            return condition.holds(groups)

        return test

    def _decided(self, before: int, step: int, taken: int = 0) -> list[Condition]:
        """What the first event of a step decides after so many of another: also conditions on the steps
        between, which are known to be empty now. What was decided as the events of the other came, or is
        asked of it as a range, is not among it."""
        demand = self._demands[before] if before >= 0 else None
        asked = () if demand is None else demand.asked
        return [
            c
            for c in self.history
            if before <= c.steps[-1] <= step
            and c not in asked
            and not (c.steps[-1] == before and self._decided_with(c, taken))
            and (c.steps[-1] < step or self._decided_with(c, 1))
        ]

    def _directly_before(self, step: int) -> list[int]:
        """The steps that can stand before one, those between being empty."""
        return [j for j in range(step) if self._optional(j + 1, step)]

    def _left_from(self, step: int) -> range:
        """The states of a step whose group has enough."""
        first, count = self._first[step], self._counts[step]
        enough = min(max(self._quantifiers[step].minimum, 1), count)
        return range(first + enough - 1, first + count)

    def _optional(self, begin: int, stop: int) -> bool:
        """Whether the steps from one to another (not included) may all be empty."""
        return all(q.minimum == 0 for q in self._quantifiers[begin:stop])


def _stands_at(reference: Attribute, quantifier: Quantifier, end: Position) -> bool:
    """Whether a reference to a step names the event at one end of its group, which is there."""
    if reference.index is None:
        return quantifier.maximum == 1
    return reference.index == end and quantifier.minimum > 0
