"""Runs that wait for an event, by what its attributes have to equal or to exceed.

`b.x = a[1].x`, `b.v > 1.5 * avg(a.v)`, `r[i+1].v > r[i].v`: one side is known of a run once it waits, the
other of an event when it comes. So no run is asked about an event that its side does not go with.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from limecep.model.expression import Aggregate, Attribute, Binary, Constant, Current, Position, Unary
from limecep.model.instants import Instant
from limecep.plan.aggregates import AGGREGATES
from limecep.plan.forms import key
from limecep.plan.stretch import Stretch
from limecep.plan.values import ARITHMETIC, NUMBERS, absolute, attribute, negative

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from limecep.model.event import Event
    from limecep.model.expression import Expression
    from limecep.plan.plan import Condition, PlanStep
    from limecep.plan.stretch import Book
    from limecep_nfa.buffer import Entry

    #: Gives a value of the groups of a run.
    Read = Callable[[Sequence[Sequence[Event]]], Any]

_FIRST, _LAST = Position(1), Position(-1)

#: Comparisons, the other way round.
_TURNED = {"==": "==", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

#: Runs that wait are looked through for what has left the buffer when there are so many.
_PURGE_AT = 1024


@dataclass(frozen=True, slots=True)
class Comparison:
    """What an event must be like for a run to take it. That is necessary, and not always enough.

    Attributes:
        path: The attribute of the event.
        operator: How that has to compare with the value of the run.
        read: The value of the run.
        near: Whether that is one of its last event alone.
    """

    path: tuple[str, ...]
    operator: str
    read: Read
    near: bool

    def of_run(self, entry: Entry, books: Sequence[Book]) -> Any:
        """The value of the runs of an entry."""
        if not self.near:
            return self.read(entry.known(books))
        groups: list[Sequence[Event]] = [()] * len(books)
        groups[entry.step] = (entry.event,)
        return self.read(groups)


@dataclass(frozen=True, slots=True)
class Lookup:
    """An equality, and a comparison of what comes after what; there is one of them at least."""

    equal: Comparison | None
    ordered: Comparison | None


def lookup(
    near: Sequence[Condition], decides: Sequence[Condition], step: int, steps: Sequence[PlanStep]
) -> Lookup | None:
    """How to look up the runs that may take an event for a step; None if no condition says it.

    Args:
        near: The conditions on it and the event before.
        decides: Others that taking it decides.
        step: The step.
        steps: All steps.
    """
    found = [
        made
        for adjoins, conditions in ((True, near), (False, decides))
        for condition in conditions
        if (made := _Reading(step, steps, adjoins).comparison(condition.expression)) is not None
    ]
    equal = next((c for c in found if c.operator == "=="), None)
    ordered = next((c for c in found if c.operator != "=="), None)
    return Lookup(equal, ordered) if found else None


class _Reading:
    """Makes comparisons of conditions, for a step; `adjoins` says that they are on an event and the one
    before."""

    def __init__(self, step: int, steps: Sequence[PlanStep], adjoins: bool) -> None:
        self._step = step
        self._steps = steps
        self._adjoins = adjoins
        self._places = {s.variable: k for k, s in enumerate(steps)}

    def comparison(self, condition: Expression) -> Comparison | None:
        """The comparison that a condition is; None if it is none."""
        if not isinstance(condition, Binary) or condition.operator not in _TURNED:
            return None
        operator = str(condition.operator)
        sides = (
            (condition.left, condition.right, operator),
            (condition.right, condition.left, _TURNED[operator]),
        )
        for own, other, said in sides:
            if isinstance(own, Attribute) and self._places.get(own.variable) == self._step:
                read = self._neighbour(own, other) if isinstance(own.index, Current) else None
                if own.index in (None, _FIRST):
                    read = self._read(other)
                if read is not None:
                    return Comparison(own.path, said, read, self._adjoins)
        return None

    def _neighbour(self, own: Attribute, other: Expression) -> Read | None:
        """The attribute of the event before, if that is what `other` is."""
        if not self._adjoins or not isinstance(other, Attribute) or not isinstance(other.index, Current):
            return None
        assert isinstance(own.index, Current)
        return _end(self._step, -1, other.path) if other.index.offset < own.index.offset else None

    def _read(self, node: Expression) -> Read | None:
        """Reads a value of the groups before."""
        match node:
            case Constant() if node.value is not None:
                value = node.value
                return lambda groups: value
            case Attribute():
                place = -1 if node.index == _LAST else 0
                known = self._is_known(node) and node.index in (None, _FIRST, _LAST)
                return _end(self._places[node.variable], place, node.path) if known else None
            case Aggregate():
                known = self._is_known(node) and not node.running
                return _whole(self._places[node.variable], node) if known else None
            case Unary() if node.operator != "not" and (read := self._read(node.operand)) is not None:
                change = negative if node.operator == "-" else absolute
                return lambda groups: change(read(groups))
            case Binary() if node.operator in ARITHMETIC:
                left, right = self._read(node.left), self._read(node.right)
                compute = ARITHMETIC[node.operator]
                if left is not None and right is not None:
                    return lambda groups: compute(left(groups), right(groups))
        return None

    def _is_known(self, node: Attribute | Aggregate) -> bool:
        """Whether it names a group before that has something."""
        before = self._places.get(node.variable, self._step)
        return before < self._step and (self._adjoins or self._steps[before].quantifier.minimum > 0)


def _end(step: int, place: int, path: tuple[str, ...]) -> Read:
    """Reads an attribute of the first or last event of a group."""
    return lambda groups: attribute(groups[step][place], path)


def _whole(step: int, node: Aggregate) -> Read:
    """Reads an aggregate of a group."""
    path = node.path

    def read(groups: Sequence[Sequence[Event]]) -> Any:
        group = groups[step]
        if not path:
            return len(group)
        if isinstance(group, Stretch):
            return getattr(group, f"over_{node.function}")(path)
        return AGGREGATES[node.function]([attribute(e, path) for e in group])

    return read


class Waiting:
    """The places of entries whose runs wait for an event.

    Args:
        lookup: How they are found.
        books: The events of the lanes of the steps.
    """

    __slots__ = ("_books", "_lookup", "_purge_at", "_runs", "_size")

    def __init__(self, lookup: Lookup, books: Sequence[Book]) -> None:
        self._lookup = lookup
        self._books = books
        #: By what the event has to equal, and whether it is compared as a number or a text: places, each with
        #: the value it is compared with, in the order of these.
        self._runs: dict[tuple[Hashable, type | None], list[tuple[Any, int]]] = {}
        self._size = 0
        self._purge_at = _PURGE_AT

    def add(self, place: int, entry: Entry, base: int) -> None:
        """The runs of an entry wait, if there is anything that they may take. Those of places before `base`
        are let go of when there are many."""
        equal, ordered, books = self._lookup.equal, self._lookup.ordered, self._books
        same: Hashable = True
        if equal is not None and (same := key(equal.of_run(entry, books))) is None:
            return
        if ordered is None:
            self._runs.setdefault((same, None), []).append((None, place))
        else:
            value = ordered.of_run(entry, books)
            if (kind := _kind(value)) is None:
                return
            insort(self._runs.setdefault((same, kind), []), (value, place))
        self._size += 1
        if self._size >= self._purge_at:
            self._purge(base)

    def take(self, event: Event) -> list[int]:
        """The places of all whose runs may take an event, ascending. They wait no more."""
        equal, ordered = self._lookup.equal, self._lookup.ordered
        same: Hashable = True
        if equal is not None:
            same = key(attribute(event, equal.path))
        if ordered is None:
            found = self._runs.pop((same, None), [])
        else:
            value = attribute(event, ordered.path)
            runs = self._runs.get((same, _kind(value)))
            found = _cut(runs, value, ordered.operator) if runs else []
        self._size -= len(found)
        return sorted([place for _, place in found])

    def _purge(self, base: int) -> None:
        left = {k: [run for run in runs if run[1] >= base] for k, runs in self._runs.items()}
        self._runs = {k: runs for k, runs in left.items() if runs}
        self._size = sum([len(runs) for runs in self._runs.values()])
        self._purge_at = max(_PURGE_AT, 2 * self._size)


def _cut(runs: list[tuple[Any, int]], value: Any, operator: str) -> list[tuple[Any, int]]:
    """Takes out of what is sorted by values that with which a value compares so."""
    # No place is as great as that.
    middle = bisect_left(runs, (value,) if operator in (">", "<=") else (value, 1 << 62))
    chosen = slice(0, middle) if operator in (">", ">=") else slice(middle, len(runs))
    found = runs[chosen]
    del runs[chosen]
    return found


def _kind(value: Any) -> type | None:
    """What values a value comes before or after: numbers, texts or times; None if there are none."""
    kind = type(value)
    if kind is str or kind is Instant:
        return kind
    return float if kind in NUMBERS and value == value else None
