"""Parameters that are lists: `a.host IN $hosts`."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from limecep.model.expression import Constant, Expression, Membership, Node, Parameter

if TYPE_CHECKING:
    from collections.abc import Mapping


def spread(node: Expression, params: Mapping[str, Any]) -> Expression:
    """The expression with lists among the choices of IN taken apart. In none of them nothing is."""
    changed: dict[str, Any] = {}
    for own in fields(node):
        value = getattr(node, own.name)
        if isinstance(value, Node):
            changed[own.name] = spread(value, params)  # type: ignore[arg-type]
        elif isinstance(value, tuple) and any(isinstance(v, Node) for v in value):
            changed[own.name] = tuple(spread(v, params) for v in value)
    node = replace(node, **changed) if changed else node
    if not isinstance(node, Membership):
        return node
    choices = tuple(c for choice in node.choices for c in _choices(choice, params))
    return replace(node, choices=choices) if choices else Constant(False, node.span)


def _choices(choice: Expression, params: Mapping[str, Any]) -> list[Expression]:
    value = params.get(choice.name) if isinstance(choice, Parameter) else None
    return [Constant(v, choice.span) for v in value] if type(value) is list else [choice]
