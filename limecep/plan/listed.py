"""Parameters that are lists: `a.host IN $hosts`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from limecep.model.expression import Constant, Expression, Membership, Parameter
from limecep.model.walk import over_children

if TYPE_CHECKING:
    from collections.abc import Mapping


def spread(node: Expression, params: Mapping[str, Any]) -> Expression:
    """The expression with lists among the choices of IN taken apart. In none of them nothing is."""
    node = over_children(node, lambda n: spread(n, params))
    if not isinstance(node, Membership):
        return node
    choices = tuple(c for choice in node.choices for c in _choices(choice, params))
    return replace(node, choices=choices) if choices else Constant(False, node.span)


def _choices(choice: Expression, params: Mapping[str, Any]) -> list[Expression]:
    value = params.get(choice.name) if isinstance(choice, Parameter) else None
    return [Constant(v, choice.span) for v in value] if type(value) is list else [choice]
