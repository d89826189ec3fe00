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
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.model.event import Event
    from limecep.plan.plan import Alternative, Condition


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Transition:
    """A way to come to a state with an event.

    Attributes:
        kind: See the module.
        source: The number of the state it leaves; -1 where a run begins.
        near: The conditions on the event before and this one alone.
        decides: Conditions that look farther back, of which the event may decide something.
        leaves: Those that leaving the group decides, whatever the event.
        gaps: The negated steps, by their place in the alternative, that stand between these two events.
    """

    kind: Literal["begin", "take", "proceed"]
    source: int
    near: tuple[Callable[[Event, Event], bool], ...] = ()
    decides: tuple[Condition, ...] = ()
    leaves: tuple[Condition, ...] = ()
    gaps: tuple[int, ...] = ()


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
    """

    number: int
    step: int
    begins: Transition | None
    transitions: tuple[Transition, ...]
    ends: bool
    closes: tuple[Condition, ...]
    splits: bool
    splits_before: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Automaton:
    """The states of one alternative.

    Attributes:
        alternative: The alternative.
        states: Its states, in order.
        by_step: The same, by step.
        looks_back: Whether some condition looks farther back than to the event before.
        unconditional: By step, whether it takes several events and no condition looks at their group. Under
            skip-till-next-match that has then every event its filter accepts, from its first to its last.
    """

    alternative: Alternative
    states: tuple[State, ...]
    by_step: tuple[tuple[State, ...], ...] = field(repr=False)
    looks_back: bool
    unconditional: tuple[bool, ...]


def build(alternative: Alternative) -> Automaton:
    """The automaton of an alternative."""
    builder = _Builder(alternative)
    by_step = tuple(builder.states_of(k) for k in range(len(alternative.steps)))
    return Automaton(
        alternative=alternative,
        states=tuple(s for states in by_step for s in states),
        by_step=by_step,
        looks_back=bool(builder.history),
        unconditional=tuple(
            not s.quantifier.single and not any(k in c.steps for c in alternative.conditions)
            for k, s in enumerate(alternative.steps)
        ),
    )


class _Builder:
    def __init__(self, alternative: Alternative) -> None:
        self._quantifiers = [s.quantifier for s in alternative.steps]
        self._negations = alternative.negations
        self._conditions = alternative.conditions
        #: The conditions that look farther back than to the event before.
        self.history = tuple(c for c in alternative.conditions if c.pair is None and not self._near(c))
        # By step: how many states it has. In a group of any size what is more than enough is all the same.
        self._counts = [q.maximum or max(q.minimum, 1) for q in self._quantifiers]
        self._first = [sum(self._counts[:k]) for k in range(len(self._counts))]

    def states_of(self, step: int) -> tuple[State, ...]:
        """The states of a step: one for each number of events that its group may have."""
        return tuple(self._state(step, taken) for taken in range(1, self._counts[step] + 1))

    def _state(self, step: int, taken: int) -> State:
        number = self._first[step] + taken - 1
        quantifier = self._quantifiers[step]
        begins = None
        transitions = []
        if taken > 1:
            transitions.append(self._take(number - 1, step))
        else:
            for before in self._directly_before(step):
                transitions += [self._proceed(source, before, step) for source in self._left_from(before)]
            if self._optional(0, step):
                begins = Transition(kind="begin", source=-1, decides=self._decided(-1, step))
        if quantifier.maximum is None and taken == self._counts[step]:
            transitions.append(self._take(number, step))
        open_here = [c for c in self.history if c.steps[0] <= step <= c.steps[-1]]
        return State(
            number=number,
            step=step,
            begins=begins,
            transitions=tuple(transitions),
            ends=taken >= quantifier.minimum and self._optional(step + 1, len(self._counts)),
            closes=tuple(c for c in self.history if c.steps[-1] >= step),
            splits=bool(open_here),
            splits_before=any(c.steps[0] < step for c in open_here),
        )

    def _take(self, source: int, step: int) -> Transition:
        return Transition(
            kind="take",
            source=source,
            near=tuple(c.pair for c in self._conditions if c.pair is not None and c.steps == (step,)),
            # What waits for how the group ends is not decided by what joins it.
            decides=tuple(c for c in self.history if c.steps[-1] == step and not c.closes),
        )

    def _proceed(self, source: int, before: int, step: int) -> Transition:
        near = [c for c in self._conditions if c.steps == (before, step) and self._near(c)]
        decided = self._decided(before, step)
        between = (n for n, x in enumerate(self._negations) if x.hits is None and before < x.after <= step)
        return Transition(
            kind="proceed",
            source=source,
            near=tuple(self._tested(c, before, step) for c in near),
            decides=tuple(c for c in decided if c.steps[-1] == step),
            leaves=tuple(c for c in decided if c.steps[-1] < step),
            gaps=tuple(between),
        )

    def _near(self, condition: Condition) -> bool:
        """Whether it is about two events that stand next to each other in every run that has both."""
        return (
            condition.cross
            and len(condition.steps) == 2
            and condition.steps[1] == condition.steps[0] + 1
            and all(self._quantifiers[k].maximum == 1 for k in condition.steps)
        )

    def _tested(self, condition: Condition, before: int, step: int) -> Callable[[Event, Event], bool]:
        size = len(self._quantifiers)

        def test(earlier: Event, later: Event) -> bool:
            groups: list[tuple[Event, ...]] = [()] * size
            groups[before], groups[step] = (earlier,), (later,)
            return condition.holds(groups)

        return test

    def _decided(self, before: int, step: int) -> tuple[Condition, ...]:
        """What the first event of a step may decide after an event of another: also conditions on the steps
        between, which are known to be empty now. What holds for a group if it holds for each of its events
        was decided as these came."""
        return tuple(
            c
            for c in self.history
            if before <= c.steps[-1] <= step and not (c.cross and c.steps[-1] == before)
        )

    def _directly_before(self, step: int) -> list[int]:
        """The steps that can stand before one, those between being empty."""
        return [j for j in range(step) if self._optional(j + 1, step)]

    def _left_from(self, step: int) -> range:
        """The states of a step whose group has enough."""
        first, enough = self._first[step], max(self._quantifiers[step].minimum, 1)
        return range(first + enough - 1, first + self._counts[step])

    def _optional(self, begin: int, stop: int) -> bool:
        """Whether the steps from one to another (not included) may all be empty."""
        return all(q.minimum == 0 for q in self._quantifiers[begin:stop])
