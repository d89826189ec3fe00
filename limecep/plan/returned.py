"""The values of matches, as RETURN says them (SEMANTICS 12), as one function that is compiled once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from limecep.model.expression import Attribute, Call, Expression, Position
from limecep.model.instants import Instant
from limecep.model.pattern import Quantifier
from limecep.model.walk import walk
from limecep.plan.expressions import bound, references, rewritten
from limecep.plan.source import Binding, Writer, global_names

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from limecep.model.event import Event
    from limecep.model.pattern import Returned

#: The variable that stands for the end event: no query has it.
_END = ""


def bound_values(returns: Iterable[Returned], params: Mapping[str, Any]) -> tuple[Returned, ...]:
    """The values with every parameter replaced by what it is.

    Raises:
        ConfigurationError: A parameter has no value, or one of another kind.
    """
    return tuple(replace(r, expression=bound(r.expression, params)) for r in returns)


def returning(
    returns: Sequence[Returned], counters: Counter[str]
) -> Callable[[Mapping[str, Sequence[Event]], Event], dict[str, Any]]:
    """A function that gives the values of a match by name, None for what is missing.

    It takes the events of each variable (one that is not there took nothing) and the end event, and never
    raises.

    Args:
        returns: The values, parameters bound.
        counters: What a function raises adds one to `raised_by_` and its name, a value of another kind one to
            `other_kind_by_` and its name.
    """
    names = global_names(counters) | {"finite": _finite}
    expressions = [_settled(r.expression) for r in returns]
    variables = {r.variable for e in expressions for r in references(e)}
    groups = {v: "(end,)" if v == _END else f"groups.get({v!r}, ())" for v in variables}
    lines, given = ["def values(groups, end, /):"], []
    for number, (value, expression) in enumerate(zip(returns, expressions, strict=True)):
        before, source = Writer(expression, Binding(groups=groups), names, f"{number}_").value()
        lines += before
        given.append(f"{value.name!r}: finite({source})")
    lines.append(f"    return {{{', '.join(given)}}}")
    exec(compile("\n".join(lines), "<values>", "exec"), names)
    made: Callable[[Mapping[str, Sequence[Event]], Event], dict[str, Any]] = names["values"]
    return made


def _settled(expression: Expression) -> Expression:
    """An expression in which each attribute is that of one event of a group, which may have none."""
    if any(isinstance(n, Call) and n.function.timed for n in walk(expression)):
        # Few pipelines have tables whose rows hold from a time on.
        from limecep.plan.lookups import dated

        expression = dated(expression, _END, "", Quantifier())

    def first(leaf: Expression) -> Expression:
        if isinstance(leaf, Attribute) and leaf.index is None:
            return replace(leaf, index=Position(1))
        return leaf

    return rewritten(expression, first)


def _finite(value: Any) -> Any:
    """A value as records have it: what is no number, or is not finite, is missing; instants are text."""
    kind = type(value)
    if kind is Instant:
        return str(value)
    if kind is list:
        return [_finite(v) for v in value]
    if kind is dict:
        return {name: _finite(v) for name, v in value.items()}
    return None if kind is float and value - value != 0 else value
