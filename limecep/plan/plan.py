"""The plan of a pattern: its alternatives, steps, filters and conditions, as engines read them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from limecep.model.event import Event
    from limecep.model.expression import Expression
    from limecep.model.pattern import Pattern, Quantifier, Select
    from limecep.model.picks import Pick


@dataclass(frozen=True, slots=True, kw_only=True)
class StepFilter:
    """Which events a step may take, decided on the event alone: its type, and the step's own conditions.

    Attributes:
        types: The types, sorted.
        accepts: The conditions on one event, in one call; None where there are none. Never raises.
        signature: Equal signatures (and types) accept the same events, so patterns share what is stored. One
            filter is then evaluated for all of them, and counts for its own pattern what comes out unknown.
    """

    types: tuple[str, ...]
    accepts: Callable[[Event], bool] | None
    signature: str


class Condition(Protocol):
    """A condition that is not decided on one event alone.

    Groups are given as a sequence with a sequence of events for every positive step of the alternative (empty
    for what is not chosen yet, or took nothing).
    """

    @property
    def text(self) -> str:
        """As written."""

    @property
    def steps(self) -> tuple[int, ...]:
        """The positive steps it names, ascending. Steps of other alternatives are not among them: they took
        nothing."""

    @property
    def expression(self) -> Expression:
        """What it says, parameters bound, in the form of `limecep.plan.references.settled`."""

    @property
    def closes(self) -> bool:
        """Whether it is about how the group of its last step ends, so that it waits until that is left."""

    @property
    def reach(self) -> int:
        """How many events of its last step it needs before it can be decided; 0 for any."""

    @property
    def pair(self) -> Callable[[Event, Event], bool] | None:
        """For a condition about neighbours of one group and nothing else, the test of (earlier, later). It
        may look at one of them alone: `b[i+1].v > 3` is about every event that has one before it."""

    @property
    def cross(self) -> bool:
        """Whether each of the steps it names enters only by its events one at a time (`b[i].v > a.v`), no
        more than one of them a group: so it holds for a group iff it holds for every single event of it."""

    def holds(self, groups: Sequence[Sequence[Event]], /) -> bool:
        """Whether it is true of a complete assignment. Unknown is false. Never raises."""

    def allows(self, groups: Sequence[Sequence[Event]], step: int, /) -> bool:
        """Whether all of it that can be decided now is true (SEMANTICS 3, *eligible*).

        The last event of `groups[step]` was chosen last: groups before `step` are closed (an empty one took
        nothing), `groups[step]` may still grow, later ones are unknown.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanStep:
    """A positive step.

    Attributes:
        conditions: Those that its filter decides, as written.
        conjunction: The number of the AND it stands in, from 1; 0 if it stands in none.
        decided: The same, as expressions.
    """

    variable: str
    filter: StepFilter
    quantifier: Quantifier
    conditions: tuple[str, ...] = ()
    conjunction: int = 0
    decided: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NegatedStep:
    """A negated step.

    Attributes:
        after: How many positive steps stand before it: 0 is leading, all of them trailing.
        hits: Conditions that name other variables too: whether this event, which stands where none may by the
            order numbers of its lane, hits the match with these groups. None where that and the filter say
            all. Unknown is no hit.
        conditions: Those that its filter decides, as written.
        compared: Those that `hits` decides, as written.
        meant: The same, in the form of `limecep.plan.references.settled`.
        names: The positive steps that decide what `hits` says, ascending.
        inside: Whether it stands between two steps of one AND, where `hits` looks at the time too.
    """

    variable: str
    filter: StepFilter
    after: int
    hits: Callable[[Event, Sequence[Sequence[Event]]], bool] | None
    conditions: tuple[str, ...] = ()
    compared: tuple[str, ...] = ()
    meant: tuple[Expression, ...] = ()
    names: tuple[int, ...] = ()
    inside: bool = False


class Level(NamedTuple):
    """Where the lane of a step stands in order numbers, among events of one time.

    Attributes:
        number: Greater for earlier steps: so none of their events precedes one of a later step.
        ranked: Whether events of steps of the same level may follow each other, by the sort key.
    """

    number: int
    ranked: bool


@dataclass(frozen=True, kw_only=True)
class Alternative:
    """One sequence of steps. OR and AND are spread out: sections 5 to 9 of SEMANTICS apply to each alone.

    Attributes:
        steps: The positive steps, in order; there is at least one.
        negations: The negated ones, in order.
        conditions: What is not decided by a step's filter.
        returned: Gives the values of a match by name (SEMANTICS 12), from the events of each variable and its
            end event; None where the pattern has no RETURN. Never raises.
    """

    steps: tuple[PlanStep, ...]
    negations: tuple[NegatedStep, ...]
    conditions: tuple[Condition, ...]
    returned: Callable[[Mapping[str, Sequence[Event]], Event], dict[str, Any]] | None = None

    @cached_property
    def filters(self) -> tuple[StepFilter, ...]:
        """The filters of all steps, negated ones last."""
        return (*(s.filter for s in self.steps), *(n.filter for n in self.negations))

    def together(self, k: int, j: int) -> bool:
        """Whether two steps stand in one AND, so that they may take events of one time."""
        return self.steps[k].conjunction == self.steps[j].conjunction > 0

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The level of each step, negated ones last: `filters` are parallel."""
        # All steps as they stand, each with its AND; negated ones are numbered on from the others.
        size = len(self.steps)
        line: list[tuple[int, int]] = []
        for k in range(size + 1):
            inside = 0 < k < size and self.together(k - 1, k)
            block = self.steps[k].conjunction if inside else 0
            line += [(block, size + n) for n, x in enumerate(self.negations) if x.after == k]
            if k < size:
                line.append((self.steps[k].conjunction, k))
        blocks = [list(block) for _, block in groupby(line, key=lambda item: item[0])]
        levels = {
            place: Level(len(blocks) - number, conjunction > 0 and place < size)
            for number, block in enumerate(blocks, start=1)
            for conjunction, place in block
        }
        return tuple(levels[place] for place in range(len(levels)))

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """The steps that can end a match: the last one, and what only steps that may be empty follow."""
        found = []
        for k in range(len(self.steps) - 1, -1, -1):
            found.append(k)
            if self.steps[k].quantifier.minimum > 0:
                break
        return tuple(reversed(found))

    @property
    def growing(self) -> bool:
        """Whether the end step may take none or several events, so that a match can grow at its end."""
        return not self.steps[-1].quantifier.single


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What an engine is told.

    Attributes:
        name: The pattern's name in the pipeline.
        pattern: The pattern itself, parameters bound.
        select: The selection policy.
        within: The window in microseconds.
        partition: Paths of the attributes of PARTITION BY.
        alternatives: Those that no constant condition makes impossible; there may be none, and then nothing
            matches.
        max_per_end: The most matches, and work, for one end event.
        pick: Which match of an end event is a result; None for all.
    """

    name: str
    pattern: Pattern
    select: Select
    within: int
    partition: tuple[tuple[str, ...], ...]
    alternatives: tuple[Alternative, ...]
    max_per_end: int = 1_000_000
    pick: Pick | None = None

    @cached_property
    def simultaneous(self) -> bool:
        """Whether events of different steps may have one time: steps of one AND."""
        return any(a.together(k, j) for a in self.alternatives for k, j in pairwise(range(len(a.steps))))

    @cached_property
    def types(self) -> frozenset[str]:
        """Every event type that the pattern names, negated steps included."""
        return frozenset(t for a in self.alternatives for f in a.filters for t in f.types)

    @cached_property
    def forbidding(self) -> frozenset[str]:
        """The event types that only forbid: no step takes them that is not negated."""
        alternatives = self.alternatives
        negated = frozenset(t for a in alternatives for n in a.negations for t in n.filter.types)
        return negated - frozenset(t for a in alternatives for s in a.steps for t in s.filter.types)
