"""What is wrong with RETURN: a value is of one match, which has no `i` and nothing that is absent."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from limecep.language.problems import QueryProblem
from limecep.model.expression import Aggregate, Attribute, Current
from limecep.model.walk import walk
from limecep.model.words import path_text, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from limecep.model.expression import Expression
    from limecep.model.pattern import Pattern, Step


def returned(
    pattern: Pattern,
    steps: Mapping[str, Sequence[Step]],
    named: Callable[[Expression], Iterator[QueryProblem]],
) -> Iterator[QueryProblem]:
    """What is wrong with the values of a pattern.

    Args:
        pattern: The pattern.
        steps: The steps of each variable, one for each alternative that has it.
        named: Gives what is wrong with the names in an expression.
    """
    # To databases names that differ in case only are one.
    counts = Counter(r.name.lower() for r in pattern.returns)
    for name, count in counts.items():
        if count > 1:
            last = [r for r in pattern.returns if r.name.lower() == name][-1]
            start, end = last.span
            yield QueryProblem(
                code="value-twice",
                message=f"RETURN gives '{last.name}' {count} times",
                hint="give each value a name of its own, whatever its case",
                start=start,
                end=end,
            )
    for value in pattern.returns:
        # A match that is complete has an end event, whichever step has it.
        yield from (p for p in named(value.expression) if p.code != "no-end-event")
        for node in walk(value.expression):
            if isinstance(node, Attribute | Aggregate) and node.variable in steps:
                yield from _misplaced(node, steps[node.variable])


def _misplaced(node: Attribute | Aggregate, steps: Sequence[Step]) -> Iterator[QueryProblem]:
    name, of = quoted(node.variable), path_text(node.path)
    if all(s.negated for s in steps):
        if isinstance(node, Attribute) and node.index is None:
            message = f"'{node.variable}' is negated: no match has an event of it"
            yield _error(node, "negated-value", message, "give a value of a step that is there")
    elif node.running if isinstance(node, Aggregate) else isinstance(node.index, Current):
        hint = f"write {name}[1].{of}, last({name}).{of}, or an aggregate such as avg({name}.{of})"
        yield _error(node, "index-value", "there is no i in RETURN, where a match has one value", hint)
    elif isinstance(node, Attribute) and node.index is None and any(s.quantifier.maximum != 1 for s in steps):
        aggregate = "max" if node.path == ("time",) else "avg"
        hint = (
            f"write first({name}).{of}, last({name}).{of}, or an aggregate such as {aggregate}({name}.{of})"
        )
        message = f"{name}.{of} has a value for each event of the group, and a match has one"
        yield _error(node, "group-value", message, hint)


def _error(node: Attribute | Aggregate, code: str, message: str, hint: str) -> QueryProblem:
    return QueryProblem(code=code, message=message, hint=hint, start=node.span[0], end=node.span[1])
