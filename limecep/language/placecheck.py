"""Places of groups that these never have, and aggregates of what is no group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.language.problems import QueryProblem
from limecep.model.expression import Aggregate, Attribute, Current, Position

if TYPE_CHECKING:
    from collections.abc import Iterator

_GROUP = "a group has a quantifier, as in B+ b[]"


def needless(node: Attribute | Aggregate, most: int, single: bool) -> Iterator[QueryProblem]:
    """Warns of a reference that is always missing, always the same, or never looked at.

    Args:
        node: The reference, by a place or to a whole group.
        most: The most events that its variable takes.
        single: Whether it takes exactly one.
    """
    if isinstance(node, Aggregate):
        if node.running and most == 1:
            yield _never_compared(node, most)
        elif node.function == "count" and not node.path and single:
            message = f"'{node.variable}' takes exactly one event, so this is always 1"
            yield _warning(node, "constant-count", message, _GROUP)
    elif isinstance(node.index, Current) and 0 < most <= abs(node.index.offset):
        yield _never_compared(node, most)
    elif isinstance(node.index, Position) and node.index.number > most:
        message = f"'{node.variable}' takes {most} at most, so this is always missing"
        yield _warning(node, "never-there", message, "places are counted from 1")


def _never_compared(node: Attribute | Aggregate, most: int) -> QueryProblem:
    takes, far = ("one event", "") if most == 1 else (f"{most} events", " so far away")
    message = f"'{node.variable}' takes {takes} at most: it has no neighbours{far}, so this is never compared"
    return _warning(node, "never-compared", message, _GROUP)


def _warning(node: Attribute | Aggregate, code: str, message: str, hint: str) -> QueryProblem:
    start, end = node.span
    return QueryProblem(code=code, message=message, hint=hint, severity="warning", start=start, end=end)
