"""Models back to text. What is printed parses to an equal model."""

from __future__ import annotations

from limecep.language.words import SELECTIONS, UNITS, quoted
from limecep.model.expression import (
    Aggregate,
    Attribute,
    Between,
    Binary,
    Constant,
    Current,
    Expression,
    Index,
    Logical,
    Membership,
    Parameter,
    Position,
    Unary,
)
from limecep.model.pattern import Choice, Conjunction, Pattern, Quantifier, Step, Structure

# How tightly things bind; what binds less than its place asks for goes in parentheses.
_OR, _AND, _NOT, _COMPARISON, _SUM, _PRODUCT, _SIGN, _ATOM = range(8)
_BINARY = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT, "%": _PRODUCT}
_ESCAPES = str.maketrans({"\\": "\\\\", "'": "''", "\n": "\\n", "\t": "\\t", "\r": "\\r"})


def expression_text(node: Expression) -> str:
    """An expression, with no more parentheses than it needs."""
    return _expression(node, _OR)


def pattern_text(pattern: Pattern) -> str:
    """A whole query, on one line."""
    parts = [f"PATTERN {structure_text(pattern.structure)}"]
    conditions = [name for name, select in SELECTIONS.items() if select == pattern.select]
    if pattern.where is not None:
        conditions.append(_expression(pattern.where, _AND if conditions else _OR))
    if conditions:
        parts.append(f"WHERE {' AND '.join(conditions)}")
    parts.append(f"WITHIN {duration_text(pattern.within)}")
    if pattern.partition:
        parts.append(f"PARTITION BY {', '.join(map(path_text, pattern.partition))}")
    return " ".join(parts)


def structure_text(structure: Structure) -> str:
    """`SEQ(...)` or `OR(...)`."""
    if isinstance(structure, Choice):
        return f"OR({', '.join(map(structure_text, structure.alternatives))})"
    return f"SEQ({', '.join(map(str, structure.parts))})"


def conjunction_text(conjunction: Conjunction) -> str:
    """`AND(...)`."""
    return f"AND({', '.join(map(step_text, conjunction.steps))})"


def step_text(step: Step) -> str:
    """One step, always with its variable."""
    names = " OR ".join(map(quoted, step.types))
    types = names if len(step.types) == 1 else f"({names})"
    taken = f"{types}{step.quantifier} {quoted(step.variable)}"
    return f"{'!' if step.negated else ''}{taken}{'[]' if step.quantifier.maximum != 1 else ''}"


def quantifier_text(quantifier: Quantifier) -> str:
    """`+`, `*`, `?`, `{2}`, `{2,}`, `{2,4}`, or nothing for exactly one."""
    low, high = quantifier.minimum, quantifier.maximum
    short = {(1, 1): "", (1, None): "+", (0, None): "*", (0, 1): "?"}.get((low, high))
    if short is not None:
        return short
    if low == high:
        return f"{{{low}}}"
    return f"{{{low},{'' if high is None else high}}}"


def path_text(path: tuple[str, ...]) -> str:
    """`payload.temp`."""
    return ".".join(map(quoted, path))


def duration_text(microseconds: int) -> str:
    """`10 minutes`: in the longest unit that gives a whole number."""
    for size, (spelling, *_) in UNITS:
        number, rest = divmod(microseconds, size)
        if rest == 0 and number:
            return f"{number} {spelling[:-1] if number == 1 and size >= 1_000_000 else spelling}"
    return "0 us"


def _expression(node: Expression, least: int) -> str:
    text, binds = _show(node)
    return text if binds >= least else f"({text})"


def _show(node: Expression) -> tuple[str, int]:
    """The text of a node, and how tightly it binds."""
    match node:
        case Constant(value):
            return _constant(value)
        case Parameter(name):
            return f"${quoted(name)}", _ATOM
        case Attribute(variable, path, index):
            return f"{_event(variable, index)}.{path_text(path)}", _ATOM
        case Aggregate(function, variable, path, running):
            of = ".".join((quoted(variable) + ("[..i-1]" if running else ""), *map(quoted, path)))
            return f"{function}({of})", _ATOM
        case Unary("not", operand):
            return f"NOT {_expression(operand, _NOT)}", _NOT
        case Unary("abs", operand):
            return f"abs({_expression(operand, _OR)})", _ATOM
        case Unary(_, operand):
            # A sign right before a number is part of the number, and two signs would begin a comment.
            number = isinstance(operand, Constant) and type(operand.value) in (int, float)
            return f"-({expression_text(operand)})" if number else f"-{_expression(operand, _ATOM)}", _SIGN
        case Binary(operator, left, right):
            binds = _BINARY.get(operator, _COMPARISON)
            first = binds if binds > _COMPARISON else _SUM
            return f"{_expression(left, first)} {operator} {_expression(right, binds + 1)}", binds
        case Logical("and", operands):
            return " AND ".join(_expression(o, _NOT) for o in operands), _AND
        case Logical(_, operands):
            return " OR ".join(_expression(o, _AND) for o in operands), _OR
        case Membership(operand, choices):
            return (
                f"{_expression(operand, _SUM)} IN ({', '.join(map(expression_text, choices))})",
                _COMPARISON,
            )
        case Between(operand, low, high):
            ends = f"{_expression(low, _SUM)} AND {_expression(high, _SUM)}"
            return f"{_expression(operand, _SUM)} BETWEEN {ends}", _COMPARISON


def _constant(value: int | float | str | bool | None) -> tuple[str, int]:
    if value is None:
        return "null", _ATOM
    if isinstance(value, bool):
        return str(value).lower(), _ATOM
    if isinstance(value, str):
        return f"'{value.translate(_ESCAPES)}'", _ATOM
    text = repr(value)
    return text, _SIGN if text.startswith("-") else _ATOM


def _event(variable: str, index: Index) -> str:
    match index:
        case Position(-1):
            return f"last({quoted(variable)})"
        case Position(number):
            return f"{quoted(variable)}[{number}]"
        case Current(offset):
            return f"{quoted(variable)}[i{f'{offset:+d}' if offset else ''}]"
    return quoted(variable)
