"""Calls of functions that plugins bring, in queries."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from limecep.model.exists import Slot, of_one
from limecep.model.expression import Aggregate, Attribute, Binary, Constant, Current
from limecep.model.table import columns_in
from limecep.model.walk import walk
from limecep.problems import Problem, suggestion
from limecep.vetting import OF_THE_LANGUAGE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from limecep.language.terms import Functions
    from limecep.model.expression import Call, Expression, Span
    from limecep.model.function import Function

#: Comparisons, the other way round.
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}

#: What is called otherwise in other languages.
_INSTEAD = {
    name: f"write {instead}"
    for names, instead in {
        "all every": "b.v > 3: it says so of every event of b",
        "exists some": "any(b.v > 3)",
        "ifnull isnull nvl": "coalesce(a.v, 0)",
        "if iif decode": "CASE WHEN a.v > 9 THEN 'high' ELSE 'low' END",
        "len char_length": "length(a.name), or count(b) for the events of a group",
        "size cardinality": "count(b) for the events of a group",
        "date_trunc date_part extract": "date(a.time), hour(a.time) or others of a part of a time",
        "pow": "power(x, y)",
        "log": "ln(x)",
        "std stdev": "stddev(b.v)",
        "variance var": "power(stddev(b.v), 2)",
        "cast to_number": "number(a.v), or text(a.v)",
        "regexp_like rlike": "a.name MATCHES '^k[0-9]+$'",
        "count_distinct": "distinct(b.v)",
        "lag prev": "b[i-1].v",
        "lead next": "b[i+1].v",
    }.items()
    for name in names.split()
}


def called(name: str, count: int, path: Sequence[str], functions: Functions) -> Function | Problem:
    """The function that a query calls, or what is wrong with the call.

    Args:
        name: Its name as written, in any case.
        count: How many arguments it is given.
        path: What follows the call, as if it had attributes.
        functions: Gives the functions there are.
    """
    origin, _, plain = name.rpartition(":")
    written = f"{origin}:{plain.lower()}".removeprefix(":")
    function = functions(written)
    if function is None:
        hint = suggestion(plain.lower(), OF_THE_LANGUAGE)
        function = Problem(code="unknown-function", message=f"there is no function '{name}'", hint=hint)
    if isinstance(function, Problem):
        instead = _INSTEAD.get(plain.lower(), "") if function.code == "unknown-function" else ""
        return replace(function, hint=instead) if instead else function
    if path:
        return Problem(code="bad-argument", message=f"{written}(...) has no attributes")
    signature = function.signature
    if not signature.takes(count):
        message = f"{written} takes {signature.count}, not {count}"
        return Problem(code="bad-argument", message=message, hint=f"it is {written}{signature}")
    return function


def any_of(condition: Expression, variables: Mapping[str, bool], span: Span) -> list[Any] | Call | Problem:
    """What `any(b.v > 3)` is: of a comparison what its function is called with, all values, how they are
    compared, and with what. Of another condition a call. Or what is wrong with it.

    Args:
        condition: What is asked of an event.
        variables: The variables, and whether each may take several events.
        span: Where it stands.
    """
    attributes = [n for n in walk(condition) if isinstance(n, Attribute)]
    bare = dict.fromkeys(n.variable for n in attributes if n.index is None)
    several = [v for v in bare if variables.get(v)] or list(bare)[:1]
    unknown = [n.variable for n in attributes if n.variable not in variables]
    if unknown:
        said = f"there is no variable '{unknown[0]}'"
        return Problem(code="unknown-variable", message=said, hint=suggestion(unknown[0], variables))
    if any(isinstance(n, Slot) for n in walk(condition)):
        message, hint = "any stands in no other any", "join them outside, by AND"
    elif any(isinstance(n.index, Current) for n in attributes):
        message, hint = "any looks at each event of a group, so there is no i in it", "write any(b.v > 3)"
    elif not several:
        message = "any is about the events of a group, and this names an attribute of none"
        hint = "write any(b.v > 3), b being a group"
    elif len(several) > 1:
        message = f"any is about the events of one group, and this names {' and '.join(several)}"
        hint = "of the others name an event, as in last(b).v, or an aggregate, as in max(b.v)"
    elif any(column.timed for _, column in columns_in(condition)):
        message = "any looks into no table whose rows hold from a time on"
        hint = "compare with a row outside of it"
    else:
        return _compared(condition, several[0]) or of_one(condition, several[0], span)
    return Problem(code="bad-argument", message=message, hint=hint)


def _compared(condition: Expression, variable: str) -> list[Any] | None:
    """The values, the comparison and the other side, where a condition compares an attribute of a variable
    with something else."""
    if isinstance(condition, Binary) and condition.operator in _TURNED:
        for of, other, operator in (
            (condition.left, condition.right, condition.operator),
            (condition.right, condition.left, _TURNED[condition.operator]),
        ):
            if _is_of_one(of, variable) and not any(_is_of_one(n, variable) for n in walk(other)):
                assert isinstance(of, Attribute)
                values = Aggregate("collect", variable, of.path, span=of.span)
                return None if other == Constant(None) else [values, Constant(operator), other]
    return None


def _is_of_one(node: Expression, variable: str) -> bool:
    """Whether it is an attribute of the event of a group that `any` looks at."""
    return isinstance(node, Attribute) and (node.variable, node.index) == (variable, None)
