"""Conditions of WHERE that say what the formulas of all edges say.

`b[i]` is each row of a step, `b[i-1]` the one before it, `b[1]` the first. A condition on the first row of a
step that may have none, or on a row after a step that may have none, says so: `count(b) = 0 OR ...`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.model.expression import AND, OR
from limecep.model.words import quoted
from limecep.translation.formula import FALSE, about, conjuncts, replaced
from limecep.translation.slots import between
from limecep.translation.text import of_group, written
from limecep.translation.tree import Node, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from limecep.translation.slots import Edge, Shape


class Writer:
    """Writes the conditions of slots."""

    def __init__(self, shape: Shape) -> None:
        self._shape = shape

    def conditions(self, slot: int, formulas: Mapping[Edge, Node]) -> Iterator[str]:
        """What must hold of the rows of a slot.

        Raises:
            Refused: No row can ever fulfil it.
        """
        into = self._shape.into(slot)
        edges = [*into, (slot, slot)] if self._shape.slots[slot].group else into
        parts = {(q, t): conjuncts(_named(formulas[q, t], q if q != t else None)) for q, t in edges}
        common = [c for c in parts[edges[0]] if self._same(c, slot) and all(c in p for p in parts.values())]
        for part in common:
            yield self._each(slot, part)
        for edge in into:
            for part in parts[edge]:
                if part not in common:
                    yield self._first(edge, part, alone=len(into) == 1)
        for part in parts.get((slot, slot), ()):
            if part not in common:
                yield self._further(slot, part)

    def _same(self, part: Node, slot: int) -> bool:
        """Whether it is written alike for the first row of a slot and for others."""
        own = (n for n in part.walk() if n.op in ("nth", "agg", "last"))
        return not about(part, "prev") and all(slot not in n.args for n in own) and part != FALSE

    def _each(self, slot: int, part: Node) -> str:
        if about(part, "cur"):
            index = "[i]" if self._shape.slots[slot].group else ""
            return written(part, lambda n: self._row(n, f"{self._name(slot)}{index}"), AND)
        return self._guarded([*self._nothing(slot)], part, slot)

    def _first(self, edge: Edge, part: Node, *, alone: bool) -> str:
        """A condition on the first row of a slot, where it comes by one edge."""
        q, t = edge
        guards: list[str] = []
        if not alone:
            guards += [
                f"count({self._name(s)}) > 0" for s in between(self._shape, edge) if not self._shape.must(s)
            ]
            if q is not None:
                guards += self._nothing(q)
        group = self._shape.slots[t].group
        if group or not about(part, "cur"):
            guards += self._nothing(t)
        current = f"{self._name(t)}[1]" if group else self._name(t)
        if part == FALSE and not guards:
            slot = self._shape.slots[t]
            raise Refused(
                "never",
                f"the condition of {slot.variable} is never true here, so nothing matches",
                "a row before the first one of a variable is null: add OR LAST(..., 1) IS NULL",
                slot.span,
            )
        return self._guarded(guards, part, t, current)

    def _further(self, slot: int, part: Node) -> str:
        """A condition on every row of a slot but the first."""
        name = self._name(slot)
        if about(part, "prev") or any(n.op == "agg" and n.args[1] == slot for n in part.walk()):
            return self._guarded([], part, slot, f"{name}[i]", f"{name}[i-1]", "[..i-1]")
        if about(part, "cur"):
            return self._guarded([], part, slot, f"{name}[i+1]")
        return self._guarded([f"count({name}) < 2"], part, slot)

    def _guarded(
        self, guards: list[str], part: Node, slot: int, current: str = "", before: str = "", running: str = ""
    ) -> str:
        def row(node: Node) -> str:
            return self._row(node, current, before, running, slot)

        if part == FALSE:
            return " OR ".join(guards) if len(guards) < 2 else f"({' OR '.join(guards)})"
        if not guards:
            return written(part, row, AND)
        return f"({' OR '.join([*dict.fromkeys(guards), written(part, row, OR)])})"

    def _row(self, node: Node, current: str, before: str = "", running: str = "", slot: int = -1) -> str:
        """The text of a value of a row."""
        match node.op, node.args:
            case "cur", (column,):
                return f"{current}.{quoted(column)}"
            case "prev", (column,):
                return f"{before}.{quoted(column)}"
            case "last", (of, column):
                return f"{self._last(of)}.{quoted(column)}"
            case "nth", (of, number, column):
                return f"{self._nth(of, number)}.{quoted(column)}"
            case _, (function, of, column):
                return self.aggregate(function, of, column, running if of == slot else "")
        raise AssertionError(node)

    def aggregate(self, function: str, slot: int, column: str | None, running: str = "") -> str:
        """An aggregate over the rows of a slot, or over those before the current one."""
        return of_group(function, self._name(slot) + running, column)

    def last(self, slot: int, column: str) -> str:
        """A column of the last row of a slot."""
        return f"{self._last(slot)}.{quoted(column)}"

    def nth(self, slot: int, number: int, column: str) -> str:
        """A column of a row of a slot, counted from 1."""
        return f"{self._nth(slot, number)}.{quoted(column)}"

    def _nothing(self, slot: int) -> list[str]:
        """That a slot took nothing, if that can be."""
        return [] if self._shape.must(slot) else [f"count({self._name(slot)}) = 0"]

    def _name(self, slot: int) -> str:
        return quoted(self._shape.slots[slot].name)

    def _last(self, slot: int) -> str:
        # Of a step that took nothing, `b.v` is true of whatever is said; `last(b).v` is missing.
        if self._shape.must(slot) and not self._shape.slots[slot].group:
            return self._name(slot)
        return f"last({self._name(slot)})"

    def _nth(self, slot: int, number: int) -> str:
        if number == 1 and not self._shape.slots[slot].group:
            return self._last(slot)
        return f"{self._name(slot)}[{number}]"


def _named(formula: Node, slot: int | None) -> Node:
    """With the row before named as the last of the slot that took it, if that is given."""

    def change(node: Node) -> Node:
        if slot is not None and node.op == "prev":
            return Node("last", (slot, *node.args), node.span)
        return node

    return replaced(formula, change)
