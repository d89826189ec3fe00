"""Going over expressions: conjuncts, leaves, parameters, and what is short for something longer."""

from __future__ import annotations

from types import NoneType
from typing import TYPE_CHECKING, Any

from limecep.errors import ConfigurationError
from limecep.model.expression import (
    Aggregate,
    Attribute,
    Between,
    Binary,
    Constant,
    Expression,
    Logical,
    Membership,
    Parameter,
    Unary,
)
from limecep.model.walk import children, over_children
from limecep.problems import Problem, suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

#: A leaf that names a variable.
Reference = Attribute | Aggregate


def conjuncts(where: Expression | None) -> tuple[Expression, ...]:
    """The conditions of WHERE: its top-level ANDs taken apart."""
    if where is None:
        return ()
    if isinstance(where, Logical) and where.operator == "and":
        return tuple(c for o in where.operands for c in conjuncts(o))
    return (where,)


def leaves(node: Expression) -> Iterator[Expression]:
    """Constants, parameters and references, from left to right."""
    below = children(node)
    if not below:
        yield node
    for operand in below:
        yield from leaves(operand)


def references(node: Expression) -> tuple[Reference, ...]:
    """The leaves that name variables, each once."""
    return tuple(dict.fromkeys(n for n in leaves(node) if isinstance(n, Attribute | Aggregate)))


def rewritten(node: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """The expression with every leaf changed."""
    return over_children(node, lambda n: rewritten(n, change)) if children(node) else change(node)


def is_one_test(condition: Expression) -> bool:
    """Whether nothing in it is joined by AND or OR."""
    if isinstance(condition, Unary) and condition.operator == "not":
        return is_one_test(condition.operand)
    return not isinstance(condition, Logical | Membership | Between)


def is_null(node: Expression) -> bool:
    """Whether it is a written null."""
    return type(node) is Constant and node.value is None


def spelled_out(node: Membership | Between) -> Expression:
    """IN as the OR of its equalities, BETWEEN as an AND of two comparisons."""
    if isinstance(node, Between):
        return Logical("and", (Binary(">=", node.operand, node.low), Binary("<=", node.operand, node.high)))
    equalities = tuple(Binary("==", node.operand, c) for c in node.choices)
    return Logical("or", equalities) if len(equalities) > 1 else equalities[0]


def bound(where: Expression, params: Mapping[str, Any]) -> Expression:
    """The condition with every parameter replaced by its value.

    Raises:
        ConfigurationError: A parameter has no value, or one that is no number, text, boolean or null.
    """
    if any(type(v) is list for v in params.values()):
        # Few parameters are lists.
        from limecep.plan.listed import spread

        where = spread(where, params)
    problems = []
    for name in dict.fromkeys(n.name for n in leaves(where) if isinstance(n, Parameter)):
        if name not in params:
            problems.append(
                Problem(
                    code="unknown-parameter",
                    message=f"parameter '${name}' has no value",
                    hint=suggestion(name, params) or f"give it one under params: {{{name}: ...}}",
                )
            )
        elif type(params[name]) not in (int, float, str, bool, NoneType):
            problems.append(
                Problem(
                    code="parameter-value",
                    message=f"parameter '${name}' is a {type(params[name]).__name__}",
                    hint="a parameter is a number, text, true, false or null; a list of these has its place "
                    "in IN, as in a.host IN $hosts",
                )
            )
    if problems:
        raise ConfigurationError(problems)

    def value(leaf: Expression) -> Expression:
        return Constant(params[leaf.name], leaf.span) if isinstance(leaf, Parameter) else leaf

    return rewritten(where, value)
