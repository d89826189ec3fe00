"""What SQL prefers, where several matches have one start, and which of them the engines give.

SQL tries the ways through PATTERN in an order of preference, takes the first that succeeds, and goes on with
the next start behind that match. The engines give all matches, or those contained in no other, and skip
strategies go by their *ends*. Both are the same if

- at every point at most one slot can take the next row, so that there is one way from each start (`decided`);
- of the matches along that way the longest is wanted, and no shorter one is on a way of its own (`longest`);
- a match that starts later does not end sooner, where matches drop others (`skipping`).

What cannot be proven is refused.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from limecep.translation.formula import conjunction, disjoint, fails, local
from limecep.translation.slots import goes_on
from limecep.translation.tree import Node, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limecep.translation.slots import Edge, Shape, Slot
    from limecep.translation.tree import Skip

    #: When a row is taken, by edge.
    Formulas = Mapping[Edge, Node]


def decided(shape: Shape, formulas: Formulas) -> dict[Edge, Node]:
    """The formulas, such that no row can go two ways: a reluctant step takes no row that may end the match.

    Raises:
        Refused: A row could go two ways, and which one SQL prefers depends on later rows.
    """
    made = dict(formulas)
    for at in (None, *shape.numbers):
        # An edge of a slot to itself is the first.
        for one, other in combinations(shape.out_of(at), 2):
            # A slot that takes a fixed number of rows stays until it has them, and then leaves.
            if one != (at, at) or shape.slots[one[1]].varies:
                _decide(shape, made, one, other)
    return made


def _decide(shape: Shape, formulas: dict[Edge, Node], one: Edge, other: Edge) -> None:
    """Sees to it that a row that takes one edge does not take the other, which leads further."""
    if disjoint(formulas[one], formulas[other]):
        return
    taking, leaving = shape.slots[one[1]], shape.slots[other[1]]
    together = any({one[1], other[1]} <= {*line} for line in shape.lines)
    optional = not taking.low or one[0] == one[1]
    # A match that may end with the row that leaves is sure to succeed.
    succeeds = leaving.number in shape.ends and max(taking.low, leaving.low) <= 1
    if together and taking.reluctant and optional and succeeds:
        formulas[one] = conjunction([formulas[one], fails(formulas[other])])
        return
    raise _undecided(shape, taking, leaving, together, one)


def _undecided(shape: Shape, taking: Slot, leaving: Slot, together: bool, edge: Edge) -> Refused:
    names = f"{taking.variable} and {leaving.variable}"
    exclude = (
        f"make them exclude each other: add AND NOT (...) with the condition of {taking.variable} to that "
    )
    exclude += f"of {leaving.variable}"
    if not together:
        why = f"a row may be taken by {names}, and SQL prefers the first if the rest then matches"
    elif taking.reluctant:
        why = f"a row may be taken by {names}, and which one does depends on the rows after it"
        exclude = exclude.replace(
            f"condition of {taking.variable}", f"condition of {leaving.variable}"
        ).replace(f"that of {leaving.variable}", f"that of {taking.variable}")
    else:
        why = f"a row may be taken by {names}; SQL gives {taking.variable} as many rows as the rest allows"
        if leaving.number in shape.ends:
            exclude += f", or let {taking.variable} take as few as it can (*? or +?)"
    return Refused("either-variable", f"{why}, which cannot be carried over", exclude, leaving.span)


def longest(shape: Shape) -> bool:
    """Whether the longest match of each start is wanted; otherwise each start has only one.

    Raises:
        Refused: Matches of one start are on ways of their own.
    """
    on = goes_on(shape)
    for q, t in on:
        for line in shape.lines:
            if (
                q in line
                and t not in line
                and all(shape.slots[s].low == 0 for s in line[line.index(q) + 1 :])
            ):
                raise Refused(
                    "open-ends",
                    "a match may end before this alternative, or go on with it",
                    "let the pattern end with a variable that must be there, or give the last variables "
                    "quantifiers of their own instead of a group",
                    shape.slots[t].span,
                )
    return bool(on)


def skipping(shape: Shape, formulas: Formulas, skip: Skip) -> str | None:
    """The skip strategy, or None where matches drop no others.

    Raises:
        Refused: It would drop other matches than SQL does.
    """
    if skip.to == "next":
        return None
    strategy = skip.to if skip.variable is None else f"{skip.to}[{_named(shape, skip)}]"
    starts = [formulas[e] for e in shape.edges if e[0] is None]
    others = [f for e, f in formulas.items() if e[0] is not None]
    # No row that begins a match is within another one.
    apart = all(disjoint(start, other) for start in starts for other in others)
    if apart or _lengths(shape) is not None or _in_step(shape, formulas):
        return strategy
    raise Refused(
        "nested-matches",
        "a match may lie inside one that starts before it; SQL then keeps the one that starts first, "
        "and a skip "
        "strategy the one that ends first",
        "AFTER MATCH SKIP TO NEXT ROW gives both. Or let conditions look at the row before (PREV) "
        "and not at rows "
        "further back, let each variable take a fixed number of rows, or let the first variable take "
        "rows that "
        "no other one takes",
        skip.span,
    )


def _named(shape: Shape, skip: Skip) -> str:
    assert skip.variable is not None
    name = skip.variable
    slots = shape.of([name.key])
    if len(slots) != 1:
        what = "is no variable of PATTERN" if not slots else "stands for several steps here"
        raise Refused(
            "skip-variable", f"'{name.text}' {what}", "name a variable that stands in PATTERN once", name.span
        )
    (slot,) = slots
    if not shape.must(slot):
        raise Refused(
            "skip-variable",
            f"'{name.text}' may have no row, and then there is nothing to skip to: SQL gives up",
            "name a variable that takes a row in every match",
            name.span,
        )
    if (None, slot) in shape.edges and (skip.to == "to-first" or shape.slots[slot].low < 2):
        raise Refused(
            "skip-variable",
            f"'{name.text}' may be the first row of the match, and SQL gives up where it skips to that",
            "name a later variable, or use SKIP TO NEXT ROW",
            name.span,
        )
    return shape.slots[slot].name


def _lengths(shape: Shape) -> int | None:
    """How many rows every match has, if that is one number."""
    found: set[int | None] = set()
    for line in shape.lines:
        slots = [shape.slots[s] for s in line]
        found.add(sum(s.low for s in slots) if all(s.low == s.high for s in slots) else None)
    return found.pop() if len(found) == 1 else None


def _in_step(shape: Shape, formulas: Formulas) -> bool:
    """Whether of two matches the one that starts later is never ahead of the other.

    So it is along one line, if all depends on the current row and the one before it. At the same row the
    later match is then in the same slot or in one before. It could get ahead only by leaving out a slot in
    which the other one stays. Then the other could do the same, if the slot to come does not ask from which
    one it comes.
    """
    if len(shape.lines) > 1 or not all(map(local, formulas.values())):
        return False
    if all(shape.slots[s].low for s in shape.lines[0]):
        return True
    first = shape.lines[0][0]
    return all(
        len({f for (q, to), f in formulas.items() if to == t and (q is not None or t != first)}) <= 1
        for t in shape.numbers
    )
