"""Groups under STAM whose conditions are settled by their first and last event: all that stands between
belongs.

`last(b).v > 90`, `last(b).v > first(b).v`, `count(b) >= 3`: whatever group satisfies such a condition, the
largest one with the same ends does, too. So the groups to look at are ranges of a lane, and a maximal one is
contained in no other range that satisfies the conditions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from limecep.model.expression import Aggregate, Attribute, Binary, Position
from limecep.plan.expressions import references
from limecep.plan.stretch import Book, Stretch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.model.event import Event
    from limecep.model.expression import Expression
    from limecep.plan.plan import Condition
    from limecep.store.lane import Content

#: Places in a lane: the first, the last, and the latest from which a group that contains this one could
#: begin; -1 if there is none.
Span = tuple[int, int, int]

_FIRST, _LAST = Position(1), Position(-1)


def settled_by_ends(expression: Expression, variable: str) -> bool:
    """Whether what is true of a group is true of the largest one with the same first and last event."""
    mentions = [r for r in references(expression) if r.variable == variable]
    if all(isinstance(r, Attribute) and r.index in (_FIRST, _LAST) for r in mentions):
        return True
    if not isinstance(expression, Binary):
        return False
    left, right, operator = expression.left, expression.right, expression.operator
    if operator in ("<", "<="):
        left, right, operator = right, left, ">"
    return (
        operator in (">", ">=")
        and isinstance(left, Aggregate)
        and left.function == "count"
        and not left.running
        and all(
            isinstance(r, Attribute) and r.index in (_FIRST, _LAST)
            for r in references(right)
            if r.variable == variable
        )
    )


@dataclass(frozen=True, slots=True)
class Demands:
    """The conditions on the group of a step, by what of it they name."""

    step: int
    firsts: tuple[Condition, ...]
    lasts: tuple[Condition, ...]
    both: tuple[Condition, ...]

    @classmethod
    def of(cls, step: int, variable: str, conditions: Sequence[Condition]) -> Demands:
        """Sorts conditions that its ends settle."""
        firsts: list[Condition] = []
        lasts: list[Condition] = []
        both: list[Condition] = []
        for condition in conditions:
            indices = {
                r.index if isinstance(r, Attribute) else None
                for r in references(condition.expression)
                if r.variable == variable
            }
            (firsts if indices == {_FIRST} else lasts if indices == {_LAST} else both).append(condition)
        return cls(step, tuple(firsts), tuple(lasts), tuple(both))


class Spans:
    """The ranges of one lane that satisfy the conditions on the group of a step.

    Args:
        demands: The conditions.
        content: The lane.
        groups: Other groups that they name.
        least: How many events there must be.
        low: The place before which nothing is asked for.
    """

    __slots__ = ("_book", "_demands", "_groups", "_least", "content")

    def __init__(
        self, demands: Demands, content: Content, groups: list[Sequence[Event]], least: int, low: int
    ) -> None:
        self._demands = demands
        self._book = Book(content.events, low)
        self._groups = groups
        self._least = least
        self.content = content

    def outermost(self, first: int, stop: int, low: int) -> list[Span]:
        """Of the ranges within some places that end at a place `low` or later: those that no other
        contains."""
        demands, enough = self._demands, self._least - 1
        lasts = [p for p in range(stop - 1, low - 1, -1) if self._holds(demands.lasts, p, p + 1)]
        found: list[Span] = []
        for begin in range(first, lasts[0] - enough + 1 if lasts else first):
            if not self._holds(demands.firsts, begin, begin + 1):
                continue
            for number, last in enumerate(lasts):
                if last < begin + enough:
                    break
                if self._holds(demands.both, begin, last + 1):
                    found.append((begin, last, -1))
                    # What begins later must end later.
                    del lasts[number:]
                    break
            if not lasts:
                break
        return found

    def between(self, first: int, stop: int, low: int) -> list[Span]:
        """The largest ranges for each first place, within some places, that end at a place `low` or later:
        the latest first."""
        demands, enough = self._demands, self._least - 1
        lasts = [p for p in range(stop - 1, low - 1, -1) if self._holds(demands.lasts, p, p + 1)]
        found: list[Span] = []
        if not lasts:
            return found
        # Those that may contain what begins later: each ends earlier than the one before.
        containers: list[tuple[int, int]] = []
        for begin in range(first, lasts[0] - enough + 1):
            if not self._holds(demands.firsts, begin, begin + 1):
                continue
            for last in lasts:
                if last < begin + enough:
                    break
                if self._holds(demands.both, begin, last + 1):
                    while containers and containers[-1][1] < last:
                        containers.pop()
                    found.append((begin, last, containers[-1][0] if containers else -1))
                    containers.append((begin, last))
                    break
        found.reverse()
        return found

    def _holds(self, conditions: tuple[Condition, ...], start: int, stop: int) -> bool:
        if not conditions:
            return True
        groups = self._groups
        groups[self._demands.step] = Stretch(self._book, start, stop)
        return all(c.holds(groups) for c in conditions)
