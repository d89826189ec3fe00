"""PATTERN as steps: which rows they may take, and which may follow which.

A *slot* is a variable at one place of PATTERN; it becomes a step. Alternatives, and groups with a count, are
spread into *lines* of slots. An *edge* leads from the slot that took a row to the one that may take the next.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from limecep.translation.tree import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from limecep.model.expression import Span
    from limecep.translation.tree import Part

#: So many steps, and so many sequences of them.
_MOST = 60


@dataclass(frozen=True, slots=True)
class Slot:
    """A variable at one place of PATTERN.

    Attributes:
        number: Its place among all.
        variable: The key of the variable.
        name: What it is called in the query.
        low: How many rows at least.
        high: How many at most, or None.
        reluctant: Whether it takes as few as it can.
        span: Where it stands.
    """

    number: int
    variable: str
    name: str
    low: int
    high: int | None
    reluctant: bool
    span: Span

    @property
    def group(self) -> bool:
        """Whether it may take several rows."""
        return self.high != 1

    @property
    def varies(self) -> bool:
        """Whether it may take more rows than it must, once it has one."""
        return self.high is None or self.high > max(self.low, 1)


#: From the slot that took the last row (None: there is none yet) to that which takes the next one.
Edge = tuple[int | None, int]


class Shape:
    """Slots with the lines they stand in.

    Attributes:
        slots: All of them, by number.
        lines: The alternatives, each the numbers of its slots.
        edges: All edges, those of a slot to itself among them.
        ends: The slots that can take the last row.
    """

    def __init__(self, slots: dict[int, Slot], lines: Sequence[tuple[int, ...]]) -> None:
        self.slots = slots
        self.lines = tuple(dict.fromkeys(lines))
        self.edges: dict[Edge, None] = {}
        self.ends = frozenset(s for line in self.lines for s in self._tail(line))
        for line in self.lines:
            for i, t in enumerate(line):
                for q in (*reversed(line[:i]), None):
                    self.edges[q, t] = None
                    if q is not None and slots[q].low:
                        break
            self.edges.update(dict.fromkeys((s, s) for s in line if slots[s].group))

    def _tail(self, line: tuple[int, ...]) -> Iterable[int]:
        """The slots of a line after which nothing must come."""
        for s in reversed(line):
            yield s
            if self.slots[s].low:
                return

    @property
    def numbers(self) -> list[int]:
        """The slots that any line has, in order."""
        return sorted({s for line in self.lines for s in line})

    def must(self, slot: int) -> bool:
        """Whether it takes a row in every match."""
        return self.slots[slot].low > 0 and all(slot in line for line in self.lines)

    def must_with(self, slot: int, other: int) -> bool:
        """Whether it takes a row in every match in which another one does."""
        return self.slots[slot].low > 0 and all(slot in line for line in self.lines if other in line)

    @property
    def sizes(self) -> dict[int, int]:
        """How many rows slots take that take a fixed number of them in every match."""
        return {
            s: self.slots[s].low
            for s in self.numbers
            if self.must(s) and self.slots[s].low == self.slots[s].high
        }

    def into(self, slot: int) -> list[Edge]:
        """The edges by which it gets its first row."""
        return [(q, t) for q, t in self.edges if t == slot and q != slot]

    def out_of(self, slot: int | None) -> list[Edge]:
        """The edges that lead on from it, that to itself first."""
        return sorted(((q, t) for q, t in self.edges if q == slot), key=lambda e: e[1])

    def of(self, variables: Iterable[str] | None) -> list[int]:
        """The slots of some variables, or all."""
        wanted = None if variables is None else set(variables)
        return [s for s in self.numbers if wanted is None or self.slots[s].variable in wanted]


def shape(pattern: Part) -> Shape:
    """The slots and lines of a pattern.

    Raises:
        Refused: It has a form that cannot be carried over.
    """
    maker = _Maker()
    lines = maker.lines(pattern)
    made = Shape(dict(maker.slots), lines)
    if any(all(made.slots[s].low == 0 for s in line) for line in made.lines):
        raise Refused(
            "empty-match",
            "this pattern matches where no row is taken, and SQL then gives a row for an empty match",
            "a match here has at least one event: write + for *, or add a variable that must be there",
            pattern.span,
        )
    return split_start(_settled(made))


class _Maker:
    """Spreads a pattern into lines."""

    def __init__(self) -> None:
        self.slots: dict[int, Slot] = {}
        self._names: set[str] = set()

    def lines(self, part: Part) -> list[tuple[int, ...]]:
        """The lines of a part, those that SQL prefers first."""
        if part.op == "variable":
            return [(self._slot(part),)] if part.high != 0 else [()]
        if (part.low, part.high) == (1, 1):
            return self._once(part)
        return self._counted(part)

    def _once(self, part: Part) -> list[tuple[int, ...]]:
        if part.op == "choice":
            return [line for inner in part.parts for line in self.lines(inner)]
        lines: list[tuple[int, ...]] = [()]
        for inner in part.parts:
            more = self.lines(inner)
            lines = [(*line, *end) for line in lines for end in more]
            self._bound(len(lines), part)
        return lines

    def _counted(self, part: Part) -> list[tuple[int, ...]]:
        inner = replace(part, low=1, high=1)
        only = part.parts[0] if len(part.parts) == 1 else None
        alone = only is not None and only.op == "variable" and only.low <= 1
        if only is not None and alone and (part.low, part.high, part.reluctant) == (0, 1, only.reluctant):
            return self.lines(replace(only, low=0))
        if part.high is None:
            raise Refused(
                "repeated-group",
                "a group of several variables cannot be repeated any number of times",
                "only one variable can: give the group a greatest count, such as {1,3}, or one "
                "variable whose "
                "condition joins theirs by OR",
                part.span,
            )
        copies: list[tuple[int, ...]] = [()]
        found = [copies] if part.low == 0 else []
        for count in range(1, part.high + 1):
            more = self.lines(inner)
            copies = [(*line, *end) for line in copies for end in more]
            self._bound(len(copies), part)
            if count >= part.low:
                found.append(copies)
        ordered = found if part.reluctant else found[::-1]
        return [line for lines in ordered for line in lines]

    def _slot(self, part: Part) -> int:
        assert part.name is not None
        number = len(self.slots)
        self._bound(number, part)
        base = part.name.text if part.name.quoted else part.name.text.lower()
        self.slots[number] = Slot(
            number, part.name.key, self._name(base), part.low, part.high, part.reluctant, part.span
        )
        return number

    def _name(self, base: str) -> str:
        count = 1
        name = base
        while name in self._names:
            count += 1
            name = f"{base}_{count}"
        self._names.add(name)
        return name

    def _bound(self, count: int, part: Part) -> None:
        if count > _MOST:
            raise Refused(
                "too-many-alternatives",
                f"this stands for more than {_MOST} steps or sequences",
                "give groups smaller counts, or split the query",
                part.span,
            )


def _settled(made: Shape) -> Shape:
    """With each reluctant slot at its least where the rest may be empty: SQL then ends the match there."""
    while True:
        slots = dict(made.slots)
        for s in made.ends:
            slot = slots[s]
            if slot.reluctant and slot.high != slot.low:
                slots[s] = replace(slot, high=slot.low)
        if slots == made.slots:
            return made
        lines = [tuple(s for s in line if slots[s].high != 0) for line in made.lines]
        made = Shape(slots, lines)


def goes_on(made: Shape) -> list[Edge]:
    """The edges by which a match that could end there goes on, as greedy quantifiers have it."""
    return [
        (q, t)
        for q, t in made.edges
        if q in made.ends and (q != t or (q is not None and made.slots[q].varies))
    ]


def split_start(made: Shape) -> Shape:
    """With the first row in a slot of its own where a match may go on after it could end.

    There the longest match of each start is wanted, and matches that share no start must not contain each
    other.
    """
    starts = [t for q, t in made.edges if q is None]
    if not goes_on(made) or all((made.slots[s].low, made.slots[s].high) == (1, 1) for s in starts):
        return made
    if len(starts) > 1:
        at = next(s for s in starts if made.slots[s].group or not made.slots[s].low)
        raise Refused(
            "open-ends",
            "a match could begin with one of several variables, and also end in several ways",
            "let it begin with one variable that takes one row",
            made.slots[at].span,
        )
    (start,) = starts
    first = made.slots[start]
    names = {s.name for s in made.slots.values()}
    name = next(n for n in (f"{first.name}_{i}" for i in range(2, len(names) + 3)) if n not in names)
    rest = replace(
        first, name=name, low=max(first.low - 1, 0), high=None if first.high is None else first.high - 1
    )
    slots = {s * 2: slot for s, slot in made.slots.items()}
    slots[start * 2] = replace(first, low=1, high=1, reluctant=False)
    slots[start * 2 + 1] = rest
    lines = [
        tuple(n for s in line for n in ((s * 2, s * 2 + 1) if s == start else (s * 2,)))
        for line in made.lines
    ]
    return Shape({n: replace(s, number=n) for n, s in slots.items()}, lines)


def between(made: Shape, edge: Edge) -> list[int]:
    """The slots that took nothing, if an edge is taken."""
    q, t = edge
    return [s for s in made.numbers if (q is None or s > q) and s < t]
