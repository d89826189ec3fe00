"""Columns of DEFINE: of which row each of them is, where a row is tried for a slot after another.

SQL tries a row with the rows taken so far (RUNNING). So what `LAST(A.price)` is depends on the edge by which
a slot gets the row, its first or a further one. On all edges that lead on from a slot, a value has one name:
the row before is `prev`, and aggregates are over the rows before the current one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from limecep.translation.tree import Node, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from limecep.model.expression import Span
    from limecep.translation.slots import Edge, Shape
    from limecep.translation.tree import Name

AGGREGATES = frozenset({"COUNT", "SUM", "AVG", "MIN", "MAX"})
NAVIGATION = frozenset({"FIRST", "LAST", "PREV", "NEXT"})

#: Functions of SQL with the same value here.
FUNCTIONS = {
    "ABS": "abs", "COALESCE": "coalesce", "LOWER": "lower", "UPPER": "upper", "FLOOR": "floor",
    "CEIL": "ceil", "CEILING": "ceil",
}  # fmt: skip

_INSTEAD = {
    "CLASSIFIER": "compare the columns that tell the variables apart",
    "MATCH_NUMBER": "each match has an id of its own",
    "MATCH_ROWTIME": "LAST of the column of ORDER BY is the same time",
    "MATCH_PROCTIME": "each record says when it was detected",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """The names of a statement.

    Attributes:
        shape: The slots.
        unions: The variables of each name of SUBSET, and of each variable itself.
        column: Gives the name of a column as the data has it, and holds all to one spelling.
    """

    shape: Shape
    unions: Mapping[str, frozenset[str]]
    column: Callable[[Name], str]

    def reference(self, node: Node) -> tuple[frozenset[str] | None, str | None]:
        """The variables that a column is of (None: of all), and its name (None: of `A.*`)."""
        qualifier, name = node.args
        if len(qualifier) > 1:
            raise Refused(
                "nested-column",
                "a name of more than two parts cannot be carried over",
                "write variable.column",
                node.span,
            )
        column = None if name is None else self.column(name)
        if not qualifier:
            return None, column
        variables = self.unions.get(qualifier[0].key)
        if variables is None:
            raise Refused(
                "unknown-variable",
                f"'{qualifier[0].text}' is no variable of PATTERN, and no name of SUBSET",
                "a column of the table is written alone, or after a variable",
                qualifier[0].span,
            )
        return variables, column

    def single(self, node: Node) -> tuple[frozenset[str] | None, str]:
        """The same of an argument that must be one column."""
        if node.op != "column" or node.args[1] is None:
            raise Refused(
                "no-column",
                "only a column can stand here",
                "compute with the values outside of FIRST, LAST, PREV and aggregates",
                node.span,
            )
        variables, column = self.reference(node)
        assert column is not None
        return variables, column


def refused_call(node: Node) -> Refused:
    """Why a function cannot be carried over."""
    name = node.args[0]
    known = ", ".join(sorted((*AGGREGATES, *NAVIGATION, *FUNCTIONS)))
    hint = _INSTEAD.get(name, f"known are {known}")
    return Refused("unknown-function", f"{name}() cannot be carried over", hint, node.span)


def refuse_operator(node: Node) -> None:
    """Refuses what computes otherwise here.

    Raises:
        Refused: It does.
    """
    if node.op in ("/", "%"):
        raise Refused(
            "division",
            f"'{node.op}' of whole numbers gives whole ones in SQL, or keeps the sign of the first, "
            f"and not here",
            "multiply instead: A.x > 2 * B.x for A.x / 2 > B.x",
            node.span,
        )


def offset(node: Node, default: int) -> int:
    """The second argument of FIRST, LAST, PREV."""
    arguments = node.args[3:]
    if len(arguments) < 2:
        return default
    value = arguments[1].args[0] if arguments[1].op == "literal" else None
    if type(value) is not int or value < 0 or len(arguments) > 2:
        raise Refused("bad-offset", "an offset is a whole number", "such as LAST(A.price, 1)", node.span)
    return value


class Navigator:
    """Resolves the condition of a variable on an edge."""

    def __init__(self, scope: Scope, edge: Edge) -> None:
        self._scope = scope
        self._from, self._to = edge
        self._stays = self._from == self._to
        self._variable = scope.shape.slots[self._to].variable

    def resolve(self, node: Node) -> Node:
        """An expression whose columns are of known rows.

        Raises:
            Refused: Some row cannot be named.
        """
        if node.op == "column":
            variables, column = self._scope.single(node)
            return self._last(variables, column, 0, node.span)
        if node.op == "call":
            return self._call(node)
        refuse_operator(node)
        return Node(
            node.op, tuple(self.resolve(a) if isinstance(a, Node) else a for a in node.args), node.span
        )

    def _call(self, node: Node) -> Node:
        name, scope, what, *arguments = node.args
        if scope == "FINAL":
            hint = "a row is tried with those before it"
            raise Refused("final-in-define", "FINAL cannot stand in DEFINE", hint, node.span)
        if name in AGGREGATES:
            return self._aggregate(node)
        if name in NAVIGATION:
            if not arguments or what:
                raise Refused("no-column", f"{name} takes a column", f"such as {name}(A.price)", node.span)
            variables, column = self._scope.single(arguments[0])
            if name == "LAST":
                return self._last(variables, column, offset(node, 0), node.span)
            if name == "FIRST":
                return self._first(variables, column, offset(node, 0), node.span)
            return self._previous(variables, column, offset(node, 1), node.span)
        if name in FUNCTIONS and arguments and not what:
            return Node("function", (FUNCTIONS[name], *map(self.resolve, arguments)), node.span)
        raise refused_call(node)

    def _own(self, variables: frozenset[str] | None) -> bool:
        return variables is None or self._variable in variables

    def _before(self, variables: frozenset[str] | None) -> list[int]:
        """The slots of variables that may have rows before the current slot has, in order."""
        if self._from is None:
            return []
        last = self._to - 1 if self._stays else self._from
        return [s for s in self._scope.shape.of(variables) if s <= last]

    def _last(self, variables: frozenset[str] | None, column: str, back: int, span: Span) -> Node:
        shape, written = self._scope.shape, back
        if self._own(variables):
            if back == 0:
                return Node("cur", (column,), span)
            if self._stays:
                if back == 1:
                    return Node("prev", (column,), span)
                raise _too_far("LAST", written, span)
            back -= 1
        before = self._before(variables)
        if not before:
            return Node("literal", (None,), span)
        latest = before[-1]
        if latest != self._from and len(before) > 1 and not shape.must_with(latest, self._to):
            raise _several("LAST", span)
        if back == 0:
            return (
                Node("prev", (column,), span)
                if latest == self._from
                else Node("last", (latest, column), span)
            )
        if len(before) == 1 and not shape.slots[latest].group:
            return Node("literal", (None,), span)
        raise _too_far("LAST", written, span)

    def _first(self, variables: frozenset[str] | None, column: str, on: int, span: Span) -> Node:
        own, before = self._own(variables), self._before(variables)
        if not before:
            if not own or (on and not self._stays):
                return Node("literal", (None,), span)
            if on:
                raise _too_far("FIRST", on, span)
            return Node("nth", (self._to, 1, column), span) if self._stays else Node("cur", (column,), span)
        earliest = before[0]
        if on and len(before) == 1 and not own:
            return Node("nth", (earliest, on + 1, column), span)
        if not (len(before) == 1 and not own) and not self._scope.shape.must_with(earliest, self._to):
            raise _several("FIRST", span)
        if on:
            raise _too_far("FIRST", on, span)
        return self._only_row(earliest, column, span) or Node("nth", (earliest, 1, column), span)

    def _only_row(self, slot: int, column: str, span: Span) -> Node | None:
        """The row of a slot that takes one at most, named as its last."""
        if self._scope.shape.slots[slot].group:
            return None
        return Node("prev", (column,), span) if slot == self._from else Node("last", (slot, column), span)

    def _previous(self, variables: frozenset[str] | None, column: str, by: int, span: Span) -> Node:
        if not self._own(variables):
            raise Refused(
                "prev-of-another",
                "PREV of another variable is a row before that of another row",
                "PREV(column) is the row before the current one; name the others with FIRST or LAST",
                span,
            )
        if by == 0:
            return Node("cur", (column,), span)
        if by > 1:
            raise _too_far("PREV", by, span)
        if self._from is None:
            raise Refused(
                "prev-outside",
                "PREV looks here at the row before the match, which is not part of it",
                "put a variable without a condition in front, such as PATTERN (BEFORE_IT ...): its "
                "row is then "
                "the first of the match",
                span,
            )
        return Node("prev", (column,), span)

    def _aggregate(self, node: Node) -> Node:
        name, _, what, *arguments = node.args
        span = node.span
        if what == "distinct":
            hint = "say it by conditions"
            raise Refused("distinct", f"{name}(DISTINCT ...) cannot be carried over", hint, span)
        if what == "all" or (what == "rows" and name == "COUNT"):
            variables = None if what == "all" else self._scope.reference(arguments[0])[0]
            column = None
        else:
            if len(arguments) != 1:
                raise Refused("no-column", f"{name} takes one column", f"such as {name}(A.price)", span)
            variables, column = self._scope.single(arguments[0])
        own = self._own(variables)
        slots = self._before(variables) + [self._to] * (own and self._stays)
        current = Node("cur", (column,), span) if own and column is not None else None
        sizes = {s: n for s, n in self._scope.shape.sizes.items() if s != self._to}
        return aggregate(name, slots, column, current, span, sizes, also=int(own))


def aggregate(
    name: str,
    slots: list[int],
    column: str | None,
    current: Node | None,
    span: Span,
    sizes: Mapping[int, int],
    *,
    also: int = 0,
) -> Node:
    """An aggregate over the rows of slots, of which some have known sizes, and over the current one.

    What is exact only if a column is not null stands in a `needs` (of the current row) or a `total` (of a row
    of some slots): SQL leaves null out of sums, and the sum of nothing is null there and 0 here.
    """

    def parts(function: str, of: str | None) -> list[Node]:
        return [Node("agg", (function, s, of), span) for s in slots]

    one = Node("literal", (1,), span)
    if name == "COUNT" and column is None:
        known = Node("literal", (sum(sizes.get(s, 0) for s in slots) + also,), span)
        return _sum([known, *(p for p in parts("count", None) if p.args[1] not in sizes)], span)
    if current is None:
        if name == "COUNT":
            return _sum(parts("count", column), span)
        if not slots:
            return Node("literal", (None,), span)
        if name == "SUM":
            return Node("total", (_sum(parts("sum", column), span), tuple(slots), column), span)
        if len(slots) == 1:
            return Node("agg", (name.lower(), slots[0], column), span)
        if name == "AVG":
            summed, counted = _sum(parts("sum", column), span), _sum(parts("count", column), span)
            return Node("/", (summed, counted), span)
    else:
        value = Node("needs", (current,), span)
        counted = _sum([*parts("count", column), one], span)
        summed = _sum([*parts("sum", column), value], span)
        if name == "COUNT":
            return Node("given", (counted, value), span)
        if name == "SUM" or not slots:
            return summed
        if name == "AVG":
            return Node("/", (summed, counted), span)
    raise Refused(
        "several-steps",
        f"{name} over several steps, or over a step that still grows, cannot be carried over",
        "compare each row by itself, with PREV or FIRST",
        span,
    )


def _sum(terms: list[Node], span: Span) -> Node:
    ones = sum(t.args[0] for t in terms if t.op == "literal")
    rest = [t for t in terms if t.op != "literal"]
    if ones or not rest:
        rest.append(Node("literal", (ones,), span))
    total = rest[0]
    for term in rest[1:]:
        total = Node("+", (total, term), span)
    return total


def _too_far(name: str, count: int, span: Span) -> Refused:
    return Refused(
        "offset-too-far",
        f"{name} with an offset of {count} names a row that has no name here",
        "offsets reach the row before the current one; give a row further back a variable of its own",
        span,
    )


def _several(name: str, span: Span) -> Refused:
    return Refused(
        "several-steps",
        f"{name} is here of one of several steps, depending on which of them took a row",
        "name the variable that is meant, or make the steps between them take a row",
        span,
    )
