"""STAM where every step takes one event: a join, from the end event back.

Nothing could be put into such an assignment, so each that satisfies the conditions is a match, unless a
negated step hits it. Steps that conditions name are chosen first. An event is looked up by its value where a
condition says what that has to equal, and is held to conditions and negated steps as soon as all that they
are about is chosen.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from limecep.plan.forms import equalities, other_key
from limecep_maximal.bounds import ANY_START
from limecep_maximal.hits import Forbidding, Gaps, Hits
from limecep_maximal.values import ByValue

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from limecep.model.event import Event
    from limecep.plan.forms import Equality
    from limecep.plan.plan import Alternative, Condition
    from limecep.store.lane import Content, Ordering
    from limecep.store.view import View

    Assignment = tuple[tuple[Event, ...], ...]
    Key = tuple[Equality, Callable[[Sequence[Sequence[Event]]], Hashable]]


class _Choice:
    """What is known of a step when its event is chosen.

    Attributes:
        step: The step.
        left: The nearest step before it that is chosen by then; -1 for none.
        right: The nearest after it.
        key: An equality by which its event is found.
        conditions: What is decided once it is chosen, `key` aside.
        gaps: The gaps whose negated steps are decided then.
    """

    __slots__ = ("conditions", "gaps", "key", "left", "right", "step")

    def __init__(
        self, step: int, known: set[int], conditions: list[Condition], alternative: Alternative
    ) -> None:
        self.step = step
        self.left = max((k for k in known if k < step), default=-1)
        self.right = min((k for k in known if k > step), default=-1)
        self.key: Key | None = None
        self.conditions: list[Condition] = []
        variables = {s.variable: k for k, s in enumerate(alternative.steps)}
        for condition in conditions:
            found = equalities([condition.expression], alternative.steps[step].variable, variables)
            if found and self.key is None:
                self.key = found[0], other_key(found[0], variables)
            else:
                self.conditions.append(condition)
        self.gaps: list[int] = []


class Join:
    """One alternative whose steps take one event each.

    Args:
        alternative: It.
        number: Its number.
        raise_if_stopped: The context's.
    """

    def __init__(self, alternative: Alternative, number: int, raise_if_stopped: Callable[[], None]) -> None:
        self._number = number
        self.raise_if_stopped = raise_if_stopped
        self.size = size = len(alternative.steps)
        negations = alternative.negations
        self.forbidding = [Forbidding(alternative, n) for n in negations]
        self.gaps = [[n for n, x in enumerate(negations) if x.after == gap] for gap in range(size + 1)]
        named = {k for c in alternative.conditions for k in c.steps}
        named.update(k for n in negations if n.hits is not None for k in n.names)
        #: Steps in the order in which they are chosen. The end event is given.
        self.choices: list[_Choice] = []
        known: set[int] = set()
        for step in (size - 1, *sorted(range(size - 1), key=lambda k: (k not in named, -k))):
            due = [c for c in alternative.conditions if step in c.steps and known | {step} >= {*c.steps}]
            self.choices.append(_Choice(step, known, due, alternative))
            known.add(step)
        order = [c.step for c in self.choices]
        for gap, numbers in enumerate(self.gaps):
            if numbers:
                # Behind the last step it is hit as long as the window lasts, which begins with the first.
                beside = {gap - 1, gap} & known if gap < size else {0, size - 1}
                beside.update(k for n in numbers for k in negations[n].names)
                self.choices[max(map(order.index, beside))].gaps.append(gap)

    def search(self, place: int, view: View, budget: int, starts: tuple[int, int] = ANY_START) -> Search:
        """Looks for the assignments that end with the event at a place of the last lane, and start between
        two order numbers.

        Args:
            place: An index into that lane.
            view: What there is.
            budget: How often a negated step may hit what was chosen.
            starts: The first order number of a start, and the first that is too late.
        """
        contents = [lane.content for lane in view.steps[self._number]]
        order = contents[-1].order[place]
        floor = view.ordering.floor(order)
        known: _Lookups | None = view.memo.get(("join", self._number))
        if known is None or floor < known.low:
            negations = [lane.content for lane in view.negations[self._number]]
            known = view.memo["join", self._number] = _Lookups(self, contents, negations, floor)
        return Search(self, contents, known, view.ordering, place, budget, starts)


class _Lookups:
    """Lanes by the values that conditions ask for, from an order number on; kept between evaluations."""

    __slots__ = ("gaps", "lanes", "low")

    def __init__(
        self, join: Join, contents: Sequence[Content], negations: Sequence[Content], low: int
    ) -> None:
        self.low = low
        self.lanes = {
            c.step: ByValue(contents[c.step], c.key[0].path) for c in join.choices if c.key is not None
        }
        hits = [Hits(f, content, low) for f, content in zip(join.forbidding, negations, strict=True)]
        self.gaps = Gaps(join.gaps, hits)


class Search:
    """One evaluation.

    Attributes:
        budget: How often a negated step may still hit what was chosen; negative where it was cut short.
    """

    __slots__ = (
        "_at",
        "_choices",
        "_contents",
        "_floor",
        "_gaps",
        "_groups",
        "_lanes",
        "_look",
        "_ordering",
        "_place",
        "_starts",
        "budget",
    )

    def __init__(
        self,
        join: Join,
        contents: Sequence[Content],
        lookups: _Lookups,
        ordering: Ordering,
        place: int,
        budget: int,
        starts: tuple[int, int],
    ) -> None:
        self.budget = budget
        self._choices = join.choices
        self._contents = contents
        self._lanes = lookups.lanes
        self._gaps = lookups.gaps
        self._ordering = ordering
        self._place = place
        self._floor = ordering.floor(contents[-1].order[place])
        self._starts = starts
        self._look = join.raise_if_stopped
        self._groups: list[tuple[Event, ...]] = [()] * join.size
        #: The order numbers of the chosen events.
        self._at = [0] * join.size

    def assignments(self) -> Iterator[Assignment]:
        """What is found, each once."""
        return self._choose(0, (self._place,))

    def _choose(self, n: int, places: Sequence[int]) -> Iterator[Assignment]:
        """Every way to choose the n-th and all that come after it.

        Args:
            n: Which, from 0.
            places: Where its event may stand in the lane of its step.
        """
        choice = self._choices[n]
        step, conditions, gaps = choice.step, choice.conditions, choice.gaps
        content, groups = self._contents[step], self._groups
        self._look()
        following = self._choices[n + 1] if n + 1 < len(self._choices) else None
        for place in places:
            groups[step] = (content.events[place],)
            self._at[step] = content.order[place]
            if conditions and not all(c.holds(groups) for c in conditions):
                continue
            if gaps and self._is_hit(gaps):
                self.budget -= 1
            elif following is None:
                yield tuple(groups)
            else:
                yield from self._choose(n + 1, self._places(following))
            if self.budget < 0:
                return
        groups[step] = ()

    def _places(self, choice: _Choice) -> Sequence[int]:
        """Where the event of a step may stand, as far as what is chosen and a value tell."""
        step, at = choice.step, self._at
        low = self._floor if choice.left < 0 else at[choice.left] + 1
        high = at[choice.right]
        if not step:
            low, high = max(low, self._starts[0]), min(high, self._starts[1])
        order = self._contents[step].order
        begin, stop = bisect_left(order, low), bisect_left(order, high)
        if choice.key is None:
            return range(begin, stop)
        value = choice.key[1](self._groups)
        places = self._lanes[step].places(value, bisect_left(order, self._floor))
        return places[bisect_left(places, begin) : bisect_left(places, stop)]

    def _is_hit(self, gaps: Sequence[int]) -> bool:
        """Whether a negated step hits what is chosen."""
        at, last = self._at, len(self._at)
        for gap in gaps:
            left = at[gap - 1] if gap else self._floor - 1
            right = at[gap] if gap < last else self._ordering.ceiling(at[0]) + 1
            if self._gaps.hit(gap, left, right, self._groups):
                return True
        return False
