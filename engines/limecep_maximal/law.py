"""What next-match with conditions asks of each step, and whether `conditional_runs` can tell it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.model.expression import Attribute, Position
from limecep.plan.expressions import references
from limecep.plan.forms import equal_neighbours, equalities, other_key
from limecep_maximal.hits import Forbidding
from limecep_maximal.strands import UNBOUNDED

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from limecep.model.event import Event
    from limecep.plan.forms import Equality
    from limecep.plan.plan import Alternative, Condition, NegatedStep

    #: An equality by which the events of a step are found, and what to look for, given the groups before.
    Key = tuple[Equality, Callable[[Sequence[Sequence[Event]]], Hashable]]


_ENDS = (Position(1), Position(-1))


class Law:
    """What of an alternative does not change from window to window.

    Attributes:
        applies: Whether runs tell the truth: a group but the first is settled by its first event and by what
            follows it, because no later step looks at how long it is.
        last: The step whose runs an end event completes; where it can take several, the end step itself.
        closing: By step, conditions on a whole group.
        joining: By step, those that each of its events has to satisfy by itself.
        entering: By step, those that its first event has to satisfy.
        staying: By step, those that an event may decide for the group it joins.
        entered: By step, those on its first event, or only one, and on the group before it.
        opening: By step, all that its first event has to satisfy, `entered` aside.
        shared: By step, whether what may follow a first event does not depend on what stands before.
        rooted: Whether something names the single start, so that a run has one start.
        leads: Whether a negated step stands before the start.
        trails: The negated steps after the end.
        recalls: Whether what one of them hits depends on the end event: it may spare end events before it
            that the run would have been completed by.
        regroups: The same where the start is a group, the only one, or that names the first event of that.
        settled: Whether there is but one step, and its ends settle a group: where any with the same first and
            last event is a match, the largest is. So skip-till-any-match finds what next-match does.
    """

    def __init__(self, alternative: Alternative) -> None:
        steps = alternative.steps
        self.size = size = len(steps)
        self.single = [s.quantifier.single for s in steps]
        self.least = [max(1, s.quantifier.minimum) for s in steps]
        self.most = [UNBOUNDED if s.quantifier.maximum is None else s.quantifier.maximum for s in steps]
        self.growing = alternative.growing
        self.last = size - 1 if self.growing else size - 2
        self.applies = size == 1 or all(s.quantifier.minimum > 0 for s in steps)
        self.rooted = self.recalls = self.regroups = False
        self.shared = [True] * size
        self.pairs: list[list[Callable[[Event, Event], bool]]] = [[] for _ in steps]
        self.equal: list[tuple[str, ...] | None] = [None] * size
        self.closing: list[list[Condition]] = [[] for _ in steps]
        self.joining: list[list[Condition]] = [[] for _ in steps]
        self.entering: list[list[Condition]] = [[] for _ in steps]
        self.staying: list[list[Condition]] = [[] for _ in steps]
        self.entered: list[list[Condition]] = [[] for _ in steps]
        self._variables = [s.variable for s in steps]
        for condition in alternative.conditions:
            self._sort(condition)
        negations = alternative.negations
        self.forbidding = [Forbidding(alternative, n) for n in negations]
        #: By gap, the negated steps in it: before step 0, 1, ..., after the last.
        self.gaps = [[n for n, x in enumerate(negations) if x.after == gap] for gap in range(size + 1)]
        #: By gap, whether what hits there depends on how long the group before it is.
        self.measured = [
            any(not self.single[k] for n in gap for k in negations[n].names) for gap in self.gaps
        ]
        for negation in negations:
            self._allow(negation)
        self.leads = bool(self.gaps[0])
        self.trails = self.gaps[-1]
        self.opening = [
            (*self.joining[k], *self.entering[k], *[c for c in self.staying[k] if c.reach < 2])
            for k in range(size)
        ]
        #: By step, whether something decides what joins a group; and whether only neighbours do.
        self.chosen = [bool(self.pairs[k] or self.staying[k] or self.joining[k]) for k in range(size)]
        self.chained = [bool(self.pairs[k]) and not (self.staying[k] or self.joining[k]) for k in range(size)]
        if not self.single[0]:
            # Start groups are looked for from their last event backwards.
            self.applies = self.applies and not self.staying[0]
            if self.last > 0:
                self.applies = self.applies and all(self._only(c, 0, -1) for c in self.entered[1])
        if self.regroups or (self.recalls and size == 2 and not self.single[0]):
            self.regroups, self.recalls = True, False
        elif self.recalls:
            # A run has one start, and an end event takes all of its last group that there is.
            self.rooted = True
            self.applies = (
                self.applies
                and self.single[0]
                and not (self.leads or self.entered[size - 1] or self.measured[size - 1])
            )
        self.keys = [self._key(k) for k in range(size)]
        self.settled = self.applies and size == 1 and self._settled(alternative)

    def _sort(self, condition: Condition) -> None:
        steps = condition.steps
        k = steps[-1]
        if condition.pair is not None:
            self.pairs[k].append(condition.pair)
            self.equal[k] = self.equal[k] or equal_neighbours(condition.expression)
            return
        groups = [j for j in steps[:-1] if not self.single[j]]
        first = self.single[k] or self._only(condition, k, 1)
        self.rooted = self.rooted or (len(steps) > 1 and steps[0] == 0 and self.single[0])
        if groups:
            self.applies = self.applies and groups == [k - 1] and first and not condition.closes
            self.entered[k].append(condition)
        elif condition.closes:
            self.closing[k].append(condition)
            self.shared[k] = self.shared[k] and len(steps) == 1
        elif first:
            self.entering[k].append(condition)
        elif condition.cross:
            self.joining[k].append(condition)
            self.shared[k] = False
        else:
            self.staying[k].append(condition)
            if condition.reach > 1:
                # A group may end before it has what the condition names.
                self.closing[k].append(condition)
            self.shared[k] = self.shared[k] and len(steps) == 1

    def _only(self, condition: Condition, step: int, place: int) -> bool:
        """Whether of a step's group it names nothing but the event at a place."""
        return all(
            isinstance(r, Attribute) and r.index == Position(place)
            for r in references(condition.expression)
            if r.variable == self._variables[step]
        )

    def _settled(self, alternative: Alternative) -> bool:
        """Whether nothing says more of the group of the only step than of its first and last event."""
        alike, said = self.equal[0], [m for n in alternative.negations for m in n.meant]
        for condition in alternative.conditions:
            if condition.pair is None:
                said.append(condition.expression)
            elif equal_neighbours(condition.expression) is None:
                return False
        return self.most[0] == UNBOUNDED and all(
            isinstance(r, Attribute) and (r.index in _ENDS or (r.index is None and r.path == alike))
            for expression in said
            for r in references(expression)
            if r.variable == self._variables[0]
        )

    def _allow(self, negation: NegatedStep) -> None:
        """Sees whether runs can tell what a negated step hits."""
        if negation.hits is None:
            return
        gap, names = negation.after, negation.names
        if self.size == 1:
            return
        groups = [k for k in names if not self.single[k]]
        self.rooted = self.rooted or (0 in names and self.single[0])
        if gap == self.size:
            known = not groups
            if groups == [0] and self.size == 2 and not self.growing and self._by_first(negation):
                known = self.regroups = True
            if self.growing:
                # The end event says what its group is.
                known = groups in ([], [self.size - 1])
            else:
                self.recalls = self.recalls or max(names, default=0) == self.size - 1
        else:
            known = gap > 0 and max(names, default=0) <= gap and groups in ([], [gap - 1])
        self.applies = self.applies and known

    def _by_first(self, negation: NegatedStep) -> bool:
        """Whether of the group of the start it names the first event, or what all have in common."""
        return all(
            isinstance(r, Attribute)
            and (r.index == Position(1) or (r.path == self.equal[0] and r.index in (None, Position(-1))))
            for expression in negation.meant
            for r in references(expression)
            if r.variable == self._variables[0]
        )

    def _key(self, step: int) -> Key | None:
        conditions = (*self.joining[step], *self.entering[step], *self.entered[step])
        places = {v: k for k, v in enumerate(self._variables)}
        for equality in equalities([c.expression for c in conditions], self._variables[step], places):
            return equality, other_key(equality, places)
        return None

    def waits_for(self) -> Key | None:
        """An equality by which an end event finds the runs of one start, or one first event, it may complete;
        None if there is none that holds for every length of the last group."""
        key = self.keys[-1]
        if key is None or self.growing:
            return None
        other = key[0].other
        step = self._variables.index(other.variable)
        alike = self.equal[step] is not None and self.equal[step] == other.path
        # What holds of each event holds of the first.
        first = other.index in (None, Position(1))
        fixed = self.single[step] or (step == self.last and (first or alike))
        return key if fixed else None
