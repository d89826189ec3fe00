"""Calls of functions as Python source, each argument of the kind that the function takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.model.expression import Constant
from limecep.model.function import Function
from limecep.model.instants import Instant
from limecep.plan.values import NUMBERS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.model.expression import Call
    from limecep.signature import Argument

    #: Gives a value a global name.
    Naming = Callable[[Any], str]

_TYPES: dict[str, tuple[type, ...]] = {
    "str": (str,), "int": (int,), "float": (int, float), "bool": (bool,), "Instant": (Instant,),
}  # fmt: skip


def calling(
    call: Call, given: Sequence[str], name: Naming, names: dict[str, Any]
) -> tuple[str, Sequence[str]]:
    """Source of a call, missing where an argument is not of the kind that the function takes; and the lines
    that give `{name}` the value of `{source}`.

    Args:
        call: The call.
        given: Source of each argument.
        name: Gives a value a global name.
        names: Those there are.
    """
    if isinstance(call.function, Function):
        return _calling(call, call.function, name, given), _assigned(call.function)
    if hasattr(call.function, "condition"):
        # Few conditions are about one of a group.
        from limecep.plan.exists import deciding

        return f"{name(deciding(call, names))}({', '.join(given)})", ("{name} = {source}",)
    # Most pipelines have no tables.
    from limecep.plan.lookups import looking_up

    return looking_up(call.function, call.arguments, given, name), ("{name} = {source}",)


def _calling(call: Call, function: Function, name: Naming, given: Sequence[str]) -> str:
    tests = []
    for place, (node, x) in enumerate(zip(call.arguments, given, strict=True)):
        argument = function.signature.argument(place)
        if isinstance(node, Constant):
            if not _is_of(node.value, argument):
                return "None"
        elif argument.kind != "object":
            tests.append(f"({_fits(x, argument, name)})")
    source = f"{name(function.compute)}({', '.join(given)})"
    return f"{source} if {' and '.join(tests)} else None" if tests else source


def _assigned(function: Function) -> list[str]:
    """Lines that give `{name}` the value of `{source}`, which calls a function: none where that raises, or
    gives another kind than it says, which is counted. What is no mistake about a value (no memory, an exit)
    goes on."""
    lines = [
        "try: {name} = {source}",
        "except MemoryError: raise",
        f"except Exception: {{name}} = note({f'raised_by_{function.name}'!r})",
    ]
    kind = function.signature.result
    if kind != "object":
        kind = kind.partition("[")[0]
        other = f"type({{name}}) is not {kind}"
        if kind == "float":
            # NaN is no number.
            other = "(type({name}) not in NUMBERS or {name} != {name})"
        counted = f"note({f'other_kind_by_{function.name}'!r})"
        lines.append(f"if {other} and {{name}} is not None: {{name}} = {counted}")
    return lines


def _is_of(value: object, argument: Argument) -> bool:
    """Whether a value is of the kind that is taken. NaN is no number."""
    if argument.kind == "object" or value is None:
        return argument.missing
    return type(value) in _TYPES.get(argument.kind, ()) and value == value


def _fits(x: str, argument: Argument, name: Naming) -> str:
    """The same of source that gives a value."""
    same = f"type({x}) is {argument.kind}"
    if argument.kind == "float":
        same = f"type({x}) in NUMBERS and {x} == {x}"
    elif argument.kind == "list[float]":
        same = f"{name(are_numbers)}({x})"
    return f"{x} is None or {same}" if argument.missing else same


def are_numbers(values: Any) -> bool:
    """Whether a value is a list of numbers, none of them NaN."""
    return type(values) is list and all(type(v) in NUMBERS and v == v for v in values)
