"""Parameters that are lists have their place in IN, and nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.language.problems import QueryProblem
from limecep.model.expression import Membership, Parameter
from limecep.model.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from limecep.model.expression import Expression


def misplaced(expression: Expression, params: Mapping[str, Any]) -> Iterator[QueryProblem]:
    """Lists that stand somewhere else.

    Args:
        expression: A condition, or a value.
        params: The parameters whose value is known.
    """
    nodes = list(walk(expression))
    placed = {id(c) for n in nodes if isinstance(n, Membership) for c in n.choices}
    for node in nodes:
        if isinstance(node, Parameter) and type(params.get(node.name)) is list and id(node) not in placed:
            yield QueryProblem(
                code="parameter-value",
                message=f"parameter '{node.name}' is a list",
                hint="it has its place in IN, as in a.host IN $hosts",
                start=node.span[0],
                end=node.span[1],
            )
