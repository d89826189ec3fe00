"""What is wrong with conditions on negated steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.language.problems import QueryProblem
from limecep.model.expression import Aggregate, Attribute
from limecep.model.words import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limecep.model.pattern import Step


def misplaced(node: Attribute | Aggregate) -> Iterator[QueryProblem]:
    """What a condition names of a negated step as if it were a group."""
    if isinstance(node, Aggregate) or node.index is not None:
        hint = f"what its events must be like is written {quoted(node.variable)}.value"
        yield _error(node, "negated-group", f"'{node.variable}' is negated: it has no group", hint)


def two_negated(
    sequences: Sequence[Sequence[Step]], references: Sequence[Attribute | Aggregate]
) -> Iterator[QueryProblem]:
    """Two negated steps that one condition names.

    Args:
        sequences: The steps of each alternative of OR.
        references: What the condition names.
    """
    reported = set()
    for steps in sequences:
        negated = {s.variable for s in steps if s.negated}
        named = list(dict.fromkeys(r.variable for r in references if r.variable in negated))
        if len(named) > 1 and named[1] not in reported:
            reported.add(named[1])
            node = next(r for r in references if r.variable == named[1])
            message = f"'{named[0]}' and '{named[1]}' are both negated"
            hint = "a condition says what must be absent for one negated step; write two conditions"
            yield _error(node, "two-negated", message, hint)


def _error(node: Attribute | Aggregate, code: str, message: str, hint: str) -> QueryProblem:
    return QueryProblem(code=code, message=message, hint=hint, start=node.span[0], end=node.span[1])
