"""Calls of functions that plugins bring, in queries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.model.expression import Aggregate, Attribute, Binary, Constant
from limecep.problems import Problem, suggestion
from limecep.vetting import OF_THE_LANGUAGE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.language.terms import Functions
    from limecep.model.function import Function

#: Comparisons, the other way round.
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


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
        return Problem(code="unknown-function", message=f"there is no function '{name}'", hint=hint)
    if isinstance(function, Problem):
        return function
    if path:
        return Problem(code="bad-argument", message=f"{written}(...) has no attributes")
    signature = function.signature
    if not signature.takes(count):
        message = f"{written} takes {signature.count}, not {count}"
        return Problem(code="bad-argument", message=message, hint=f"it is {written}{signature}")
    return function


def any_of(argument: object) -> list[Any] | Problem:
    """What `any(b.v > 3)` calls its function with: all values, the comparison, and what they are compared
    with. Or what is wrong with it."""
    if isinstance(argument, Binary) and argument.operator in _TURNED:
        for of, other, operator in (
            (argument.left, argument.right, argument.operator),
            (argument.right, argument.left, _TURNED[argument.operator]),
        ):
            if isinstance(of, Attribute) and of.index is None:
                values = Aggregate("collect", of.variable, of.path, span=of.span)
                return [values, Constant(operator), other]
    hint = "write any(b.v > 3), b being a group; more conditions are joined outside, any(...) AND any(...)"
    message = "any is about a comparison of an attribute"
    return Problem(code="bad-argument", message=message, hint=hint)
