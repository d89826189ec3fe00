"""Conditions as formulas: when a row is taken.

A row is taken if its condition is *true*; what is false and what is unknown is the same. So a formula has no
NOT, and its tests that are unknown are false. What a formula implies is then easy to say, and whether two of
them can hold of the same row.
"""

from __future__ import annotations

from decimal import Decimal
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

from limecep.translation.tree import ROW_OPS, Node, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

TRUE = Node("literal", (True,))
FALSE = Node("literal", (False,))

#: Comparisons, each with its negation.
NEGATED = {"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
FLIPPED = {"=": "=", "<>": "<>", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_RELATIONS = {"=": "e", "<>": "lg", "<": "l", "<=": "le", ">": "g", ">=": "eg"}
_ARITHMETIC = frozenset({"+", "-", "*", "/", "neg"})
_STRICT = _ARITHMETIC | {"like"}

#: Of more alternatives than these nothing is proven.
_MOST = 256


def truth(node: Node, value: bool = True) -> Node:
    """The formula of an expression being true, or false.

    Raises:
        Refused: It is no test.
    """
    op, args = node.op, node.args
    match op:
        case "literal" if args[0] is None or isinstance(args[0], bool):
            return TRUE if args[0] is value else FALSE
        case "not":
            return truth(args[0], not value)
        case "and" | "or":
            parts = [truth(a, value) for a in args]
            return conjunction(parts) if (op == "and") == value else disjunction(parts)
        case "between" | "in":
            return truth(spelled_out(node), value)
        case "isnull":
            return _null(node, value)
        case "holds":
            return truth(args[0]) if value else fails(truth(args[0]))
        case "like":
            return _like(node, value)
        case _ if op in NEGATED:
            return _compared(node, value)
        case "cur" | "prev" | "last" | "nth":
            return Node("is" if value else "isnot", (node,), node.span)
    raise Refused("no-test", "this is a value, and no condition", "compare it with something", node.span)


def fails(formula: Node) -> Node:
    """The formula that is true where another is not, be that false or unknown."""
    return FALSE if formula == TRUE else TRUE if formula == FALSE else Node("fails", (formula,))


def _null(node: Node, value: bool) -> Node:
    inner = folded(node.args[0])
    if inner.op == "literal":
        return TRUE if (inner.args[0] is None) == value else FALSE
    return Node("isnull" if value else "notnull", (inner,), node.span)


def spelled_out(node: Node) -> Node:
    """BETWEEN as two comparisons, IN as some."""
    of, *others = node.args
    if node.op == "in":
        return Node("or", tuple(Node("=", (of, c), node.span) for c in others), node.span)
    low, high = others
    return Node("and", (Node(">=", (of, low), node.span), Node("<=", (of, high), node.span)), node.span)


def carried_over(node: Node) -> None:
    """Refuses a LIKE that says something else here.

    Raises:
        Refused: It does.
    """
    pattern = node.args[1]
    text = pattern.args[0] if pattern.op == "literal" else None
    if not isinstance(text, str) or "\\" in text:
        raise Refused(
            "like",
            "LIKE can only be carried over with a text without a backslash",
            "such as 'abc%' or 'a_c'",
            node.span,
        )


def _like(node: Node, value: bool) -> Node:
    carried_over(node)
    pattern = node.args[1]
    return Node(
        "is" if value else "isnot", (Node("like", (folded(node.args[0]), pattern), node.span),), node.span
    )


def _compared(node: Node, value: bool) -> Node:
    left, right = map(folded, node.args)
    if any(side.op == "literal" and side.args[0] is None for side in (left, right)):
        return FALSE
    for side in (left, right):
        if side.op in NEGATED or side.op in ("and", "or", "not", "between", "in", "isnull", "like"):
            hint = "join tests by AND, OR and NOT"
            raise Refused("compared-test", "a test cannot be compared", hint, side.span)
    return known_comparison(Node(node.op if value else NEGATED[node.op], (left, right), node.span))


def known_comparison(node: Node) -> Node:
    """A node, or what it is where it compares two literals."""
    if node.op in NEGATED and all(side.op == "literal" for side in node.args):
        left, right = (side.args[0] for side in node.args)
        if type(left) is type(right):
            return TRUE if _holds(node.op, left, right) else FALSE
    return node


def _holds(operator: str, left: Any, right: Any) -> bool:
    return ("e" if left == right else "l" if left < right else "g") in _RELATIONS[operator]


def folded(node: Node) -> Node:
    """An expression in which what is null by a null in it is null."""
    if not node.below:
        return node
    made = Node(node.op, tuple(folded(a) if isinstance(a, Node) else a for a in node.args), node.span)
    # In our language `x = null` asks whether x is missing.
    strict = node.op in _ARITHMETIC or node.op in NEGATED
    strict = strict or (node.op == "function" and node.args[0] != "coalesce")
    if strict and any(b.op == "literal" and b.args[0] is None for b in made.below):
        return Node("literal", (None,), node.span)
    return made


def conjunction(parts: Iterable[Node]) -> Node:
    """All of them."""
    return _joined("and", parts, TRUE, FALSE)


def disjunction(parts: Iterable[Node]) -> Node:
    """Any of them."""
    return _joined("or", parts, FALSE, TRUE)


def _joined(op: str, parts: Iterable[Node], neutral: Node, decisive: Node) -> Node:
    flat = dict.fromkeys(p for part in parts for p in (part.args if part.op == op else (part,)))
    flat.pop(neutral, None)
    if decisive in flat:
        return decisive
    if len(flat) < 2:
        return next(iter(flat), neutral)
    return Node(op, tuple(flat))


def conjuncts(formula: Node) -> tuple[Node, ...]:
    """The formulas that it is the conjunction of."""
    return () if formula == TRUE else formula.args if formula.op == "and" else (formula,)


def replaced(node: Node, change: Callable[[Node], Node]) -> Node:
    """With every node changed, those below first; formulas are simplified."""
    made = Node(
        node.op, tuple(replaced(a, change) if isinstance(a, Node) else a for a in node.args), node.span
    )
    if made.op == "and":
        return conjunction(map(change, made.args))
    if made.op == "or":
        return disjunction(map(change, made.args))
    return change(made)


def without_nulls(formula: Node, present: Callable[[Node], bool]) -> Node:
    """A formula, given which values are there."""

    def change(node: Node) -> Node:
        if node.op in ("isnull", "notnull") and present(node.args[0]):
            return TRUE if node.op == "notnull" else FALSE
        return node

    return replaced(formula, change)


def present_in(formula: Node) -> frozenset[Node] | None:
    """The values of rows that are there if it is true; None for all, where it never is."""
    if formula == FALSE:
        return None
    if formula.op in ("and", "or"):
        known = [p for p in map(present_in, formula.args) if p is not None]
        if formula.op == "and":
            return None if len(known) < len(formula.args) else frozenset().union(*known)
        return None if not known else frozenset.intersection(*known)
    if formula.op in ("literal", "isnull", "fails"):
        return frozenset()
    return frozenset(v for side in formula.below for v in strict(side))


def strict(node: Node) -> Iterable[Node]:
    """The values of rows without which an expression is null."""
    if node.op in ROW_OPS:
        yield node
    elif node.op in _STRICT or (node.op == "function" and node.args[0] != "coalesce"):
        for inner in node.below:
            yield from strict(inner)


def disjoint(one: Node, other: Node) -> bool:
    """Whether it is proven that no row makes both true."""
    clauses = _clauses(conjunction([one, other]))
    return clauses is not None and all(map(_contradictory, clauses))


def _clauses(formula: Node) -> list[tuple[Node, ...]] | None:
    """The alternatives of a formula, each a list of tests; None where there are too many."""
    if formula == FALSE:
        return []
    if formula.op == "or":
        parts = [_clauses(a) for a in formula.args]
        made = [c for p in parts if p is not None for c in p]
        return None if None in parts or len(made) > _MOST else made
    if formula.op == "and":
        made = [()]
        for arg in formula.args:
            more = _clauses(arg)
            if more is None or len(made) * len(more) > _MOST:
                return None
            made = [(*a, *b) for a, b in product(made, more)]
        return made
    return [(formula,)]


def _contradictory(tests: tuple[Node, ...]) -> bool:
    return any(_exclude(a, b) for a, b in combinations(tests, 2))


def _exclude(a: Node, b: Node) -> bool:
    """Whether two tests cannot both be true."""
    for one, other in ((a, b), (b, a)):
        if one.op == "isnull" and other.op not in ("isnull", "fails", "literal"):
            lacking = frozenset(strict(one.args[0]))
            # A single value that is null, and a test that needs it.
            if len(lacking) == 1 and one.args[0] in lacking and lacking <= (present_in(other) or frozenset()):
                return True
        if one.op == "is" and other.op == "isnot" and one.args == other.args:
            return True
    if a.op not in NEGATED or b.op not in NEGATED:
        return False
    (left, first, value), (right, second, bound) = _normal(a), _normal(b)
    if left != right:
        return False
    if value is None or bound is None:
        return value is bound and not set(_RELATIONS[first]) & set(_RELATIONS[second])
    if not _comparable(value[0], bound[0]):
        return False
    return not _meet(first, value[0], second, bound[0])


def _normal(test: Node) -> tuple[Any, str, tuple[Any] | None]:
    """What is compared, how, and with which constant, if it is one."""
    left, right = test.args
    if right.op in ("literal", "seconds"):
        return left, test.op, right.args
    if left.op in ("literal", "seconds"):
        return right, FLIPPED[test.op], left.args
    if repr(left) > repr(right):
        return (right, left), FLIPPED[test.op], None
    return (left, right), test.op, None


def _comparable(a: Any, b: Any) -> bool:
    kinds = {
        "number" if isinstance(v, int | Decimal) and not isinstance(v, bool) else type(v) for v in (a, b)
    }
    return len(kinds) == 1


def _meet(first: str, a: Any, second: str, b: Any) -> bool:
    """Whether some value is related to `a` and to `b` as they say. It may be below both, the lower of them,
    between, the higher, or above."""
    if a == b:
        return bool(set(_RELATIONS[first]) & set(_RELATIONS[second]))
    if a > b:
        return _meet(second, b, first, a)
    cases = (("l", "l"), ("e", "l"), ("g", "l"), ("g", "e"), ("g", "g"))
    return any(x in _RELATIONS[first] and y in _RELATIONS[second] for x, y in cases)


def local(formula: Node) -> bool:
    """Whether it looks at nothing but the current row and the one before it."""
    return all(n.op in ("cur", "prev") or n.op not in ROW_OPS for n in formula.walk())


def about(formula: Node, *ops: str) -> bool:
    """Whether it names any such value of a row."""
    return any(n.op in ops for n in formula.walk())
